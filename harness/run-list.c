/*
 * Which scenarios are meant, and lists of them.
 */
#include "run-list.h"

#include <stdio.h>
#include <string.h>

struct listing {
	const GPtrArray *scripts;	/* of struct script * */
	bool on_sim;
	char **tags;
};

/* "statement" is asked for by its name, "statement:7" so too. */
static bool is_tag(const char *tag, const char *wanted)
{
	size_t size = strlen(wanted);

	return strncmp(tag, wanted, size) == 0 && (tag[size] == '\0' || tag[size] == ':');
}

bool scenario_has_tag(const struct scenario *scenario, char **tags)
{
	if (tags == NULL)
		return true;
	for (guint i = 0; i < scenario->settings.tags->len; i++) {
		for (char **wanted = tags; *wanted != NULL; wanted++) {
			if (is_tag(scenario->settings.tags->pdata[i], *wanted))
				return true;
		}
	}
	return false;
}

/* ---- tags with numbers ---- */

/* The number of the scenario's tag "TAG:N", from 'after' on; 0: there is none. */
static guint64 next_number(const struct scenario *scenario, const char *tag, guint64 after)
{
	size_t size = strlen(tag);
	guint64 next = 0;

	for (guint i = 0; i < scenario->settings.tags->len; i++) {
		const char *one = scenario->settings.tags->pdata[i];
		guint64 number;

		if (!is_tag(one, tag) || one[size] != ':')
			continue;
		number = g_ascii_strtoull(one + size + 1, NULL, 10);
		if (number > after && (next == 0 || number < next))
			next = number;
	}
	return next;
}

/* The next number after 'after' that any scenario has, 0: none. */
static guint64 next_number_of_all(const struct listing *listing, const char *tag, guint64 after)
{
	guint64 next = 0;

	for (guint i = 0; i < listing->scripts->len; i++) {
		const struct script *script = listing->scripts->pdata[i];

		for (guint j = 0; j < script->scenarios->len; j++) {
			guint64 number = next_number(script->scenarios->pdata[j], tag, after);

			if (number != 0 && (next == 0 || number < next))
				next = number;
		}
	}
	return next;
}

static void list_number(const struct listing *listing, const char *tag, guint64 number)
{
	for (guint i = 0; i < listing->scripts->len; i++) {
		const struct script *script = listing->scripts->pdata[i];

		for (guint j = 0; j < script->scenarios->len; j++) {
			const struct scenario *scenario = script->scenarios->pdata[j];
			guint points = scenario->points[listing->on_sim]->len;

			if (next_number(scenario, tag, number - 1) != number || points == 0)
				continue;
			printf("%s %3" G_GUINT64_FORMAT "  %s:%u: %s", tag, number,
			       script->source->name, scenario->place.line, scenario->title);
			printf(points > 1 ? " (%u points)\n" : "\n", points);
		}
	}
}

/*
 * What covers each number of a tag: "statement 7", from 1 up to the highest there is. A number that
 * no scenario has is said to be missing.
 */
static void list_numbers(const struct listing *listing, const char *tag)
{
	guint64 number = 0, next;

	while ((next = next_number_of_all(listing, tag, number)) != 0) {
		while (++number < next)
			printf("%s %3" G_GUINT64_FORMAT "  missing\n", tag, number);
		list_number(listing, tag, number);
	}
}

static bool is_numbered(const struct listing *listing)
{
	return listing->tags != NULL && g_strv_length(listing->tags) == 1 &&
	       next_number_of_all(listing, listing->tags[0], 0) != 0;
}

static void list_points(const struct listing *listing)
{
	for (guint i = 0; i < listing->scripts->len; i++) {
		const struct script *script = listing->scripts->pdata[i];

		for (guint j = 0; j < script->scenarios->len; j++) {
			const struct scenario *scenario = script->scenarios->pdata[j];
			const GPtrArray *points = scenario->points[listing->on_sim];

			for (guint k = 0; scenario_has_tag(scenario, listing->tags) && k < points->len;
			     k++) {
				const struct point *point = points->pdata[k];

				printf("%s:%u: %s\n", script->source->name, scenario->place.line,
				       strstr(point->name, ": ") + 2);
			}
		}
	}
}

void run_list(const GPtrArray *scripts, bool on_sim, char **tags)
{
	struct listing listing = { scripts, on_sim, tags };

	if (is_numbered(&listing))
		list_numbers(&listing, tags[0]);
	else
		list_points(&listing);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Selects points by tag, and lists them.
 */
#include "harness/cmd/run-list.h"

#include <stdio.h>
#include <string.h>

/* "statement" matches by its name, and so does "statement:7". */
static bool is_tag(const char *tag, const char *wanted)
{
	size_t size = strlen(wanted);

	return strncmp(tag, wanted, size) == 0 && (tag[size] == '\0' || tag[size] == ':');
}

/* True for "statement:7" and "statement:8": the same up to the colon. */
static bool same_name(const char *left, const char *right)
{
	size_t size = strcspn(left, ":");

	return strncmp(left, right, size) == 0 && (right[size] == '\0' || right[size] == ':');
}

/* Does the row have numbers of its own, which then replace its scenario's? */
static bool row_says(const struct point *point, const char *tag)
{
	for (guint i = 0; point->tags && i < point->tags->len; i++) {
		if (same_name(tag, point->tags->pdata[i]))
			return true;
	}
	return false;
}

/* Tag 'at' of a point, counting its row's and then its scenario's. NULL: it has no more. */
static const char *tag_at(const struct point *point, guint at)
{
	const GPtrArray *of_scenario = point->scenario->settings.tags;

	if (point->tags && at < point->tags->len)
		return point->tags->pdata[at];
	at -= point->tags ? point->tags->len : 0;
	for (guint i = 0; i < of_scenario->len; i++) {
		if (!row_says(point, of_scenario->pdata[i]) && at-- == 0)
			return of_scenario->pdata[i];
	}
	return NULL;
}

bool point_has_tag(const struct point *point, char **tags)
{
	const char *tag;

	for (guint i = 0; tags && (tag = tag_at(point, i)) != NULL; i++) {
		for (char **wanted = tags; *wanted; wanted++) {
			if (is_tag(tag, *wanted))
				return true;
		}
	}
	return !tags;
}

/* ---- tags with numbers ---- */

/* The lowest number above 'after' in the point's tags "TAG:N"; 0: there is none. */
static guint64 next_number(const struct point *point, const char *tag, guint64 after)
{
	size_t size = strlen(tag);
	guint64 next = 0;
	const char *one;

	for (guint i = 0; (one = tag_at(point, i)); i++) {
		guint64 number;

		if (!is_tag(one, tag) || one[size] != ':')
			continue;
		number = g_ascii_strtoull(one + size + 1, NULL, 10);
		if (number > after && (next == 0 || number < next))
			next = number;
	}
	return next;
}

/* The same over all points. */
static guint64 next_number_of_all(const GPtrArray *points, const char *tag, guint64 after)
{
	guint64 next = 0;

	for (guint i = 0; i < points->len; i++) {
		guint64 number = next_number(points->pdata[i], tag, after);

		if (number != 0 && (next == 0 || number < next))
			next = number;
	}
	return next;
}

static void print_point(const struct point *point)
{
	printf("%s:%u: %s\n", point->scenario->place.source->name, point->line,
	       strstr(point->name, ": ") + 2);
}

/*
 * Prints what covers each number of a tag: "statement 7", from 1 to the highest one used. Numbers
 * that no point has are listed as missing.
 */
static void list_numbers(const GPtrArray *points, const char *tag)
{
	guint64 number = 0, next;

	while ((next = next_number_of_all(points, tag, number)) != 0) {
		while (++number < next)
			printf("%s %3" G_GUINT64_FORMAT "  missing\n", tag, number);
		for (guint i = 0; i < points->len; i++) {
			if (next_number(points->pdata[i], tag, number - 1) != number)
				continue;
			printf("%s %3" G_GUINT64_FORMAT "  ", tag, number);
			print_point(points->pdata[i]);
		}
	}
}

/* All points with one of the tags, in their order: GPtrArray of const struct point *. */
static GPtrArray *chosen_points(const GPtrArray *plans, bool on_sim, char **tags)
{
	GPtrArray *chosen = g_ptr_array_new();

	for (guint i = 0; i < plans->len; i++) {
		const struct plan *plan = plans->pdata[i];

		for (guint j = 0; j < plan->scenarios->len; j++) {
			const struct plan_scenario *scenario = plan->scenarios->pdata[j];
			const GPtrArray *points = scenario->points[on_sim];

			for (guint k = 0; k < points->len; k++) {
				if (point_has_tag(points->pdata[k], tags))
					g_ptr_array_add(chosen, points->pdata[k]);
			}
		}
	}
	return chosen;
}

void run_list(const GPtrArray *plans, bool on_sim, char **tags)
{
	g_autoptr(GPtrArray) points = chosen_points(plans, on_sim, tags);
	const char *tag = tags && g_strv_length(tags) == 1 ? tags[0] : NULL;

	if (tag && next_number_of_all(points, tag, 0) != 0) {
		list_numbers(points, tag);
		return;
	}
	for (guint i = 0; i < points->len; i++)
		print_point(points->pdata[i]);
}

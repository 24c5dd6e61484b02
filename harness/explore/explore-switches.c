/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fewer switches: see harness/explore/explore-switches.h.
 *
 * By delta debugging (Zeller and Hildebrandt, 2002): the list is cut into parts; one part alone, or
 * all but one, may fail in the same way; if none does, the parts are halved. A switch is named by
 * the thread that chooses and how many choices it has made, which others change little. What a run
 * has not come by any more is gone from its own list.
 */
#include "config.h"

#include "harness/explore/explore-switches.h"

#include <string.h>

#include "lib/words/schedule-switch.h"
#include "sim/system/private-directory.h"

enum { RUNS_MAX = 1000 };	/* for one failure */

/* ---- files ---- */

/* The lines of a run; NULL: there are none, or too many. */
static char **read_lines(const char *directory)
{
	g_autofree char *path = g_build_filename(directory, EXPLORE_SWITCHES, NULL);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !*text)
		return NULL;
	text[strlen(text) - 1] = '\0';
	return g_strsplit(text, "\n", -1);
}

/* "planted 1000.1 waits for mutex at its choice 17, and planted 1000.3 goes on" */
static char *say_line(const char *line)
{
	g_auto(GStrv) word = g_strsplit(line, "\t", -1);
	struct schedule_switch one;
	const char *at = word[0];

	if (g_strv_length(word) != 4 || schedule_switch_take(&at, &one) < 0)
		return NULL;
	return g_strdup_printf("%s %u.%u %s%s at its choice %" G_GUINT64_FORMAT
			       ", and %s %u.%u goes on", word[1], one.pid, one.thread,
			       strcmp(word[2], "others") == 0 ? "lets others in" : "waits for ",
			       strcmp(word[2], "others") == 0 ? "" : word[2], one.choice, word[3],
			       one.next_pid, one.next_thread);
}

GPtrArray *explore_switches_read(const char *directory)
{
	g_auto(GStrv) lines = read_lines(directory);
	GPtrArray *said = g_ptr_array_new_with_free_func(g_free);

	for (char **line = lines; line && *line; line++) {
		char *text = say_line(*line);

		if (text)
			g_ptr_array_add(said, text);
	}
	return said;
}

/* ---- points ---- */

/* Of the lines from 'first' on, and before 'end'; or of all but those. To be freed. */
static char *join(char **lines, unsigned int first, unsigned int end, bool others)
{
	GString *text = g_string_new(NULL);

	for (unsigned int i = 0; lines[i]; i++) {
		if ((i >= first && i < end) == others)
			continue;
		g_string_append_printf(text, "%s%.*s", text->len ? "+" : "",
				       (int)strcspn(lines[i], "\t"), lines[i]);
	}
	return g_string_free(text, text->len == 0);
}

static void add(struct explore_search *search, char *switches)
{
	struct explore_point point = { .seed = 0 };

	explore_point_copy(&point, &search->shrunk->point);
	point.schedule = schedule_walk(0);
	g_free(point.switches);
	point.switches = switches;
	explore_search_add(search, &point);
}

/* Each of so many parts alone, and then all but each. Returns how many of them are alone. */
static unsigned int add_parts(struct explore_search *search, char **lines, unsigned int parts)
{
	unsigned int count = g_strv_length(lines), alone = parts > 1 ? parts : 0;

	for (unsigned int i = 0; i < alone; i++)
		add(search, join(lines, i * count / parts, (i + 1) * count / parts, false));
	/* Of two parts, each is all but the other. */
	for (unsigned int i = 0; parts != 2 && i < parts; i++)
		add(search, join(lines, i * count / parts, (i + 1) * count / parts, true));
	return alone;
}

/* As few as can be found, from those of the search's directory on. */
static void minimize(struct explore_search *search)
{
	char **lines = read_lines(search->directory);
	unsigned int begin = search->shrunk->runs, parts = 2;

	while (lines && search->shrunk->runs - begin < RUNS_MAX && search->err == 0) {
		unsigned int count = g_strv_length(lines), alone;

		parts = MIN(parts, count);
		alone = add_parts(search, lines, parts);
		if (explore_search_step(search)) {
			parts = search->found_at < alone ? 2 : MAX(parts - 1, 2);
			g_strfreev(lines);
			lines = read_lines(search->directory);
		} else if (parts == count) {
			break;
		} else {
			parts *= 2;
		}
	}
	g_strfreev(lines);
}

/* ---- the whole ---- */

static unsigned int count_in(const char *directory)
{
	g_auto(GStrv) lines = read_lines(directory);

	return lines ? g_strv_length(lines) : 0;
}

/* What nobody would read is no better than the number that it has come from. */
static void go_back(struct explore_search *search, const struct explore_shrunk *before)
{
	explore_point_copy(&search->shrunk->point, &before->point);
	search->shrunk->is_less = before->is_less;
	if (!before->is_less)
		remove_tree(search->directory);
}

void explore_switches_shrink(struct explore_search *search, const char *directory)
{
	struct explore_shrunk before = { .is_less = search->shrunk->is_less };
	g_auto(GStrv) lines = read_lines(directory);

	if (!lines)
		return;
	explore_point_copy(&before.point, &search->shrunk->point);
	add(search, join(lines, 0, 0, true));
	if (explore_search_step(search))
		minimize(search);
	if (search->shrunk->point.switches && count_in(search->directory) > EXPLORE_SWITCHES_MAX)
		go_back(search, &before);
	explore_point_clear(&before.point);
}

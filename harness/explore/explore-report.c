/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is said: see harness/explore/explore-report.h.
 */
#include "config.h"

#include "harness/explore/explore-report.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/status-line.h"
#include "harness/exec/exec.h"
#include "harness/explore/explore-environment.h"
#include "harness/explore/explore-lies.h"
#include "harness/explore/explore-switches.h"
#include "harness/explore/explore-symbol.h"
#include "harness/explore/explore-words.h"
#include "kmod-stub/event.h"
#include "lib/base/monotonic.h"

enum {
	LIES_SHOWN = 4,
	SWITCHES_SHOWN = 8,
};

void explore_report_begin(struct explore_report *report, const struct explore_test *test,
			  const struct explore_corpus *corpus)
{
	*report = (struct explore_report){
		.test = test, .corpus = corpus,
		.orders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.contents = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.kinds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.ways = g_array_new(false, false, sizeof(struct explore_way)),
		.line = status_line_new(), .began_ns = monotonic_ns(),
	};
	g_array_set_clear_func(report->ways, explore_way_clear);
}

void explore_report_end(struct explore_report *report)
{
	g_hash_table_destroy(report->orders);
	g_hash_table_destroy(report->contents);
	g_hash_table_destroy(report->kinds);
	g_array_free(report->ways, true);
	status_line_free(report->line);
}

/* "37 of 1000 runs, 2 failed in 1 way, 431 traits, the last new one in run 30, 12.3 runs/s" */
static void draw_line(const struct explore_report *report, unsigned int runs)
{
	int64_t took_ns = monotonic_ns() - report->began_ns;
	unsigned int traits = g_hash_table_size(report->corpus->traits);
	g_autoptr(GString) text = g_string_new(NULL);

	if (runs > 0)
		g_string_append_printf(text, "%u of %u runs", report->runs, runs);
	else
		g_string_append_printf(text, "%u runs", report->runs);
	if (report->failures > 0)
		g_string_append_printf(text, ", %u failed in %u way%s", report->failures,
				       report->ways->len, report->ways->len == 1 ? "" : "s");
	if (report->corpus->last > 0)
		g_string_append_printf(text, ", %u traits, the last new one in run %u", traits,
				       report->corpus->last);
	if (took_ns > 0)
		g_string_append_printf(text, ", %.1f runs/s",
				       report->runs * (double)NS_PER_S / (double)took_ns);
	status_line_draw(report->line, text->str);
}

void explore_report_shrinks(struct explore_report *report, unsigned int at)
{
	g_autofree char *text = g_strdup_printf("run %u failed; looking for less that fails in "
						"the same way", at + 1);

	status_line_draw(report->line, text);
}

/* No order of the hash table matters here: each name is counted by itself. */
static void count_kinds(GHashTable *kinds, GHashTable *seen)
{
	GHashTableIter iter;
	gpointer name;

	g_hash_table_iter_init(&iter, seen);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		g_hash_table_insert(kinds, g_strdup(name), GUINT_TO_POINTER(
			GPOINTER_TO_UINT(g_hash_table_lookup(kinds, name)) + 1));
}

bool explore_report_take(struct explore_report *report, const struct explore_result *result)
{
	bool is_fresh;

	report->runs++;
	report->failures += result->verdict.kind != EXPLORE_PASSED;
	report->mads += result->orders.mads;
	report->met |= result->met;
	if (!result->orders.order)
		return false;
	count_kinds(report->kinds, result->orders.kinds);
	g_hash_table_add(report->orders, g_strdup(result->orders.order));
	is_fresh = g_hash_table_add(report->contents, g_strdup(result->orders.contents));
	return is_fresh;
}

void explore_report_goes_on(const struct explore_report *report, unsigned int runs)
{
	if (status_line_is_due(report->line))
		draw_line(report, runs);
}

/* ---- the command ---- */

/* The command that repeats a run, on one line, for a shell; to be freed. */
static char *repeating_command(const struct explore_test *test, const struct explore_point *point)
{
	g_auto(GStrv) words = explore_words_of_run(test, point);

	return explore_words_line(words);
}

/* ---- what is printed ---- */

static void keep_command(const char *directory, const char *command)
{
	g_autofree char *path = g_build_filename(directory, "command", NULL);
	g_autofree char *line = g_strconcat(command, "\n", NULL);

	g_file_set_contents(path, line, -1, NULL);
}

/* What is in an environment is for nobody else. */
static void keep_script(const char *path, const char *command)
{
	g_auto(GStrv) environment = exec_preloaded_environment();
	g_autofree char *here = g_get_current_dir();
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *text = explore_environment_script(environment, here, program, command);

	g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0700, NULL);
}

char *explore_report_point(const struct explore_test *test, const struct explore_point *point)
{
	GString *text = g_string_new(NULL);
	char schedule[SCHEDULE_TEXT_SIZE];

	g_string_append_printf(text, "seed=%" G_GUINT64_FORMAT, point->seed);
	if (!test->plan.is_real)
		g_string_append_printf(text, " schedule=%s",
				       schedule_text(&point->schedule, schedule));
	if (point->switches)
		g_string_append_printf(text, " switches=%s", point->switches);
	for (char **fault = point->faults; *fault; fault++)
		g_string_append_printf(text, " fault=%s", *fault);
	if (test->plan.each && point->instant != EXPLORE_NEVER)
		g_string_append_printf(text, ", after %" G_GUINT64_FORMAT " packets: %s",
				       point->instant, test->plan.each);
	return g_string_free(text, false);
}

static void print_point(const struct explore_test *test, const struct explore_point *point)
{
	g_autofree char *text = explore_report_point(test, point);

	fputs(text, stdout);
}

bool explore_report_is_known(struct explore_report *report, const struct explore_result *failure)
{
	struct explore_way way = { .first = failure->at + 1, .count = 1 };

	for (guint i = 0; i < report->ways->len; i++) {
		struct explore_way *known = &g_array_index(report->ways, struct explore_way, i);

		if (!explore_verdict_is_alike(&known->verdict, &failure->verdict))
			continue;
		known->count++;
		status_line_clear(report->line);
		printf("run %u: %s, as run %u\n  with:    ", failure->at + 1,
		       failure->verdict.text, known->first);
		print_point(report->test, &failure->point);
		printf("\n");
		return true;
	}
	way.verdict = failure->verdict;
	way.verdict.text = g_strdup(failure->verdict.text);
	way.verdict.signature = g_strdup(failure->verdict.signature);
	explore_point_copy(&way.point, &failure->point);
	g_array_append_val(report->ways, way);
	return false;
}

/* What nodes have said in the run that is kept there. */
static void print_lies(const char *directory)
{
	g_autofree char *path = g_build_filename(directory, "capture.pcapng", NULL);
	unsigned int count;
	g_autoptr(GPtrArray) lies = explore_lies_read(path, LIES_SHOWN, &count);

	for (guint i = 0; i < lies->len; i++)
		printf("%s%s\n", i == 0 ? "  lies:    " : "           ",
		       (const char *)lies->pdata[i]);
	if (count > lies->len)
		printf("           and %u more\n", count - lies->len);
}

/* How the schedule of the run that is kept there differs from one in order. */
static void print_switches(const struct explore_point *least, const char *directory)
{
	g_autoptr(GPtrArray) said = explore_switches_read(directory);
	guint shown = MIN(said->len, SWITCHES_SHOWN);

	for (guint i = 0; least->switches && i < shown; i++)
		printf("%s%s\n", i == 0 ? "  switch:  " : "           ",
		       (const char *)said->pdata[i]);
	if (least->switches && said->len > shown)
		printf("           and %u more\n", said->len - shown);
}

static void print_where(const char *signature)
{
	if (!signature)
		return;
	printf("  where:   %s\n", signature);
	if (explore_symbol_needs_gdb())
		printf("           gdb, which is not installed, may know more functions\n");
}

/* The way in which it failed, which is the last one, keeps what is said of it. */
static void keep_in_way(struct explore_report *report, const struct explore_shrunk *shrunk,
			const char *directory, const char *command)
{
	struct explore_way *way = &g_array_index(report->ways, struct explore_way,
						 report->ways->len - 1);

	if (shrunk && shrunk->is_less)
		explore_point_copy(&way->least, &shrunk->point);
	way->directory = g_strdup(directory);
	way->command = g_strdup(command);
}

void explore_report_failure(struct explore_report *report, const struct explore_result *failure,
			    const char *directory, const struct explore_shrunk *shrunk,
			    const char *small)
{
	const struct explore_test *test = report->test;
	bool is_less = shrunk && shrunk->is_less;
	const struct explore_point *least = is_less ? &shrunk->point : &failure->point;
	g_autofree char *command = repeating_command(test, least);
	g_autofree char *script = g_build_filename(is_less ? small : directory, EXPLORE_REPEAT,
						   NULL);

	status_line_clear(report->line);
	printf("run %u: %s\n  with:    ", failure->at + 1, failure->verdict.text);
	print_point(test, &failure->point);
	printf("\n");
	print_where(failure->verdict.signature);
	if (is_less) {
		printf("  shrunk to: ");
		print_point(test, &shrunk->point);
		printf("\n");
	}
	if (shrunk)
		printf("  shrinking took %u run%s\n", shrunk->runs,
		       shrunk->runs == 1 ? "" : "s");
	print_switches(least, is_less ? small : directory);
	print_lies(is_less ? small : directory);
	printf("  kept in: %s\n", is_less ? small : directory);
	printf("  repeat:  %s\n", command);
	printf("  script:  %s\n", script);
	fflush(stdout);
	keep_command(is_less ? small : directory, command);
	keep_script(script, command);
	keep_in_way(report, shrunk, is_less ? small : directory, command);
}

void explore_report_ways(const struct explore_report *report)
{
	for (guint i = 0; i < report->ways->len; i++) {
		const struct explore_way *way = &g_array_index(report->ways, struct explore_way, i);

		printf("run %u: %s\n  with:    ", way->first, way->verdict.text);
		print_point(report->test, &way->point);
		printf("\n");
		print_where(way->verdict.signature);
		if (way->least.faults) {
			printf("  shrunk to: ");
			print_point(report->test, &way->least);
			printf("\n");
		}
		if (way->directory)
			printf("  kept in: %s\n", way->directory);
		if (way->command)
			printf("  repeat:  %s\n", way->command);
	}
}

const char *explore_report_unseen(const struct explore_report *report, unsigned int *at)
{
	return report->is_whole ? session_lines_unmet(report->test->asked, report->met, at) : NULL;
}

/* What a run has to come by now and then, or too little is explored. */
static bool has_seen_all(const struct explore_report *report)
{
	const char *condition;
	unsigned int at = 0;
	bool is_all = true;

	while ((condition = explore_report_unseen(report, &at))) {
		printf("in none of %u run%s: sometimes %s\n", report->runs,
		       report->runs == 1 ? "" : "s", condition);
		is_all = false;
	}
	return is_all;
}

/* How much of each kind runs have shown. */
static void print_traits(const struct explore_corpus *corpus)
{
	static const char *const kinds[] = { "mad ", "line ", "edge " };
	unsigned int counts[G_N_ELEMENTS(kinds)] = { 0 };
	GHashTableIter iter;
	gpointer text;

	g_hash_table_iter_init(&iter, corpus->traits);
	while (g_hash_table_iter_next(&iter, &text, NULL)) {
		for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
			counts[i] += g_str_has_prefix(text, kinds[i]);
	}
	printf("seen: %u pairs of MADs, %u lines, %u edges; %u run%s had something new, the last "
	       "is run %u\n", counts[0], counts[1], counts[2], corpus->entries->len,
	       corpus->entries->len == 1 ? "" : "s", corpus->last);
}

bool explore_report_summary(struct explore_report *report, bool is_whole)
{
	unsigned int orders = g_hash_table_size(report->orders);
	unsigned int captures = g_hash_table_size(report->contents);
	bool is_all;

	status_line_clear(report->line);
	for (guint i = 0; report->failures > 1 && i < report->ways->len; i++) {
		const struct explore_way *way = &g_array_index(report->ways, struct explore_way, i);

		printf("%u failed: %s", way->count, way->verdict.text);
		if (way->verdict.signature)
			printf(", %s", way->verdict.signature);
		printf("; the first is run %u\n", way->first);
	}
	if (report->corpus->picks > 0)
		print_traits(report->corpus);
	report->is_whole = is_whole;
	is_all = has_seen_all(report);
	printf("%u run%s, %u failed; %u order%s of MADs, %u different capture%s, "
	       "%" G_GUINT64_FORMAT " MADs in all\n", report->runs, report->runs == 1 ? "" : "s",
	       report->failures, orders, orders == 1 ? "" : "s", captures,
	       captures == 1 ? "" : "s", report->mads);
	return is_all;
}

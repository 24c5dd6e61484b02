/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-json.h. */
#include "config.h"

#include "harness/explore/explore-json.h"

#include "harness/base/whole-file.h"
#include "sim/topology/json-string.h"

static void add_string(struct json_writer *out, const char *name, const char *string)
{
	if (string)
		json_string(json_name(out, name), string);
}

static void add_strings(struct json_writer *out, const char *name, char **strings)
{
	json_open(json_name(out, name), '[');
	for (; *strings; strings++)
		json_string(out, *strings);
	json_close(out, ']');
}

static void add_point(struct json_writer *out, const struct explore_test *test,
		      const struct explore_point *point)
{
	char schedule[SCHEDULE_TEXT_SIZE];

	json_digits(json_name(out, "seed"), point->seed);
	if (!test->plan.is_real)
		add_string(out, "schedule", schedule_text(&point->schedule, schedule));
	add_string(out, "switches", point->switches);
	add_strings(out, "faults", point->faults);
}

static void add_kept(struct json_writer *out, const char *directory)
{
	g_autofree char *capture = g_build_filename(directory, EXPLORE_CAPTURE, NULL);
	g_autofree char *script = g_build_filename(directory, EXPLORE_REPEAT, NULL);

	add_string(out, "directory", directory);
	if (g_file_test(capture, G_FILE_TEST_EXISTS))
		add_string(out, "capture", capture);
	if (g_file_test(script, G_FILE_TEST_EXISTS))
		add_string(out, "script", script);
}

static void add_way(struct json_writer *out, const struct explore_test *test,
		    const struct explore_way *way)
{
	json_open(out, '{');
	add_string(out, "kind", explore_kind_name(way->verdict.kind));
	add_string(out, "message", way->verdict.text);
	add_string(out, "signature", way->verdict.signature);
	json_unsigned(json_name(out, "count"), way->count);
	json_unsigned(json_name(out, "first_run"), way->first);
	add_point(out, test, &way->point);
	if (way->least.faults) {
		json_open(json_name(out, "shrunk"), '{');
		add_point(out, test, &way->least);
		json_close(out, '}');
	}
	if (way->directory)
		add_kept(out, way->directory);
	add_string(out, "repeat", way->command);
	json_close(out, '}');
}

static void add_unseen(struct json_writer *out, const struct explore_report *report)
{
	const char *condition;
	unsigned int at = 0;

	json_open(json_name(out, "never_seen"), '[');
	while ((condition = explore_report_unseen(report, &at)))
		json_string(out, condition);
	json_close(out, ']');
}

static void add_totals(struct json_writer *out, const struct explore_report *report)
{
	json_open(json_name(out, "totals"), '{');
	json_unsigned(json_name(out, "runs"), report->runs);
	json_unsigned(json_name(out, "failed"), report->failures);
	json_unsigned(json_name(out, "orders"), g_hash_table_size(report->orders));
	json_unsigned(json_name(out, "captures"), g_hash_table_size(report->contents));
	json_unsigned(json_name(out, "mads"), report->mads);
	json_unsigned(json_name(out, "traits"), g_hash_table_size(report->corpus->traits));
	json_unsigned(json_name(out, "last_new"), report->corpus->last);
	json_close(out, '}');
}

bool explore_json_write(const struct explore_report *report, const char *path, const char *cut_off,
			int status, GError **error)
{
	const struct explore_test *test = report->test;
	g_autoptr(GString) text = g_string_new(NULL);
	struct json_writer out;

	json_writer_to_string(&out, JSON_ASCII, text);
	json_open(&out, '{');
	add_string(&out, "version", PACKAGE_VERSION);
	add_strings(&out, "command", test->argv);
	add_string(&out, "fabric", test->plan.file);
	add_strings(&out, "faults", test->plan.first.faults);
	json_open(json_name(&out, "failures"), '[');
	for (guint i = 0; i < report->ways->len; i++)
		add_way(&out, test, &g_array_index(report->ways, struct explore_way, i));
	json_close(&out, ']');
	if (test->asked->sometimes)
		add_unseen(&out, report);
	add_totals(&out, report);
	add_string(&out, "cut_off", cut_off);
	json_number(json_name(&out, "status"), status);
	json_close(&out, '}');
	json_end_line(&out);
	json_finish(&out);
	return whole_file_write(path, text->str, text->len, 0666, error);
}

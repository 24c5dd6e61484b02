/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-junit.h. */
#include "config.h"

#include "harness/explore/explore-junit.h"

#include "harness/base/whole-file.h"
#include "harness/base/xml.h"
#include "lib/base/monotonic.h"

#define SUITE "umadrig explore"

/* The times of the cases are 0: what takes long is all runs together. */
static void begin_case(GString *out, const char *name)
{
	g_string_append(out, "    <testcase classname=\"" SUITE "\"");
	xml_append_attribute(out, "name", name);
	xml_append_time(out, 0);
}

static void end_case(GString *out, const char *element, const char *message, const char *type,
		     const char *text)
{
	g_string_append_printf(out, "><%s", element);
	xml_append_attribute(out, "message", message);
	xml_append_attribute(out, "type", type);
	g_string_append_c(out, '>');
	xml_append_text(out, text, false);
	g_string_append_printf(out, "</%s></testcase>\n", element);
}

/* The name stays the same from one night to the next, as far as the failure does. */
static void append_way(GString *out, const struct explore_report *report,
		       const struct explore_way *way)
{
	const struct explore_verdict *verdict = &way->verdict;
	g_autofree char *with = explore_report_point(report->test, &way->point);
	g_autofree char *name = g_strjoin(", ", verdict->text, verdict->signature, NULL);
	g_autofree char *message = g_strdup_printf("%u of %u runs: %s", way->count, report->runs,
						   name);
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "the first is run %u\nwith: %s\n", way->first, with);
	if (way->least.faults) {
		g_autofree char *least = explore_report_point(report->test, &way->least);

		g_string_append_printf(text, "shrunk to: %s\n", least);
	}
	if (way->directory)
		g_string_append_printf(text, "kept in: %s\nrepeat: %s\n", way->directory,
				       way->command);
	begin_case(out, name);
	end_case(out, "failure", message, explore_kind_name(verdict->kind), text->str);
}

/* How many there are of what was to be seen sometimes and was not; each is a case in 'out'. */
static unsigned int append_unseen(GString *out, const struct explore_report *report)
{
	unsigned int at = 0, count = 0;
	const char *condition;

	for (; (condition = explore_report_unseen(report, &at)); count++) {
		g_autofree char *name = g_strconcat("sometimes ", condition, NULL);

		begin_case(out, name);
		end_case(out, "failure", "it was in no run", "property", "");
	}
	return count;
}

static void append_counts(GString *out, const struct explore_report *report, unsigned int tests,
			  unsigned int failures, bool is_cut_off)
{
	xml_append_number(out, "tests", tests);
	xml_append_number(out, "failures", failures);
	xml_append_number(out, "errors", is_cut_off);
	xml_append_number(out, "skipped", 0);
	xml_append_time(out, (monotonic_ns() - report->began_ns) / 1000);
}

static void append_cases(GString *out, const struct explore_report *report, const char *cut_off)
{
	for (guint i = 0; i < report->ways->len; i++)
		append_way(out, report, &g_array_index(report->ways, struct explore_way, i));
	if (cut_off) {
		begin_case(out, "all runs are done");
		end_case(out, "error", cut_off, "cut off", "");
	} else if (report->ways->len == 0) {
		begin_case(out, "no run fails");
		g_string_append(out, "/>\n");
	}
}

bool explore_junit_write(const struct explore_report *report, const char *path,
			 const char *cut_off, GError **error)
{
	g_autoptr(GString) out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	g_autofree char *command = g_strjoinv(" ", report->test->argv);
	g_autoptr(GString) unseen = g_string_new(NULL);
	unsigned int failures = report->ways->len + append_unseen(unseen, report);
	unsigned int tests = report->ways->len == 0 || cut_off ? failures + 1 : failures;

	g_string_append(out, "<testsuites name=\"" SUITE "\"");
	append_counts(out, report, tests, failures, cut_off);
	g_string_append(out, ">\n  <testsuite name=\"" SUITE "\"");
	append_counts(out, report, tests, failures, cut_off);
	g_string_append(out, ">\n    <properties><property name=\"command\"");
	xml_append_attribute(out, "value", command);
	g_string_append(out, "/></properties>\n");
	append_cases(out, report, cut_off);
	g_string_append(out, unseen->str);
	g_string_append(out, "  </testsuite>\n</testsuites>\n");
	return whole_file_write(path, out->str, out->len, 0666, error);
}

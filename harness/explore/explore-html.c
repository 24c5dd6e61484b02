/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-html.h. */
#include "config.h"

#include "harness/explore/explore-html.h"

#include <string.h>

#include "harness/base/whole-file.h"
#include "harness/base/xml.h"
#include "harness/explore/explore-lies.h"
#include "harness/explore/explore-signature.h"
#include "harness/explore/explore-switches.h"
#include "harness/report/html-page.h"
#include "sim/capture/stream.h"

enum {
	LADDER_FRAMES = 60,	/* the last ones of a capture */
	OUTPUT_LINES = 30,	/* likewise of what the program has printed */
	LIES_SHOWN = 20,
};

static void append_lines(GString *out, const char *heading, const GPtrArray *lines)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(text, "%s%s", i ? "\n" : "", (const char *)lines->pdata[i]);
	html_block(out, heading, text->str);
}

/* ---- a failure ---- */

/* The number of the last frame with a MAD; 0: there is none. */
static unsigned int last_frame(const char *path)
{
	char message[512];
	struct capture_stream *stream = capture_stream_open(path, 0, message, sizeof(message));
	struct capture_item item;
	unsigned int last = 0;

	while (stream && capture_stream_next(stream, &item)) {
		if (item.kind == CAPTURE_ITEM_MAD)
			last = item.mad->frame;
	}
	if (stream)
		capture_stream_close(stream);
	return last;
}

static void append_ladder(GString *out, const char *directory)
{
	g_autofree char *path = g_build_filename(directory, EXPLORE_CAPTURE, NULL);
	unsigned int last = last_frame(path);
	unsigned int first = last > LADDER_FRAMES ? last - LADDER_FRAMES + 1 : 1;

	if (last == 0)
		return;
	html_element(out, "h3", last > LADDER_FRAMES ? "The last MADs" : "MADs");
	html_ladder(out, path, first, last);
}

static void append_output(GString *out, const char *directory)
{
	g_autofree char *path = g_build_filename(directory, EXPLORE_OUTPUT, NULL);
	g_autofree char *text = NULL;
	const char *at;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	at = text + strlen(text);
	for (unsigned int lines = 0; at > text; at--)
		if (at[-1] == '\n' && lines++ == OUTPUT_LINES)
			break;
	html_block(out, *text && at > text ? "The end of its output" : "Its output", at);
}

static void append_backtrace(GString *out, const char *directory)
{
	g_autofree char *path = g_build_filename(directory, EXPLORE_BACKTRACE, NULL);
	g_autofree char *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL))
		html_block(out, "Where it was", text);
}

/* What is kept of it. */
static void append_kept(GString *out, const struct explore_way *way)
{
	g_autofree char *capture = g_build_filename(way->directory, EXPLORE_CAPTURE, NULL);
	g_autoptr(GPtrArray) switches = explore_switches_read(way->directory);
	unsigned int count;
	g_autoptr(GPtrArray) lies = explore_lies_read(capture, LIES_SHOWN, &count);

	if (way->least.switches)
		append_lines(out, "Switches between threads", switches);
	append_lines(out, "Lies", lies);
	html_block(out, "To repeat it", way->command);
	html_block(out, "Kept in", way->directory);
	append_backtrace(out, way->directory);
	append_output(out, way->directory);
	append_ladder(out, way->directory);
}

static void append_way(GString *out, const struct explore_test *test,
		       const struct explore_way *way, unsigned int number)
{
	g_autofree char *with = explore_report_point(test, &way->point);
	g_autofree char *title = g_strdup_printf("%u. %s", number, way->verdict.text);

	g_string_append_printf(out, "<section id=\"failure-%u\">\n", number);
	html_element(out, "h2", title);
	html_block(out, "Where", way->verdict.signature);
	html_block(out, "With", with);
	if (way->least.faults) {
		g_autofree char *least = explore_report_point(test, &way->least);

		html_block(out, "Shrunk to", least);
	}
	if (way->directory)
		append_kept(out, way);
	g_string_append(out, "</section>\n");
}

/* ---- the page ---- */

static void append_ways(GString *out, const struct explore_report *report)
{
	if (report->ways->len == 0)
		return;
	g_string_append(out, "<table>\n<thead><tr><th>Failure</th><th>Where</th><th>Runs</th>"
			"<th>First run</th></tr></thead>\n<tbody>\n");
	for (guint i = 0; i < report->ways->len; i++) {
		const struct explore_way *way = &g_array_index(report->ways, struct explore_way, i);

		g_string_append_printf(out, "<tr><td><a href=\"#failure-%u\">", i + 1);
		xml_append_text(out, way->verdict.text, false);
		g_string_append(out, "</a></td>");
		html_cell(out, way->verdict.signature ? way->verdict.signature : "");
		html_number_cell(out, way->count);
		html_number_cell(out, way->first);
		g_string_append(out, "</tr>\n");
	}
	g_string_append(out, "</tbody>\n</table>\n");
}

/* In how many runs each kind of MAD was, by its name. */
static void append_kinds(GString *out, const struct explore_report *report)
{
	g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(report->kinds),
					     (GCompareFunc)strcmp);

	if (!names)
		return;
	html_element(out, "h2", "What was seen");
	g_string_append(out, "<table>\n<thead><tr><th>MAD</th><th>Runs</th></tr></thead>\n"
			"<tbody>\n");
	for (const GList *at = names; at; at = at->next) {
		g_string_append(out, "<tr>");
		html_cell(out, at->data);
		html_number_cell(out, GPOINTER_TO_UINT(
			g_hash_table_lookup(report->kinds, at->data)));
		g_string_append(out, "</tr>\n");
	}
	g_string_append(out, "</tbody>\n</table>\n");
}

static void append_unseen(GString *out, const struct explore_report *report)
{
	const char *condition;
	unsigned int at = 0;

	while ((condition = explore_report_unseen(report, &at))) {
		g_autofree char *text = g_strdup_printf("In no run: sometimes %s", condition);

		html_element(out, "p", text);
	}
}

static void append_head(GString *out, const struct explore_report *report, const char *cut_off)
{
	const struct explore_test *test = report->test;
	g_autofree char *command = g_strjoinv(" ", test->argv);
	g_autofree char *title = g_strdup_printf("%u of %u runs failed", report->failures,
						 report->runs);

	html_begin(out, title);
	html_element(out, "pre", command);
	html_block(out, "Fabric", test->plan.file);
	if (cut_off) {
		g_string_append(out, "<p class=\"failed\">Not all runs were done: ");
		xml_append_text(out, cut_off, false);
		g_string_append(out, "</p>\n");
	}
}

bool explore_html_write(const struct explore_report *report, const char *path, const char *cut_off,
			GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);

	append_head(out, report, cut_off);
	append_ways(out, report);
	append_unseen(out, report);
	for (guint i = 0; i < report->ways->len; i++)
		append_way(out, report->test,
			   &g_array_index(report->ways, struct explore_way, i), i + 1);
	append_kinds(out, report);
	html_end(out);
	return whole_file_write(path, out->str, out->len, 0666, error);
}

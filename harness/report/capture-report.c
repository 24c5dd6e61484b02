/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is in a capture, as a page: see harness/report/capture-report.h. */
#include "harness/report/capture-report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/command.h"
#include "harness/report/fabric-svg.h"
#include "harness/report/html-page.h"
#include "harness/report/report-table.h"
#include "harness/show/history.h"
#include "harness/show/lines.h"
#include "harness/show/reading.h"
#include "sim/capture/stream.h"
#include "sim/survey/survey.h"

enum {
	MESSAGE_SIZE = 512,
	FOLD_FRAMES = 60,		/* of a piece of the ladder */
	FOLDS_MAX = 20,
	LINES_MAX = 200,		/* of a list */
};

struct report {
	const char *path;
	struct mad_ends *ends;
	struct survey *survey;
	struct report_table table;
	struct capture_counts counts;
	int64_t first_ns, last_ns;	/* since 1970; since the first frame */
	unsigned int last_frame;	/* with a MAD */
};

/* ---- readings ---- */

static bool read_all(struct report *report, bool names, GError **error)
{
	struct conversations *conversations = conversations_new(report_table_take, &report->table);
	char message[MESSAGE_SIZE];
	struct capture_stream *stream = capture_stream_open(report->path, CAPTURE_CHECK_CRCS,
							    message, sizeof(message));
	struct capture_item item;

	if (!stream)
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_FAILED, message);
	while (stream && capture_stream_next(stream, &item)) {
		if (item.kind != CAPTURE_ITEM_MAD)
			continue;
		mad_ends_learn(report->ends, item.mad);
		report->last_frame = item.mad->frame;
		report->last_ns = item.mad->time_ns;
		if (names)
			continue;
		conversations_take(conversations, item.mad);
		survey_take(report->survey, item.mad,
			    capture_stream_interface(stream, item.mad->interface));
	}
	if (stream) {
		conversations_end(conversations);
		report->counts = *capture_stream_counts(stream);
		report->first_ns = capture_stream_first_ns(stream);
		capture_stream_close(stream);
	}
	conversations_free(conversations);
	return stream != NULL;
}

/* What a view prints of it, at most LINES_MAX lines; to be freed. NULL: nothing. */
static char *print_view(const char *path, const struct view_kind *kind, const char *filter_text)
{
	char *message = NULL, *text = NULL, *end;
	struct filter *filter = filter_text ? filter_parse(filter_text, &message) : NULL;
	struct reading reading = { .path = path, .kind = kind, .filter = filter };
	unsigned int lines = 0;
	size_t size;

	reading.stream = open_memstream(&text, &size);
	if (!reading.stream)
		return NULL;
	reading_show(&reading, NULL);
	fclose(reading.stream);
	filter_free(filter);
	g_free(message);
	for (end = text; *end; end++)
		if (*end == '\n' && ++lines == LINES_MAX)
			break;
	if (*end && end[1])
		sprintf(end, "\n");
	return text;
}

/* ---- parts ---- */

static void append_fact(GString *out, const char *name, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static void append_fact(GString *out, const char *name, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_string_append(out, "<tr>");
	html_cell(out, name);
	html_cell(out, text);
	g_string_append(out, "</tr>\n");
}

static void append_summary(GString *out, const struct report *report)
{
	const struct report_table *table = &report->table;
	g_autoptr(GDateTime) begin = g_date_time_new_from_unix_utc(report->first_ns / 1000000000);
	g_autofree char *date = begin ? g_date_time_format(begin, "%Y-%m-%d %H:%M:%S UTC") : NULL;

	html_element(out, "h2", "Summary");
	g_string_append(out, "<table>\n<tbody>\n");
	append_fact(out, "Begins", "%s", date ? date : "at no date");
	append_fact(out, "Lasts", "%.3f s", (double)report->last_ns / 1e9);
	append_fact(out, "Frames", "%" PRIu64 ", of which %" PRIu64 " are MADs",
		    report->counts.frames, report->counts.mads);
	append_fact(out, "Conversations", "%" PRIu64 ", of which %" PRIu64 " have an answer and %"
		    PRIu64 " wait for one", table->all, table->answered, table->unanswered);
	append_fact(out, "Sent again", "%" PRIu64 " requests", table->retries);
	append_fact(out, "Lost", "%" PRIu64 " MADs", table->losses);
	g_string_append(out, "</tbody>\n</table>\n");
}

static void append_ladder(GString *out, const struct report *report)
{
	unsigned int first = 1;

	html_element(out, "h2", "Ladder");
	for (unsigned int fold = 0; fold < FOLDS_MAX && first <= report->last_frame; fold++) {
		unsigned int last = MIN(first + FOLD_FRAMES - 1, report->last_frame);

		g_string_append_printf(out, "<details%s><summary>Frames %u to %u</summary>\n",
				       fold ? "" : " open=\"open\"", first, last);
		html_ladder(out, report->path, first, last);
		g_string_append(out, "</details>\n");
		first = last + 1;
	}
	if (first <= report->last_frame)
		g_string_append_printf(out, "<p>Frames %u to %u are not drawn: umadrig show "
				       "--ladder draws what a filter leaves of them.</p>\n",
				       first, report->last_frame);
}

/* A list below a heading, which says so where it is cut off. */
static void append_list(GString *out, const char *heading, const char *none, char *text)
{
	html_element(out, "h2", heading);
	if (text && *text && *text != '#')
		html_element(out, "pre", text);
	else
		html_element(out, "p", none);
	free(text);
}

static void append_lost(GString *out, const struct report *report)
{
	char *why = print_view(report->path, NULL, NULL);

	append_list(out, "What was lost, and why", "No MAD was dropped on its way.",
		    print_view(report->path, &lines_view, "dropped"));
	html_block(out, "Frames that give no usable MAD", why && *why != '#' ? why : NULL);
	free(why);
}

static void append_fabric(GString *out, struct report *report)
{
	g_autoptr(GPtrArray) gaps = g_ptr_array_new_with_free_func(g_free);
	struct topology *topology = survey_topology(report->survey, report->path, gaps);

	html_element(out, "h2", "Fabric");
	if (!topology) {
		html_element(out, "p", "The capture does not show it.");
		return;
	}
	g_string_append(out, "<div class=\"ladder\" id=\"fabric\">\n");
	if (!fabric_svg(out, topology))
		g_string_append_printf(out, "<p>%u nodes are too many to be drawn.</p>\n",
				       topology->nodes->len);
	g_string_append(out, "</div>\n");
	if (gaps->len)
		g_string_append(out, "<details><summary>What the capture does not say</summary>\n");
	for (guint i = 0; i < gaps->len && i < LINES_MAX; i++)
		html_element(out, "p", gaps->pdata[i]);
	if (gaps->len)
		g_string_append(out, "</details>\n");
	topology_free(topology);
}

bool capture_report(GString *out, const char *path, GError **error)
{
	g_autofree char *name = g_path_get_basename(path);
	struct report report = {
		.path = path, .ends = mad_ends_new(), .survey = survey_new(),
		.table = { .rows = g_string_new(NULL) },
	};
	bool ok;

	report.table.ends = report.ends;
	ok = read_all(&report, true, error);
	mad_ends_rewind(report.ends);
	ok = ok && read_all(&report, false, error);
	if (ok) {
		html_begin(out, name);
		append_summary(out, &report);
		append_fabric(out, &report);
		append_ladder(out, &report);
		append_list(out, "What has changed", "Nothing.",
			    print_view(path, &history_view, NULL));
		append_lost(out, &report);
		report_table_append(out, &report.table);
		html_end(out);
	}
	g_string_free(report.table.rows, true);
	mad_ends_free(report.ends);
	survey_free(report.survey);
	return ok;
}

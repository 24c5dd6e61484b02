/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The fabric that a capture shows. See harness/cmd/topology-capture.h. */
#include "config.h"

#include "harness/cmd/topology-capture.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "sim/capture/stream.h"
#include "sim/survey/survey.h"

#define COMMENT_COLUMNS 96

static void print_warnings(struct capture_stream *stream)
{
	const char *warning;

	while ((warning = capture_stream_warning(stream)))
		fprintf(stderr, "%s\n", warning);
}

static struct survey *survey_capture(const char *name, const char *path)
{
	char message[512];
	struct capture_stream *stream = capture_stream_open(path, CAPTURE_CHECK_CRCS, message,
							    sizeof(message));
	struct capture_item item;
	struct survey *survey;

	if (!stream) {
		command_error(name, COMMAND_USAGE, "%s", message);
		return NULL;
	}
	survey = survey_new();
	while (capture_stream_next(stream, &item))
		if (item.kind == CAPTURE_ITEM_MAD)
			survey_take(survey, item.mad,
				    capture_stream_interface(stream, item.mad->interface));
	print_warnings(stream);
	capture_stream_close(stream);
	return survey;
}

static void say_none(const char *name, const char *path, const struct survey *survey)
{
	command_error(name, COMMAND_USAGE, "%s: no fabric in it: none of its %" G_GUINT64_FORMAT
		      " MADs is an answer with a NodeInfo or NodeRecord; capture while "
		      "ibnetdiscover or an SM runs", path, survey_get_counts(survey)->mads);
}

struct topology *topology_from_capture(const char *name, const char *path, GPtrArray **ret_gaps,
				       char **ret_used)
{
	struct survey *survey = survey_capture(name, path);
	const struct survey_counts *counts;
	struct topology *topology;

	if (!survey)
		return NULL;
	counts = survey_get_counts(survey);
	*ret_gaps = g_ptr_array_new_with_free_func(g_free);
	topology = survey_topology(survey, path, *ret_gaps);
	*ret_used = g_strdup_printf("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " MADs",
				    counts->used, counts->mads);
	if (!topology) {
		say_none(name, path, survey);
		g_clear_pointer(ret_gaps, g_ptr_array_unref);
		g_clear_pointer(ret_used, g_free);
	}
	survey_free(survey);
	return topology;
}

struct fabric_facts *facts_from_capture(const char *name, const char *path)
{
	g_autoptr(GPtrArray) gaps = g_ptr_array_new_with_free_func(g_free);
	struct survey *survey = survey_capture(name, path);
	struct fabric_facts *facts = survey ? survey_take_facts(survey, path, gaps) : NULL;

	if (survey && !facts)
		say_none(name, path, survey);
	survey_free(survey);
	return facts;
}

/* A line each, broken where it is too long for readers that cut lines. */
static void append_comment(const char *text, GString *out)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	size_t column = 0;

	for (char **word = words; *word; word++) {
		if (!column || column + 1 + strlen(*word) > COMMENT_COLUMNS) {
			g_string_append(out, column ? "\n#   " : "# ");
			column = column ? 4 : 2;
		} else {
			g_string_append_c(out, ' ');
			column++;
		}
		g_string_append(out, *word);
		column += strlen(*word);
	}
	g_string_append_c(out, '\n');
}

void topology_append_gaps(const GPtrArray *gaps, GString *out)
{
	if (gaps->len)
		g_string_append(out, "\n# Not in the capture:\n#\n");
	for (guint i = 0; i < gaps->len; i++)
		append_comment(gaps->pdata[i], out);
}

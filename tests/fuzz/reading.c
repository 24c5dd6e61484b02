/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: a capture of any bytes is shown in every form that `umadrig show` has, or refused
 * with a message; and what is shown is of that form: SVG is XML, JSON lines are objects, a ladder
 * keeps to its width, text has no control characters. What a filter leaves of it, as a capture of
 * its own, are MADs alone.
 */
#include "config.h"

#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/show/columns.h"
#include "harness/show/conversations.h"
#include "harness/show/history.h"
#include "harness/show/json-lines.h"
#include "harness/show/ladder.h"
#include "harness/show/lines.h"
#include "harness/show/mermaid.h"
#include "harness/show/perfetto.h"
#include "harness/show/reading.h"
#include "harness/show/show-excerpt.h"
#include "harness/show/svg.h"
#include "sim/capture/stream.h"
#include "tests/fuzz/form-check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLUMNS = 60, FIELDS = 11 };

/* ---- what is true of a form ---- */

static void check_width(const char *text, size_t size)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	form_check_text(text, size);
	for (char **line = lines; *line; line++)
		if (**line != '#' && strlen(*line) > COLUMNS)
			g_error("wider than %d columns:\n%s", COLUMNS, text);
}

static void check_fields(const char *text, size_t size)
{
	unsigned int tabs = 0;

	form_check_text(text, size);
	for (size_t i = 0; i < size; i++) {
		tabs += text[i] == '\t';
		g_assert(text[i] != '\n' || tabs % (FIELDS - 1) == 0);
	}
}

static void check_diagram(const char *text, size_t size)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	form_check_text(text, size);
	g_assert(g_str_has_prefix(text, "sequenceDiagram\n"));
	for (char **line = lines + 1; *line; line++)
		g_assert(!**line || g_str_has_prefix(*line, "    p") ||
			 g_str_has_prefix(*line, "    Note over p0: ") ||
			 g_str_has_prefix(*line, "    %% "));
}

static uint64_t varint(const uint8_t **at, const uint8_t *end)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	do {
		g_assert(*at < end && shift < 64);
		value |= (uint64_t)(**at & 0x7f) << shift;
		shift += 7;
	} while (*(*at)++ & 0x80);
	return value;
}

/* Packets, one after the other: field 1, of a length. */
static void check_trace(const char *text, size_t size)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + size;

	while (at < end) {
		uint64_t length;

		g_assert(*at++ == (1 << 3 | 2));
		length = varint(&at, end);
		g_assert(length <= (size_t)(end - at));
		at += length;
	}
}

/* ---- every form ---- */

static const struct form {
	const struct view_kind *kind;
	void (*check)(const char *text, size_t size);
	const char *ports;
	size_t columns;
	bool verbose, segments;
	enum show_time time;
	enum show_by by;
} forms[] = {
	{ &lines_view, form_check_text, .verbose = false },
	{ &lines_view, form_check_text, .verbose = true },
	{ &lines_view, form_check_text, .verbose = true, .segments = true },
	{ &lines_view, form_check_text, .time = SHOW_ABSOLUTE },
	{ &lines_view, form_check_text, .time = SHOW_EPOCH },
	{ &lines_view, form_check_text, .time = SHOW_DELTA },
	{ &json_view, form_check_json, .verbose = false },
	{ &json_view, form_check_json, .segments = true, .time = SHOW_EPOCH },
	{ &columns_view, check_fields, .verbose = false },
	{ &conversations_view, form_check_text, .verbose = false },
	{ &conversations_view, form_check_text, .by = SHOW_BY_CLASS, .time = SHOW_DELTA },
	{ &conversations_view, form_check_text, .by = SHOW_BY_REQUESTER },
	{ &conversations_view, form_check_text, .by = SHOW_BY_RESPONDER },
	{ &history_view, form_check_text, .verbose = false },
	{ &ladder_view, form_check_text, .columns = 0 },
	{ &ladder_view, check_width, .columns = COLUMNS, .time = SHOW_ABSOLUTE },
	{ &ladder_view, check_width, .ports = "H1[1],LID 5", .columns = COLUMNS },
	{ &svg_view, form_check_xml, .columns = SVG_COLUMNS },
	{ &mermaid_view, check_diagram, .verbose = false },
	{ &perfetto_view, check_trace, .verbose = false },
	{ NULL, form_check_text, .verbose = false },		/* why */
};

static void look_at_warning(const char *warning)
{
	g_assert(*warning);
}

static void show(const char *path, const struct form *form, const struct filter *filter)
{
	char *text = NULL;
	size_t size = 0;
	const struct reading reading = {
		.path = path, .kind = form->kind, .stream = open_memstream(&text, &size),
		.filter = filter, .ports = form->ports, .columns = form->columns,
		.verbose = form->verbose, .segments = form->segments, .time = form->time,
		.by = form->by, .warn = look_at_warning,
	};
	g_autoptr(GError) error = NULL;
	bool ok = reading_show(&reading, &error);

	fclose(reading.stream);
	g_assert(ok == !error);
	g_assert(ok || (error->code == COMMAND_FAILED && size == 0));
	if (ok)
		form->check(text, size);
	free(text);
}

/* ---- excerpts ---- */

/* How many frames a capture has, and MADs among them. False: it is none. */
static bool count(const char *path, struct capture_counts *ret)
{
	char message[512];
	struct capture_stream *stream = capture_stream_open(path, 0, message, sizeof(message));
	struct capture_item item;

	if (!stream)
		return false;
	while (capture_stream_next(stream, &item))
		;
	*ret = *capture_stream_counts(stream);
	capture_stream_close(stream);
	return true;
}

/* What is left of a capture has no frame that is no MAD, and each MAD that the filter keeps. */
static void cut(const char *path, const struct filter *filter, bool with_answers, const char *out)
{
	struct capture_counts before, after;
	g_autofree char *warning = NULL;
	g_autoptr(GError) error = NULL;
	size_t written = 0;

	if (!show_excerpt(path, out, filter, with_answers, &written, &warning, &error)) {
		g_assert(error && *error->message);
		return;
	}
	g_assert(!error && count(path, &before));
	g_assert_cmpuint(written, <=, before.mads);
	if (count(out, &after)) {
		g_assert_cmpuint(after.frames, ==, written);
		g_assert_cmpuint(after.mads, ==, written);
	}
}

static void cut_twice(const char *path, const struct filter *filter)
{
	g_autofree char *out = g_build_filename(g_get_tmp_dir(), "excerpt.XXXXXX", NULL);
	int fd = g_mkstemp(out);

	g_assert(fd >= 0);
	close(fd);
	cut(path, filter, false, out);
	cut(path, filter, true, out);
	unlink(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *message = NULL;
	struct filter *filter = filter_parse("port=H1[1] or dlid<10 status=0", &message);

	g_assert(fd >= 0 && write(fd, data, size) == (ssize_t)size && filter);
	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++)
		show(path, &forms[i], size % 4 == i % 4 ? filter : NULL);
	if (size % 4 == 0)
		cut_twice(path, filter);
	filter_free(filter);
	close(fd);
	return 0;
}

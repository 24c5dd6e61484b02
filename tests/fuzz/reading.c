/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: a capture of any bytes is shown in every form that `umadrig show` has, or refused
 * with a message; and what is shown is of that form: SVG is XML, JSON lines are objects, a ladder
 * keeps to its width, text has no control characters.
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
#include "harness/show/svg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLUMNS = 60, FIELDS = 11 };

/* ---- what is true of a form ---- */

static void check_text(const char *text, size_t size)
{
	g_assert(size == 0 || text[size - 1] == '\n');
	for (size_t i = 0; i < size; i++)
		if (text[i] != '\n' && text[i] != '\t' && g_ascii_iscntrl(text[i]))
			g_error("a control character, %d, in\n%s", text[i], text);
}

static void check_width(const char *text, size_t size)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	check_text(text, size);
	for (char **line = lines; *line; line++)
		if (**line != '#' && strlen(*line) > COLUMNS)
			g_error("wider than %d columns:\n%s", COLUMNS, text);
}

static void check_xml(const char *text, size_t size)
{
	static const GMarkupParser parser;
	GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, NULL, NULL);
	g_autoptr(GError) error = NULL;

	g_markup_parse_context_parse(context, text, (gssize)size, &error);
	if (!error)
		g_markup_parse_context_end_parse(context, &error);
	g_assert_no_error(error);
	g_markup_parse_context_free(context);
}

/* Brackets and strings end in the order in which they began. */
static void check_json_line(const char *line)
{
	g_autoptr(GString) open = g_string_new(NULL);
	bool is_string = false;

	g_assert(*line == '{' && g_utf8_validate(line, -1, NULL));
	for (; *line; line++) {
		if (is_string && *line == '\\')
			g_assert(*++line);
		else if (*line == '"')
			is_string = !is_string;
		else if (!is_string && (*line == '{' || *line == '['))
			g_string_append_c(open, *line == '{' ? '}' : ']');
		else if (!is_string && (*line == '}' || *line == ']')) {
			g_assert(open->len && open->str[open->len - 1] == *line);
			g_string_truncate(open, open->len - 1);
			g_assert(open->len || !line[1]);
		}
	}
	g_assert(!is_string && !open->len);
}

static void check_json(const char *text, size_t size)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	check_text(text, size);
	for (char **line = lines; *line; line++)
		if (**line)
			check_json_line(*line);
}

static void check_fields(const char *text, size_t size)
{
	unsigned int tabs = 0;

	check_text(text, size);
	for (size_t i = 0; i < size; i++) {
		tabs += text[i] == '\t';
		g_assert(text[i] != '\n' || tabs % (FIELDS - 1) == 0);
	}
}

static void check_diagram(const char *text, size_t size)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	check_text(text, size);
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
} forms[] = {
	{ &lines_view, check_text, .verbose = false },
	{ &lines_view, check_text, .verbose = true },
	{ &lines_view, check_text, .verbose = true, .segments = true },
	{ &json_view, check_json, .verbose = false },
	{ &json_view, check_json, .segments = true },
	{ &columns_view, check_fields, .verbose = false },
	{ &conversations_view, check_text, .verbose = false },
	{ &history_view, check_text, .verbose = false },
	{ &ladder_view, check_text, .columns = 0 },
	{ &ladder_view, check_width, .columns = COLUMNS },
	{ &ladder_view, check_width, .ports = "H1[1],LID 5", .columns = COLUMNS },
	{ &svg_view, check_xml, .columns = SVG_COLUMNS },
	{ &mermaid_view, check_diagram, .verbose = false },
	{ &perfetto_view, check_trace, .verbose = false },
	{ NULL, check_text, .verbose = false },		/* why */
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
		.verbose = form->verbose, .segments = form->segments, .warn = look_at_warning,
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *message = NULL;
	struct filter *filter = filter_parse("port=H1[1] or dlid<10 status=0", &message);

	g_assert(fd >= 0 && write(fd, data, size) == (ssize_t)size && filter);
	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++)
		show(path, &forms[i], size % 4 == i % 4 ? filter : NULL);
	filter_free(filter);
	close(fd);
	return 0;
}

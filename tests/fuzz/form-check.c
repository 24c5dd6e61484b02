/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is true of outputs of a form: see tests/fuzz/form-check.h. */
#include "tests/fuzz/form-check.h"

#include <glib.h>
#include <stdbool.h>

void form_check_text(const char *text, size_t size)
{
	g_assert(size == 0 || text[size - 1] == '\n');
	for (size_t i = 0; i < size; i++)
		if (text[i] != '\n' && text[i] != '\t' && g_ascii_iscntrl(text[i]))
			g_error("a control character, %d, in\n%s", text[i], text);
}

void form_check_xml(const char *text, size_t size)
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

void form_check_json(const char *text, size_t size)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	form_check_text(text, size);
	for (char **line = lines; *line; line++)
		if (**line)
			check_json_line(*line);
}

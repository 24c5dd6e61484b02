/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The options of a command line: see harness/base/command.h.
 */
#include "harness/base/command.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"

/* The names of a context's options, which only its help has: GPtrArray of char *, ended by NULL. */
static GPtrArray *option_names(GOptionContext *context)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *help = g_option_context_get_help(context, false, NULL);
	g_auto(GStrv) lines = g_strsplit(help, "\n", -1);

	for (char **line = lines; *line; line++) {
		const char *option = **line == ' ' ? strstr(*line, "--") : NULL;

		if (option && option - *line <= (ptrdiff_t)strlen("  -x, "))
			g_ptr_array_add(names, g_strndup(option, strcspn(option, "= ")));
	}
	g_ptr_array_add(names, NULL);
	return names;
}

/* The option in GLib's message, as it is written with two dashes; NULL: it has a letter alone. */
static char *unknown_option(const char *message)
{
	const char *option = strstr(message, " -");
	size_t length = option ? strcspn(option + 1, "=") : 0;

	if (length < strlen("-xy"))
		return NULL;
	return g_strdup_printf("%s%.*s", option[2] == '-' ? "" : "-", (int)length, option + 1);
}

/* "Unknown option --fabrik": did you mean --fabric? */
static void add_closest(GOptionContext *context, GError **error)
{
	g_autoptr(GPtrArray) names = NULL;
	g_autofree char *message = NULL, *word = NULL;
	const char *closest;

	if (!error || !g_error_matches(*error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
		return;
	word = unknown_option((*error)->message);
	names = option_names(context);
	closest = word ? mad_closest(word, (const char *const *)names->pdata) : NULL;
	if (!closest)
		return;
	message = g_strdup_printf("%s: did you mean %s?", (*error)->message, closest);
	g_free((*error)->message);
	(*error)->message = g_steal_pointer(&message);
}

/* ---- --help ---- */

enum {
	WIDTH = 80,
	TEXT_COLUMN = 26,	/* where what an option means begins, if names are long */
	TEXT_COLUMN_MAX = 44,	/* where it may begin */
};

static size_t columns_of(const char *text)
{
	return (size_t)g_utf8_strlen(text, -1);
}

/* Appends words up to column WIDTH, and on further lines from 'column'; 'at' is where it is now. */
static void append_words(GString *out, const char *text, size_t column, size_t at)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);

	for (char **word = words; *word; word++) {
		if (word != words && at + 1 + columns_of(*word) > WIDTH) {
			g_string_append_printf(out, "\n%*s", (int)column, "");
			at = column;
		} else if (word != words) {
			g_string_append_c(out, ' ');
			at++;
		}
		g_string_append(out, *word);
		at += columns_of(*word);
	}
	g_string_append_c(out, '\n');
}

/* A line of help: "  NAME    text", or text alone. */
static void append_fitted(GString *out, const char *line)
{
	size_t indent = strspn(line, " "), column = indent;
	const char *gap = strstr(line + indent, "  ");
	const char *text = gap ? gap + strspn(gap, " ") : line + indent;
	bool is_option = indent > 0 && line[indent] == '-';

	if (gap)
		column = (size_t)g_utf8_pointer_to_offset(line, text);
	if (columns_of(line) <= WIDTH && (!is_option || column <= TEXT_COLUMN_MAX)) {
		g_string_append_printf(out, "%s\n", line);
		return;
	}
	if (column > TEXT_COLUMN_MAX)
		column = TEXT_COLUMN;
	if (!gap) {
		g_string_append_len(out, line, (gssize)indent);
		append_words(out, text, indent + (indent > 0 ? 2 : 0), indent);
		return;
	}
	g_string_append_len(out, line, gap - line);
	if ((size_t)(gap - line) + 2 > column)
		g_string_append_printf(out, "\n%*s", (int)column, "");
	else
		g_string_append_printf(out, "%*s", (int)(column - (size_t)(gap - line)), "");
	append_words(out, text, column, column);
}

enum { EXAMPLE_INDENT = 2 };	/* of lines that stay lines: commands, rows */

/* Whether 'next' goes on with the sentence of 'line': prose, or what a row or a name has. */
static bool goes_on(const char *line, const char *next)
{
	size_t indent = strspn(line, " "), next_indent = next ? strspn(next, " ") : 0;
	const char *gap = strstr(line + indent, "  ");

	if (!next || line[indent] == '\0' || next[next_indent] == '\0')
		return false;
	if (!indent || !next_indent)
		return indent == next_indent;
	if (gap)
		return next_indent == (size_t)(gap - line) + strspn(gap, " ");
	return indent > EXAMPLE_INDENT && next_indent == indent && !strstr(next + indent, "  ");
}

/* GOption's lines are as long as they come, and texts have line ends where the source has them. */
static void print_help(GOptionContext *context)
{
	g_autofree char *help = g_option_context_get_help(context, true, NULL);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(help), "\n", -1);
	g_autoptr(GString) out = g_string_new(NULL);

	for (char **line = lines; *line; line++) {
		g_autoptr(GString) paragraph = g_string_new(*line);

		while (goes_on(paragraph->str, line[1])) {
			line++;
			g_string_append_printf(paragraph, " %s", *line + strspn(*line, " "));
		}
		append_fitted(out, paragraph->str);
	}
	fputs(out->str, stdout);
}

static bool asks_for_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	}
	return false;
}

bool command_parse(GOptionContext *context, int *argc, char ***argv, GError **error)
{
	const char *description = g_option_context_get_description(context);
	g_autofree char *page = g_strdelimit(g_strdup((*argv)[0]), " ", '-');
	g_autofree char *whole = g_strdup_printf("%s%sSee %s(1).", description ? description : "",
						 description ? "\n\n" : "", page);

	g_option_context_set_description(context, whole);
	if (asks_for_help(*argc, *argv)) {
		g_set_prgname((*argv)[0]);
		print_help(context);
		exit(command_finish_output((*argv)[0], COMMAND_OK));
	}
	if (g_option_context_parse(context, argc, argv, error))
		return true;
	add_closest(context, error);
	return false;
}

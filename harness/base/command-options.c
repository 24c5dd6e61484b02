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

/* An option of a context, which only its help tells: "  -f, --fabric=FABRIC   what it is". */
struct known {
	char *name;		/* "--fabric" */
	char letter;		/* 'f'; 0: it has none */
	bool has_value;		/* "--fabric=": in the same word, or the next */
	bool may_be_left_out;	/* "--with-sm=[NODE]": in the same word, or none */
};

static void known_clear(void *data)
{
	g_free(((struct known *)data)->name);
}

/* Of struct known. */
static GArray *known_options(GOptionContext *context)
{
	GArray *options = g_array_new(false, false, sizeof(struct known));
	g_autofree char *help = g_option_context_get_help(context, false, NULL);
	g_auto(GStrv) lines = g_strsplit(help, "\n", -1);

	g_array_set_clear_func(options, known_clear);
	for (char **line = lines; *line; line++) {
		const char *option = **line == ' ' ? strstr(*line, "--") : NULL;
		size_t length = option ? strcspn(option, "= ") : 0;
		struct known known;

		if (!option || option - *line > (ptrdiff_t)strlen("  -x, "))
			continue;
		known = (struct known){
			.name = g_strndup(option, length),
			.letter = option - *line == (ptrdiff_t)strlen("  -x, ") ? (*line)[3] : '\0',
			.has_value = option[length] == '=',
			.may_be_left_out = strncmp(option + length, "=[", 2) == 0,
		};
		g_array_append_val(options, known);
	}
	return options;
}

/* ---- words that are none ---- */

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
static void add_closest(const GArray *options, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *message = NULL, *word = NULL;
	const char *closest;

	if (!error || !g_error_matches(*error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
		return;
	for (guint i = 0; i < options->len; i++)
		g_ptr_array_add(names, g_array_index(options, struct known, i).name);
	g_ptr_array_add(names, NULL);
	word = unknown_option((*error)->message);
	closest = word ? mad_closest(word, (const char *const *)names->pdata) : NULL;
	if (!closest)
		return;
	message = g_strdup_printf("%s: did you mean %s?", (*error)->message, closest);
	g_free((*error)->message);
	(*error)->message = g_steal_pointer(&message);
}

/* ---- values ---- */

/* The option of a word of the command line; NULL: it is of none. */
static const struct known *find_known(const GArray *options, const char *word)
{
	size_t length = strcspn(word, "=");
	bool is_long = g_str_has_prefix(word, "--");
	char letter = *word == '-' && length > 1 ? word[length - 1] : '\0';

	for (guint i = 0; i < options->len; i++) {
		const struct known *known = &g_array_index(options, struct known, i);

		if (is_long ? strlen(known->name) == length &&
			      strncmp(known->name, word, length) == 0 :
			      letter && known->letter == letter)
			return known;
	}
	return NULL;
}

/* '-j4', which GLib does not read, becomes '--jobs=4'. */
static void spell_out(const GArray *options, char **word)
{
	static GPtrArray *words;	/* of the command line, from now on */
	const char letter[] = { '-', (*word)[0] == '-' ? (*word)[1] : '\0', '\0' };
	const struct known *known = letter[1] && (*word)[2] ? find_known(options, letter) : NULL;

	if (letter[1] == '-' || !known || !known->has_value || known->may_be_left_out)
		return;
	if (!words)
		words = g_ptr_array_new();
	*word = g_strconcat(known->name, "=", *word + strlen(letter), NULL);
	g_ptr_array_add(words, *word);
}

/* GLib takes --json=FILE as --json, and forgets FILE. 'other_words_end': as strict POSIX has it. */
static bool check_values(const GArray *options, bool other_words_end, int argc, char **argv,
			 GError **error)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const struct known *known;
		const char *value;

		if (other_words_end && *argv[i] != '-')
			break;
		spell_out(options, &argv[i]);
		known = find_known(options, argv[i]);
		value = strchr(argv[i], '=');
		if (known && value && !known->has_value) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				    "%s takes no value: leave '%s' out", known->name, value);
			return false;
		}
		if (known && !value && known->has_value && !known->may_be_left_out)
			i++;
	}
	return true;
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
	g_autoptr(GArray) options = NULL;
	g_autofree char *page = g_strdelimit(g_strdup((*argv)[0]), " ", '-');
	g_autofree char *whole = g_strdup_printf("%s%sSee %s(1).", description ? description : "",
						 description ? "\n\n" : "", page);

	g_option_context_set_description(context, whole);
	if (asks_for_help(*argc, *argv)) {
		g_set_prgname((*argv)[0]);
		print_help(context);
		exit(command_finish_output((*argv)[0], COMMAND_OK));
	}
	options = known_options(context);
	if (!check_values(options, g_option_context_get_strict_posix(context), *argc, *argv, error))
		return false;
	if (g_option_context_parse(context, argc, argv, error))
		return true;
	add_closest(options, error);
	return false;
}

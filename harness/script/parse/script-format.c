/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Scripts in one style: see harness/script/parse/script-format.h.
 *
 * 	0        fd = umad_open_port($CA, $PORT)	times and directives have 9 columns
 * 	each (mad) {
 * 	    VendGet(0x0010)  7			blocks are indented by 4
 * 	} do {
 *
 * It goes from line to line; tokens tell what a line begins with, and which brackets are open
 * behind it. What a bracket continues stays as deep as it is. Blanks that align what is within a
 * line stay; so do rows, whose text is the name of a point.
 */
#include "harness/script/parse/script-format.h"

#include <string.h>

#include "harness/script/parse/lex.h"
#include "harness/script/parse/parse.h"
#include "harness/script/parse/text-check.h"
#include "harness/script/tree/verb.h"
#include "sim/dictionary/mad-dictionary.h"

#define INDENT 4
#define COLUMN 8		/* of times and directives, before one blank */
#define TAB 8
#define BLOCKS_MAX 64

struct formatter {
	const struct script_verb *const *verbs;
	const struct source *source;
	GArray *tokens;		/* of struct token */
	guint at;		/* the first token of the current line */
	GString *out;
	int brackets;		/* open, behind the lines so far, without those of blocks */
	unsigned int blocks;
	bool rows[BLOCKS_MAX];	/* is the block one of rows? */
	bool ends_in_comma;
};

static const struct token *token_at(const struct formatter *formatter, guint at)
{
	return &g_array_index(formatter->tokens, struct token,
			      MIN(at, formatter->tokens->len - 1));
}

static bool is_word(const struct token *token, const char *word)
{
	return token->kind == TOKEN_WORD && strcmp(token->text, word) == 0;
}

/* ---- pieces of text ---- */

static void append_blanks(GString *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		g_string_append_c(out, ' ');
}

/* 'text' without blanks at its ends, and with tabs as blanks; strings stay. */
static void append_text(GString *out, const char *text, size_t size, bool spread_commas)
{
	bool in_string = false;

	for (size_t i = 0; i < size; i++) {
		char c = text[i];

		if (c == '#' && !in_string) {
			for (; i < size; i++)
				g_string_append_c(out, text[i]);
			break;
		}
		if (c == '"' && (i == 0 || text[i - 1] != '\\' || !in_string))
			in_string = !in_string;
		if (c == '\t' && !in_string)
			c = ' ';
		if (c == ',' && !in_string && spread_commas) {
			while (out->len > 0 && out->str[out->len - 1] == ' ')
				g_string_truncate(out, out->len - 1);
			g_string_append_c(out, ',');
			if (i + 1 < size && !strchr(" \t", text[i + 1]))
				g_string_append_c(out, ' ');
			continue;
		}
		g_string_append_c(out, c);
	}
}

/* How many columns of blanks the text begins with; '*ret_at' is what follows them. */
static size_t leading_columns(const char *text, size_t size, size_t *ret_at)
{
	size_t columns = 0, at;

	for (at = 0; at < size && (text[at] == ' ' || text[at] == '\t'); at++)
		columns = text[at] == ' ' ? columns + 1 : (columns / TAB + 1) * TAB;
	*ret_at = at;
	return columns;
}

/* ---- what a line begins with ---- */

static bool is_directive(const struct token *token)
{
	static const char *const blocks[] = { "each", "on", "do", NULL };

	return token->kind == TOKEN_WORD && !g_strv_contains(blocks, token->text);
}

static bool is_operator(enum token_kind kind)
{
	return kind == TOKEN_PLUS || kind == TOKEN_MINUS || kind == TOKEN_STAR;
}

static bool is_time_value(enum token_kind kind)
{
	return kind == TOKEN_NUMBER || kind == TOKEN_TIME || kind == TOKEN_USE ||
	       kind == TOKEN_WORD;
}

/* The token behind the value at 'at', (a + b) or a single one; 'at' itself: there is none. */
static guint skip_value(const struct formatter *formatter, guint at)
{
	unsigned int depth = 0;
	guint from = at;

	if (token_at(formatter, at)->kind != TOKEN_LPAREN)
		return is_time_value(token_at(formatter, at)->kind) ? at + 1 : at;
	do {
		enum token_kind kind = token_at(formatter, at)->kind;

		depth += kind == TOKEN_LPAREN;
		depth -= kind == TOKEN_RPAREN;
		/* What goes on in the next line stays as it is. */
		if (kind == TOKEN_NEWLINE || kind == TOKEN_END)
			return from;
		at++;
	} while (depth > 0);
	return at;
}

/* The token behind [+]T { + - * T }, from 'at'; 'at' itself: there is no time. */
static guint skip_half(const struct formatter *formatter, guint at)
{
	guint from = at, after;

	if (token_at(formatter, at)->kind == TOKEN_PLUS)
		at++;
	after = skip_value(formatter, at);
	if (after == at)
		return from;
	for (at = after; is_operator(token_at(formatter, at)->kind); at = after) {
		after = skip_value(formatter, at + 1);
		if (after == at + 1)
			break;
	}
	return at;
}

/* The token behind the time that the line begins with; the first of the line: there is none. */
static guint skip_time(const struct formatter *formatter)
{
	guint first = formatter->at, at, after;

	if (token_at(formatter, first)->kind == TOKEN_STAR)
		return first + 1;
	if (token_at(formatter, first)->kind == TOKEN_WORD)
		return first;
	at = skip_half(formatter, first);
	if (at == first || token_at(formatter, at)->kind != TOKEN_TILDE)
		return at;
	after = skip_half(formatter, at + 1);
	return after == at + 1 ? first : after;
}

/* Does the line have words as in a shell ('run', 'do'), in which a comma is a comma? */
static bool has_words(const struct formatter *formatter)
{
	for (guint at = formatter->at; token_at(formatter, at)->kind != TOKEN_NEWLINE; at++) {
		for (const struct script_verb *const *verb = formatter->verbs; *verb; verb++) {
			if ((*verb)->takes_words && is_word(token_at(formatter, at), (*verb)->word))
				return true;
		}
	}
	return false;
}

/* ---- lines ---- */

/* The text from token 'from' up to token 'to', without blanks. */
static void append_tight(struct formatter *formatter, guint from, guint to)
{
	size_t end = token_at(formatter, to)->place.offset;

	for (size_t i = token_at(formatter, from)->place.offset; i < end; i++) {
		if (!strchr(" \t", formatter->source->text[i]))
			g_string_append_c(formatter->out, formatter->source->text[i]);
	}
}

/* A line of two parts: up to token 'second', which begins at the column of all, and the rest. */
static void append_parted(struct formatter *formatter, guint second, size_t end)
{
	size_t from = formatter->out->len, at = token_at(formatter, second)->place.offset;

	append_tight(formatter, formatter->at, second);
	append_blanks(formatter->out, formatter->out->len - from < COLUMN ?
		      COLUMN - (formatter->out->len - from) + 1 : 1);
	append_text(formatter->out, formatter->source->text + at, end - at,
		    !has_words(formatter));
}

/* Keeps a line as it is, but for its indentation. */
static void append_kept(struct formatter *formatter, size_t from, size_t end)
{
	append_text(formatter->out, formatter->source->text + from, end - from, false);
}

/* The token that ends the current line. */
static guint line_end(const struct formatter *formatter)
{
	guint at = formatter->at;

	while (token_at(formatter, at)->kind != TOKEN_NEWLINE &&
	       token_at(formatter, at)->kind != TOKEN_END)
		at++;
	return at;
}

/* Notes which brackets and blocks are open behind the line, whose last token is before 'end'. */
static void note_brackets(struct formatter *formatter, guint end)
{
	bool opens = is_word(token_at(formatter, formatter->at), "each") ||
		     is_word(token_at(formatter, formatter->at), "on") ||
		     is_word(token_at(formatter, formatter->at), "do") ||
		     (token_at(formatter, formatter->at)->kind == TOKEN_RBRACE &&
		      is_word(token_at(formatter, formatter->at + 1), "do"));

	for (guint at = formatter->at; at < end; at++) {
		enum token_kind kind = token_at(formatter, at)->kind;

		if (kind == TOKEN_LBRACE && opens && at + 1 == end && formatter->brackets == 0) {
			if (formatter->blocks < BLOCKS_MAX)
				formatter->rows[formatter->blocks] =
					is_word(token_at(formatter, formatter->at), "each");
			formatter->blocks++;
		} else if (kind == TOKEN_RBRACE && formatter->brackets == 0) {
			formatter->blocks -= formatter->blocks > 0;
		} else if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACE) {
			formatter->brackets++;
		} else if (kind == TOKEN_RPAREN || kind == TOKEN_RBRACE) {
			formatter->brackets -= formatter->brackets > 0;
		}
	}
	formatter->ends_in_comma = end > formatter->at &&
				   token_at(formatter, end - 1)->kind == TOKEN_COMMA;
}

static bool in_rows(const struct formatter *formatter)
{
	return formatter->blocks > 0 && formatter->blocks <= BLOCKS_MAX &&
	       formatter->rows[formatter->blocks - 1];
}

/* A line with tokens, which begins at byte 'from' of the source. */
static void format_tokens(struct formatter *formatter, size_t from, size_t end)
{
	const struct token *first = token_at(formatter, formatter->at);
	bool closes = first->kind == TOKEN_RBRACE;
	guint second = skip_time(formatter);

	append_blanks(formatter->out, INDENT * (formatter->blocks - (closes && formatter->blocks)));
	if (in_rows(formatter) && !closes)
		append_kept(formatter, from, end);
	else if (second > formatter->at && token_at(formatter, second)->kind != TOKEN_NEWLINE)
		append_parted(formatter, second, end);
	else if (is_directive(first) &&
		 token_at(formatter, formatter->at + 1)->kind != TOKEN_NEWLINE)
		append_parted(formatter, formatter->at + 1, end);
	else
		append_kept(formatter, from, end);
}

/* One line of the source: from byte 'from' up to 'end', without what ends it. */
static void format_line(struct formatter *formatter, size_t from, size_t end)
{
	const char *text = formatter->source->text;
	bool continues = formatter->brackets > 0 || formatter->ends_in_comma;
	guint last = line_end(formatter);
	size_t at, columns;

	while (end > from && strchr(" \t\r", text[end - 1]))
		end--;
	columns = leading_columns(text + from, end - from, &at);
	from += at;
	if (from == end) {
		/* Neither at the beginning, nor two in a row. */
		if (formatter->out->len > 0 && !g_str_has_suffix(formatter->out->str, "\n\n"))
			g_string_append_c(formatter->out, '\n');
	} else if (last == formatter->at || continues) {
		append_blanks(formatter->out, continues ? columns : INDENT * formatter->blocks);
		append_kept(formatter, from, end);
		g_string_append_c(formatter->out, '\n');
	} else {
		format_tokens(formatter, from, end);
		g_string_append_c(formatter->out, '\n');
	}
	/* A comment within a list does not end it. */
	if (last > formatter->at)
		note_brackets(formatter, last);
	formatter->at = last + 1;
}

/*
 * Whether the first line is one of a script, or may be meant as one: a Makefile that was named
 * by mistake would lose its tabs.
 */
static bool begins_as_script(const GArray *tokens, struct diagnostics *diagnostics)
{
	static const unsigned int of_events = TOKEN_BIT(NUMBER) | TOKEN_BIT(TIME) |
		TOKEN_BIT(PLUS) | TOKEN_BIT(STAR) | TOKEN_BIT(LPAREN) | TOKEN_BIT(USE);
	const struct token *token = &g_array_index(tokens, struct token, 0);

	while (token->kind == TOKEN_NEWLINE)
		token++;
	if (token->kind == TOKEN_END || (of_events & 1u << token->kind) ||
	    (token->kind == TOKEN_WORD && mad_closest(token->text, script_directives())))
		return true;
	diagnose_error(diagnostics, token->place, "this is no scenario script: its first line is "
		       "neither a directive, such as scenario, nor an event, which begins with a "
		       "time");
	return false;
}

char *script_format(struct script *script, const struct source *source)
{
	struct formatter formatter = { .verbs = script->verbs, .source = source };
	size_t end;

	if (!script_text_check(source, script->diagnostics))
		return NULL;
	formatter.tokens = script_lex(script, source);
	if (script->diagnostics->errors > 0 ||
	    !begins_as_script(formatter.tokens, script->diagnostics)) {
		g_array_unref(formatter.tokens);
		return NULL;
	}
	formatter.out = g_string_new(NULL);
	for (size_t from = 0; from < source->size; from = end + 1) {
		const char *newline = memchr(source->text + from, '\n', source->size - from);

		end = newline ? (size_t)(newline - source->text) : source->size;
		format_line(&formatter, from, end);
	}
	/* One newline at the end. */
	while (g_str_has_suffix(formatter.out->str, "\n\n"))
		g_string_truncate(formatter.out, formatter.out->len - 1);
	if (strcmp(formatter.out->str, "\n") == 0)
		g_string_truncate(formatter.out, 0);
	g_array_unref(formatter.tokens);
	return g_string_free(formatter.out, false);
}

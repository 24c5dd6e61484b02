/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser's toolkit: takes tokens one after the other, reports unexpected ones, and finds where
 * the next statement begins. See harness/script/parse/parser.h.
 */
#include "harness/script/parse/parser.h"

#include <string.h>

#include "harness/script/parse/text-check.h"
#include "harness/script/tree/verb.h"

const struct token *parser_peek_at(struct parser *parser, unsigned int ahead)
{
	guint at = parser->at;

	for (;;) {
		const struct token *token = &g_array_index(parser->tokens, struct token, at);

		if (token->kind == TOKEN_END)
			return token;
		at++;
		if (token->kind == TOKEN_NEWLINE && parser->nest > 0)
			continue;
		if (ahead-- == 0)
			return token;
	}
}

const struct token *parser_peek(struct parser *parser)
{
	return parser_peek_at(parser, 0);
}

const struct token *parser_next(struct parser *parser)
{
	const struct token *token = parser_peek(parser);

	if (token->kind != TOKEN_END)
		parser->at =
			(guint)(token - (const struct token *)(void *)parser->tokens->data) + 1;
	return token;
}

const struct token *parser_accept(struct parser *parser, enum token_kind kind)
{
	return parser_peek(parser)->kind == kind ? parser_next(parser) : NULL;
}

bool parser_at_word(struct parser *parser, const char *word)
{
	const struct token *token = parser_peek(parser);

	return token->kind == TOKEN_WORD && strcmp(token->text, word) == 0;
}

bool parser_accept_word(struct parser *parser, const char *word)
{
	if (!parser_at_word(parser, word))
		return false;
	parser_next(parser);
	return true;
}

void parser_error(struct parser *parser, struct place place, const char *format, ...)
{
	va_list args;

	diagnostics_form(parser->diagnostics);
	va_start(args, format);
	diagnose_va(parser->diagnostics, place, true, format, args);
	va_end(args);
}

void parser_refuse(struct parser *parser, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(parser->diagnostics, place, true, format, args);
	va_end(args);
}

void parser_expected(struct parser *parser, const char *what)
{
	const struct token *token = parser_peek(parser);

	if (token->kind == TOKEN_WRONG)
		return;		/* the lexer has reported it */
	if (token->kind == TOKEN_WORD)
		parser_error(parser, token->place, "expected %s, found '%s'", what, token->text);
	else
		parser_error(parser, token->place, "expected %s, found %s", what,
			     token_kind_name(token->kind));
}

/* 'comma': what could have come in place of the closing one, for the message. */
static bool close_bracket(struct parser *parser, const struct token *open, enum token_kind kind,
			  const char *comma)
{
	const struct token *token = parser_peek(parser);
	const char *mark = token_kind_name(kind);
	g_autofree char *what = NULL;

	if (parser_accept(parser, kind))
		return true;
	if (token->place.line != open->place.line && token->kind != TOKEN_WRONG) {
		parser_error(parser, open->place,
			     "no %s closes this: expected %s%s before line %u", mark, comma, mark,
			     token->place.line);
		return false;
	}
	what = g_strdup_printf("%s%s for the %s in column %u", comma, mark,
			       token_kind_name(open->kind), open->place.column);
	parser_expected(parser, what);
	return false;
}

bool parser_close(struct parser *parser, const struct token *open, enum token_kind kind)
{
	return close_bracket(parser, open, kind, "',' or ");
}

bool parser_close_one(struct parser *parser, const struct token *open, enum token_kind kind)
{
	return close_bracket(parser, open, kind, "");
}

const struct token *parser_expect(struct parser *parser, enum token_kind kind, const char *what)
{
	if (parser_peek(parser)->kind == kind)
		return parser_next(parser);
	parser_expected(parser, what);
	return NULL;
}

/*
 * Does a statement begin here, even where parentheses are open? The closing one is missing. Of what
 * continues a line nothing begins with a time, or with a word and another word.
 */
static bool begins_statement(const struct token *token)
{
	if (token->kind == TOKEN_WORD)
		return token[1].kind == TOKEN_WORD || token[1].kind == TOKEN_STRING ||
		       strcmp(token->text, "each") == 0;
	return token->kind == TOKEN_PLUS || token->kind == TOKEN_TIME ||
	       (token->kind == TOKEN_NUMBER && token->number == 0);
}

/*
 * Skips the rest of an invalid statement: to the end of its line, of the parentheses that it
 * opened, or of the block that it begins.
 */
void parser_skip(struct parser *parser, guint from)
{
	const struct token *first = &g_array_index(parser->tokens, struct token, from);
	bool is_block = first->kind == TOKEN_WORD &&
			(strcmp(first->text, "each") == 0 || strcmp(first->text, "on") == 0);
	guint stop = parser->at;
	int depth = 0;

	parser->nest = 0;
	for (parser->at = from;; parser->at++) {
		const struct token *token =
			&g_array_index(parser->tokens, struct token, parser->at);

		if (token->kind == TOKEN_END)
			return;
		depth += !is_block && token->kind == TOKEN_LPAREN;
		depth -= !is_block && token->kind == TOKEN_RPAREN;
		if (is_block) {
			depth += token->kind == TOKEN_LBRACE;
			depth -= token->kind == TOKEN_RBRACE;
			if (token->kind != TOKEN_NEWLINE || parser->at < stop || depth > 0)
				continue;
			return;
		}
		if (token->kind != TOKEN_NEWLINE || parser->at < stop)
			continue;
		if (depth <= 0 || begins_statement(&token[1]))
			return;
	}
}

bool parser_has_room(struct parser *parser, struct place place, const GPtrArray *list, guint most)
{
	if (list->len < most)
		return true;
	parser_refuse(parser, place, "there are more than %u of these", most);
	return false;
}

void parser_take_source(struct parser *parser, const struct source *source)
{
	GArray *outer = parser->tokens;
	guint outer_at = parser->at;

	parser->taken += source->size;
	if (!script_text_check(source, parser->diagnostics))
		return;
	parser->tokens = script_lex(parser->script, source);
	parser->at = 0;
	while (parser_peek(parser)->kind != TOKEN_END)
		parser->statement(parser, false);
	g_array_unref(parser->tokens);
	parser->tokens = outer;
	parser->at = outer_at;
}

void *parser_step(struct parser *parser, const struct script_verb *verb)
{
	struct step *step = arena_alloc(parser->arena, verb->size);

	step->verb = verb;
	return step;
}

bool parse_duration(struct parser *parser, const char *what, int64_t *ret)
{
	const struct token *token = parser_peek(parser);

	if (token->kind == TOKEN_TIME)
		*ret = token->time_ns;
	else if (token->kind == TOKEN_NUMBER && token->number == 0)
		*ret = 0;
	else {
		parser_expected(parser, what);
		return false;
	}
	parser_next(parser);
	return true;
}

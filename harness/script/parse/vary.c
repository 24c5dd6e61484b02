/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * vary NAME in v, v, A..B and vary (NAME, NAME) in (v, w), (v, w).
 */
#include "harness/script/parse/parser.h"

#include <string.h>

/* A value that is known before the scenario runs; this includes the name of an earlier 'vary'. */
static bool is_varied_value(const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_NUMBER:
	case EXPR_TIME:
	case EXPR_WORD:
	case EXPR_STRING:
	case EXPR_SET:
	case EXPR_NEGATIVE:
	case EXPR_BINARY:
	case EXPR_USE:
		return true;
	case EXPR_CAPTURE:
	case EXPR_MAD:
	case EXPR_PIECE:
		return false;
	}
	return false;
}

static const struct expr *parse_varied_value(struct parser *parser)
{
	struct place place = parser_peek(parser)->place;
	bool is_mad = parser_peek(parser)->kind == TOKEN_WORD &&
		      parser_peek_at(parser, 1)->kind == TOKEN_LPAREN;
	const struct expr *value = is_mad ? NULL : parse_value(parser);

	if (value ? is_varied_value(value) : !is_mad)
		return value;
	parser_error(parser, place,
		     "expected a number, a time, a word, a string or a set: MADs vary with 'each'");
	return NULL;
}

static bool add_vary_name(struct parser *parser, struct vary *vary)
{
	const struct token *name = parser_expect(parser, TOKEN_WORD, "the name of what varies");

	if (!name ||
	    !parser_has_room(parser, name->place, parser->settings->varies, VARIES_MAX) ||
	    !parser_has_room(parser, name->place, vary->names, VARIES_MAX))
		return false;
	for (guint i = 0; i < parser->settings->varies->len; i++) {
		const struct vary *other = parser->settings->varies->pdata[i];

		if (!g_ptr_array_find_with_equal_func(other->names, name->text, g_str_equal, NULL))
			continue;
		parser_refuse(parser, name->place, "%s already varies, in line %u", name->text,
			     other->place.line);
		return false;
	}
	if (!vary->place.source)
		vary->place = name->place;
	g_ptr_array_add(vary->names, (void *)name->text);
	return true;
}

/* NAME, (NAME, NAME) */
static bool parse_vary_names(struct parser *parser, struct vary *vary)
{
	const struct token *open = parser_accept(parser, TOKEN_LPAREN);

	parser->nest += open != NULL;
	do {
		if (!add_vary_name(parser, vary))
			return false;
	} while (open && parser_accept(parser, TOKEN_COMMA));
	if (open && !parser_close(parser, open, TOKEN_RPAREN))
		return false;
	parser->nest -= open != NULL;
	return true;
}

static bool add_vary_value(struct parser *parser, struct vary_choice *choice)
{
	const struct expr *value = parse_varied_value(parser);

	g_ptr_array_add(choice->values, (void *)value);
	return value != NULL;
}

/* (v, w): a value for each of the names. */
static bool parse_vary_tuple(struct parser *parser, const struct vary *vary,
			     struct vary_choice *choice)
{
	const struct token *open = parser_expect(parser, TOKEN_LPAREN, "'(' and a value for each");

	if (!open)
		return false;
	parser->nest++;
	do {
		if (!add_vary_value(parser, choice))
			return false;
	} while (parser_accept(parser, TOKEN_COMMA));
	if (!parser_close(parser, open, TOKEN_RPAREN))
		return false;
	parser->nest--;
	if (choice->values->len == vary->names->len)
		return true;
	parser_refuse(parser, open->place, "expected %u values, found %u",
		     vary->names->len, choice->values->len);
	return false;
}

/* v, A..B */
static bool parse_vary_single(struct parser *parser, struct vary_choice *choice)
{
	if (!add_vary_value(parser, choice))
		return false;
	if (!parser_accept(parser, TOKEN_DOTDOT))
		return true;
	choice->to = parse_varied_value(parser);
	return choice->to != NULL;
}

bool parse_vary(struct parser *parser)
{
	struct vary *vary = arena_alloc(parser->arena, sizeof(*vary));
	bool tuples = parser_peek(parser)->kind == TOKEN_LPAREN;

	vary->names = arena_array(parser->arena);
	vary->choices = arena_array(parser->arena);
	if (!parse_vary_names(parser, vary))
		return false;
	if (!parser_accept_word(parser, "in")) {
		parser_expected(parser, "'in' and the values");
		return false;
	}
	do {
		struct vary_choice *choice = arena_alloc(parser->arena, sizeof(*choice));

		choice->values = arena_array(parser->arena);
		/* A list may continue on the next line, after a comma. */
		while (vary->choices->len > 0 && parser_accept(parser, TOKEN_NEWLINE))
			;
		if (!(tuples ? parse_vary_tuple(parser, vary, choice) :
			       parse_vary_single(parser, choice)))
			return false;
		g_ptr_array_add(vary->choices, choice);
	} while (parser_accept(parser, TOKEN_COMMA));
	g_ptr_array_add(parser->settings->varies, vary);
	return true;
}

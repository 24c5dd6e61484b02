/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * MADs in scripts: a method, its arguments, and fields.
 */
#include "harness/script/parse/mad-expr.h"

#include <string.h>

#include "lib/base/wire.h"

struct expr *parse_value_or_mad(struct parser *parser)
{
	return parser_at_mad(parser) ? parse_mad(parser) : parse_value(parser);
}

static bool parse_argument(struct parser *parser, void *into)
{
	struct expr *argument = parse_value_or_mad(parser);

	if (argument)
		g_ptr_array_add(into, argument);
	return argument != NULL;
}

bool parse_byte_range(struct parser *parser, struct field_expr *field)
{
	const struct token *open, *first, *last;

	if (parser_peek(parser)->kind != TOKEN_LBRACKET)
		return true;
	parser->nest++;
	open = parser_next(parser);
	first = parser_expect(parser, TOKEN_NUMBER, "the first byte's number");
	last = first;
	if (first && parser_accept(parser, TOKEN_DOTDOT))
		last = parser_expect(parser, TOKEN_NUMBER, "the last byte's number");
	if (last && !parser_close_one(parser, open, TOKEN_RBRACKET))
		last = NULL;
	parser->nest--;
	if (!last)
		return false;
	if (first->number > last->number || last->number >= MAD_SIZE) {
		parser_refuse(parser, first->place,
			     "expected bytes from 0 to 255, the lower one first");
		return false;
	}
	field->has_range = true;
	field->first = (unsigned int)first->number;
	field->last = (unsigned int)last->number;
	return true;
}

bool parse_field_names(struct parser *parser, const char *what, GPtrArray *names)
{
	do {
		const struct token *name = parser_expect(parser, TOKEN_WORD, what);
		struct field_expr *field;

		if (!name)
			return false;
		field = arena_alloc(parser->arena, sizeof(*field));
		field->place = name->place;
		field->name = name->text;
		g_ptr_array_add(names, field);
	} while (parser_accept(parser, TOKEN_COMMA));
	return true;
}

/* mut=FIELD:VALUE, up to the value. */
static bool parse_mut(struct parser *parser, struct field_expr *field)
{
	const struct token *name = parser_expect(parser, TOKEN_WORD, "the field that mut= breaks");

	if (!name || !parser_expect(parser, TOKEN_COLON, "':' and its value"))
		return false;
	field->name = name->text;
	field->place = name->place;
	field->is_mut = true;
	return true;
}

static struct field_expr *parse_field(struct parser *parser, bool in_attribute)
{
	const struct token *name = parser_expect(parser, TOKEN_WORD, "the name of a field");
	struct field_expr *field;
	bool is_mut;

	if (!name)
		return NULL;
	field = arena_alloc(parser->arena, sizeof(*field));
	field->place = name->place;
	field->name = name->text;
	field->in_attribute = in_attribute;
	is_mut = !in_attribute && strcmp(field->name, "mut") == 0;
	if (!is_mut && !parse_byte_range(parser, field))
		return NULL;
	if (parser_peek(parser)->kind == TOKEN_EQUAL) {
		parser_error(parser, parser_peek(parser)->place,
			     "a field takes one '=', not '=='");
		return NULL;
	}
	if (!parser_expect(parser, TOKEN_ASSIGN, "'=' after the name of a field"))
		return NULL;
	if (is_mut && !parse_mut(parser, field))
		return NULL;
	field->value = parse_value(parser);
	return field->value ? field : NULL;
}

/* { Field=value ... }: fields of the attribute, on any number of lines. */
static bool parse_attribute_fields(struct parser *parser, GPtrArray *fields)
{
	const struct token *open = parser_next(parser);
	bool ok = true;

	parser->nest++;
	while (ok && parser_peek(parser)->kind != TOKEN_RBRACE) {
		struct field_expr *field;

		if (parser_peek(parser)->kind == TOKEN_END) {
			parser_error(parser, open->place, "this '{' is never closed");
			ok = false;
			break;
		}
		field = parse_field(parser, true);
		ok = field &&
		     parser_has_room(parser, field->place, fields, FIELDS_MAX);
		if (ok)
			g_ptr_array_add(fields, field);
		parser_accept(parser, TOKEN_COMMA);
	}
	if (ok)
		parser_next(parser);
	parser->nest--;
	return ok;
}

/* Behind a MAD in a row, paths[3] is the next value unless '=' follows: bytes[3]=1. */
static bool at_piece_of_row(struct parser *parser)
{
	enum token_kind behind;
	unsigned int close;

	if (!parser->in_row || parser->nest > 0)
		return false;
	parser->nest++;		/* '..' may be on the next line */
	close = parser_peek_at(parser, 3)->kind == TOKEN_DOTDOT ? 5 : 3;
	behind = parser_peek_at(parser, close + 1)->kind;
	parser->nest--;
	return behind != TOKEN_ASSIGN;
}

static bool at_field(struct parser *parser)
{
	enum token_kind next = parser_peek_at(parser, 1)->kind;

	if (parser_peek(parser)->kind != TOKEN_WORD ||
	    (parser->at_own_field && parser->at_own_field(parser)))
		return false;
	return next == TOKEN_LBRACKET ? !at_piece_of_row(parser) :
	       next == TOKEN_ASSIGN || next == TOKEN_EQUAL;
}

static bool at_attribute_fields(struct parser *parser)
{
	if (parser_peek(parser)->kind != TOKEN_LBRACE)
		return false;
	parser->nest++;		/* the first field may be on the next line */
	enum token_kind first = parser_peek_at(parser, 1)->kind;
	enum token_kind second = parser_peek_at(parser, 2)->kind;
	parser->nest--;
	return first == TOKEN_RBRACE || (first == TOKEN_WORD && second == TOKEN_ASSIGN);
}

bool parser_at_more_of_mad(struct parser *parser)
{
	return parser_peek(parser)->kind == TOKEN_LPAREN || at_field(parser) ||
	       at_attribute_fields(parser) || parser_at_word(parser, "exact");
}

static bool parse_all_fields(struct parser *parser, struct mad_expr *mad)
{
	for (;;) {
		if (at_field(parser)) {
			struct field_expr *field = parse_field(parser, false);

			if (!field ||
			    !parser_has_room(parser, field->place, mad->fields, FIELDS_MAX))
				return false;
			g_ptr_array_add(mad->fields, field);
		} else if (at_attribute_fields(parser)) {
			if (!parse_attribute_fields(parser, mad->fields))
				return false;
		} else if (parser_at_word(parser, "exact")) {
			parser_next(parser);
			mad->exact = true;
		} else {
			return true;
		}
	}
}

static struct mad_expr *new_mad(struct parser *parser, struct place place)
{
	struct mad_expr *mad = arena_alloc(parser->arena, sizeof(*mad));

	mad->place = place;
	mad->args = arena_array(parser->arena);
	mad->fields = arena_array(parser->arena);
	return mad;
}

struct mad_expr *parse_fields(struct parser *parser, struct place place)
{
	struct mad_expr *mad = new_mad(parser, place);

	return parse_all_fields(parser, mad) ? mad : NULL;
}

unsigned int mad_expr_weight(const struct mad_expr *mad)
{
	unsigned int weight = 1 + exprs_weight(mad->args);

	for (guint i = 0; i < mad->fields->len; i++)
		weight += ((const struct field_expr *)mad->fields->pdata[i])->value->weight + 1;
	return weight;
}

/* A MAD: $name, or NAME(ARGS) and fields. */
struct expr *parse_mad(struct parser *parser)
{
	const struct token *token = parser_peek(parser);
	const struct token *open;
	struct mad_expr *mad;
	struct expr *expr;
	bool ok;

	if (token->kind != TOKEN_WORD && token->kind != TOKEN_USE) {
		parser_expected(parser, "a MAD, such as VendGet(0x0010)");
		return NULL;
	}
	if (!parser_enter(parser))
		return NULL;
	parser_next(parser);
	mad = new_mad(parser, token->place);
	mad->name = token->text;
	mad->is_use = token->kind == TOKEN_USE;
	if (mad->is_use && !parser_at_more_of_mad(parser)) {
		expr = expr_new(parser, EXPR_USE, token->place);
		expr->text = token->text;
		parser_leave(parser);
		return expr;
	}
	open = parser_accept(parser, TOKEN_LPAREN);
	ok = !open || parse_list(parser, open, TOKEN_RPAREN, parse_argument, mad->args);
	ok = ok && parse_all_fields(parser, mad);
	parser_leave(parser);
	if (!ok)
		return NULL;
	expr = expr_new(parser, EXPR_MAD, token->place);
	expr->mad = mad;
	expr->weight = mad_expr_weight(mad);
	return expr;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls in scripts, and what they return; cells of a row, which may be MADs.
 */
#include "harness/script/parse/mad-expr.h"

static struct expr *parse_mad_or_value(struct parser *parser)
{
	guint at = parser->at;
	bool more;

	parser_next(parser);
	more = parser_at_more_of_mad(parser);
	parser->at = at;
	return more ? parse_mad(parser) : parse_value(parser);
}

static bool parse_call_arg(struct parser *parser, void *into)
{
	struct call_arg *arg = arena_alloc(parser->arena, sizeof(*arg));
	const struct token *token = parser_peek(parser);

	arg->place = token->place;
	if (token->kind == TOKEN_WORD && parser_peek_at(parser, 1)->kind == TOKEN_ASSIGN) {
		arg->name = token->text;
		parser_next(parser);
		parser_next(parser);
	}
	/* Arguments are separated by commas, so what follows $name belongs to it. */
	arg->value = !arg->name && token->kind == TOKEN_USE ? parse_mad_or_value(parser) :
		     parse_value_or_mad(parser);
	if (arg->value)
		g_ptr_array_add(into, arg);
	return arg->value != NULL;
}

static struct call_expr *new_call(struct parser *parser, const char *name, struct place place)
{
	struct call_expr *call = arena_alloc(parser->arena, sizeof(*call));

	call->place = place;
	call->name = name;
	call->args = arena_array(parser->arena);
	return call;
}

struct call_expr *parse_call(struct parser *parser)
{
	const struct token *name = parser_next(parser);
	const struct token *open = parser_next(parser);
	struct call_expr *call = new_call(parser, name->text, name->place);

	return parse_list(parser, open, TOKEN_RPAREN, parse_call_arg, call->args) ? call : NULL;
}

struct call_expr *parse_bare_args(struct parser *parser, const char *name, struct place place)
{
	struct call_expr *call = new_call(parser, name, place);
	struct call_arg *arg;

	while (parser_peek(parser)->kind == TOKEN_WORD) {
		if (parser_peek_at(parser, 1)->kind != TOKEN_ASSIGN) {
			parser_error(parser, parser_peek_at(parser, 1)->place,
				     "expected '=' after %s", parser_peek(parser)->text);
			return NULL;
		}
		arg = arena_alloc(parser->arena, sizeof(*arg));
		arg->place = parser_peek(parser)->place;
		arg->name = parser_next(parser)->text;
		parser_next(parser);
		arg->value = parse_value(parser);
		if (!arg->value)
			return NULL;
		g_ptr_array_add(call->args, arg);
	}
	return call;
}

bool parse_result(struct parser *parser, struct result_expr *result)
{
	if (!parser_accept(parser, TOKEN_ASSIGN))
		return true;
	result->value = parse_value(parser);
	if (!result->value)
		return false;
	parser_accept(parser, TOKEN_COMMA);
	result->umad = parse_fields(parser, parser_peek(parser)->place);
	if (!result->umad)
		return false;
	parser_accept(parser, TOKEN_COMMA);
	if (parser_peek(parser)->kind == TOKEN_WORD || parser_peek(parser)->kind == TOKEN_USE) {
		result->mad = parse_mad(parser);
		return result->mad != NULL;
	}
	return true;
}

struct expr *parse_cell(struct parser *parser)
{
	enum token_kind kind = parser_peek(parser)->kind;

	if (kind == TOKEN_PLUS || kind == TOKEN_STAR) {
		parser_error(parser, parser_peek(parser)->place,
			     "values of a row are side by side: what is computed stands in "
			     "brackets, such as (2 * 8)");
		return NULL;
	}
	return parser_at_mad(parser) ? parse_mad(parser) : parse_primary(parser);
}

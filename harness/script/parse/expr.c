/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser's lower half: values, MADs and calls.
 */
#include "harness/script/parse/parser.h"

#include <string.h>

#include "harness/script/tree/value.h"
#include "lib/base/wire.h"

static struct expr *new_expr(struct parser *parser, enum expr_kind kind, struct place place)
{
	struct expr *expr = arena_alloc(parser->arena, sizeof(*expr));

	expr->kind = kind;
	expr->place = place;
	expr->weight = 1;
	return expr;
}

static bool enter(struct parser *parser)
{
	if (parser->depth < PARSER_DEPTH_MAX) {
		parser->depth++;
		return true;
	}
	parser_refuse(parser, parser_peek(parser)->place,
		     "this is nested too deeply (%d levels at most)", PARSER_DEPTH_MAX);
	return false;
}

static void leave(struct parser *parser)
{
	parser->depth--;
}

/* Does the next token close something else than the innermost bracket, which 'close' closes? */
static bool at_other_close(struct parser *parser, enum token_kind close)
{
	enum token_kind kind = parser_peek(parser)->kind;

	return kind != close &&
	       (kind == TOKEN_RPAREN || kind == TOKEN_RBRACE || kind == TOKEN_RBRACKET);
}

/*
 * Parses values separated by commas, up to the 'close' that matches 'open', which has been taken.
 * 'one' parses one of them into 'into'; it returns false after it has diagnosed an error.
 */
static bool parse_list(struct parser *parser, const struct token *open, enum token_kind close,
		       bool (*one)(struct parser *parser, void *into), void *into)
{
	bool ok = true;

	parser->nest++;
	while (ok && !parser_accept(parser, close)) {
		if (parser_peek(parser)->kind == TOKEN_END) {
			parser_error(parser, open->place, "this '%s' is never closed",
				     close == TOKEN_RPAREN ? "(" : "{");
			ok = false;
			break;
		}
		if (at_other_close(parser, close)) {
			ok = parser_close(parser, open, close);
			break;
		}
		ok = one(parser, into);
		if (ok && !parser_accept(parser, TOKEN_COMMA)) {
			ok = parser_close(parser, open, close);
			break;
		}
	}
	parser->nest--;
	return ok;
}

static bool parse_item(struct parser *parser, void *into)
{
	struct expr *item = parse_value(parser);

	if (item)
		g_ptr_array_add(into, item);
	return item != NULL;
}

static unsigned int weight_of(const GPtrArray *exprs)
{
	unsigned int weight = 0;

	for (guint i = 0; i < exprs->len; i++)
		weight += ((const struct expr *)exprs->pdata[i])->weight;
	return weight;
}

static bool at_mad(struct parser *parser)
{
	return parser_peek(parser)->kind == TOKEN_WORD &&
	       parser_peek_at(parser, 1)->kind == TOKEN_LPAREN;
}

/* A value, or a MAD: of what takes either. */
static struct expr *parse_value_or_mad(struct parser *parser)
{
	return at_mad(parser) ? parse_mad(parser) : parse_value(parser);
}

static bool parse_argument(struct parser *parser, void *into)
{
	struct expr *argument = parse_value_or_mad(parser);

	if (argument)
		g_ptr_array_add(into, argument);
	return argument != NULL;
}

/* {Get, Set} */
static struct expr *parse_set(struct parser *parser)
{
	const struct token *open = parser_next(parser);
	struct expr *set = new_expr(parser, EXPR_SET, open->place);
	bool ok;

	set->items = arena_array(parser->arena);
	if (!enter(parser))
		return NULL;
	ok = parse_list(parser, open, TOKEN_RBRACE, parse_item, set->items);
	set->weight += weight_of(set->items);
	leave(parser);
	return ok ? set : NULL;
}

/* Can it be computed with? Whether a name is a number is known later. */
static bool is_computable(const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_NUMBER:
	case EXPR_TIME:
	case EXPR_WORD:
	case EXPR_USE:
	case EXPR_NEGATIVE:
	case EXPR_BINARY:
		return true;
	case EXPR_CAPTURE:
	case EXPR_STRING:
	case EXPR_SET:
	case EXPR_MAD:
	case EXPR_PIECE:
		return false;
	}
	return false;
}

static bool expect_computable(struct parser *parser, const struct expr *expr, const char *what)
{
	if (is_computable(expr))
		return true;
	diagnostics_form(parser->diagnostics);
	diagnose_expected(parser->diagnostics, expr, what);
	return false;
}

/* (a + b) */
static struct expr *parse_bracketed(struct parser *parser)
{
	const struct token *open;
	struct expr *expr;

	parser->nest++;
	open = parser_next(parser);
	if (at_mad(parser)) {
		parser_error(parser, parser_peek(parser)->place,
			     "expected a number or a time in brackets, found a MAD");
		parser->nest--;
		return NULL;
	}
	expr = parse_value(parser);
	if (expr && !expect_computable(parser, expr, "a number or a time in brackets"))
		expr = NULL;
	if (expr && !parser_close_one(parser, open, TOKEN_RPAREN))
		expr = NULL;
	parser->nest--;
	return expr;
}

static struct expr *parse_negative(struct parser *parser)
{
	struct expr *expr = new_expr(parser, EXPR_NEGATIVE, parser_next(parser)->place);
	const struct token *token = parser_peek(parser);
	struct expr *operand;

	if (token->kind == TOKEN_LPAREN) {
		expr->left = parse_bracketed(parser);
		expr->weight = expr->left ? 1 + expr->left->weight : 1;
		return expr->left ? expr : NULL;
	}
	if (token->kind == TOKEN_WORD || token->kind == TOKEN_NUMBER) {
		parser_next(parser);
		operand = new_expr(parser, token->kind == TOKEN_WORD ? EXPR_WORD : EXPR_NUMBER,
				   token->place);
		operand->text = token->text;
		operand->number = token->number;
		expr->left = operand;
		expr->weight = 2;
		expr->place.width += token->place.width;
		return expr;
	}
	parser_expected(parser, "a number or the name of an error after '-'");
	return NULL;
}

/* paths[3] */
static struct expr *parse_piece(struct parser *parser)
{
	const struct token *name = parser_next(parser);
	struct expr *expr = new_expr(parser, EXPR_PIECE, name->place);
	const struct token *open;

	expr->text = name->text;
	parser->nest++;
	open = parser_next(parser);
	expr->left = parse_value(parser);
	if (expr->left && !parser_close_one(parser, open, TOKEN_RBRACKET))
		expr->left = NULL;
	parser->nest--;
	if (!expr->left)
		return NULL;
	expr->weight = 1 + expr->left->weight;
	return expr;
}

static const char *token_source(const struct token *token)
{
	return token->place.source->text + token->place.offset;
}

/* "text", and "S1"[3], which is "S1[3]". */
static struct expr *parse_string(struct parser *parser)
{
	const struct token *token = parser_next(parser);
	struct expr *expr = new_expr(parser, EXPR_STRING, token->place);
	const struct token *open = parser_peek(parser), *number;
	g_autofree char *text = NULL;

	expr->text = token->text;
	if (open->kind != TOKEN_LBRACKET)
		return expr;
	parser->nest++;
	parser_next(parser);
	number = parser_expect(parser, TOKEN_NUMBER, "the number of a port");
	if (number && !parser_close_one(parser, open, TOKEN_RBRACKET))
		number = NULL;
	parser->nest--;
	if (!number)
		return NULL;
	text = g_strdup_printf("%s[%" G_GUINT64_FORMAT "]", token->text, number->number);
	expr->text = arena_text(parser->arena, text, strlen(text));
	expr->place.width = number->place.column + number->place.width + 1 - token->place.column;
	return expr;
}

struct expr *parse_port(struct parser *parser)
{
	struct expr *expr = parse_value(parser);
	g_autofree char *text = NULL;

	if (!expr || expr->kind != EXPR_PIECE || expr->left->kind != EXPR_NUMBER)
		return expr;
	text = g_strdup_printf("%s[%" G_GUINT64_FORMAT "]", expr->text, expr->left->number);
	expr->kind = EXPR_STRING;
	expr->text = arena_text(parser->arena, text, strlen(text));
	expr->weight = 1;
	return expr;
}

struct expr *parse_token(struct parser *parser)
{
	const struct token *token = parser_next(parser);
	struct expr *expr = new_expr(parser, token->kind == TOKEN_USE ? EXPR_USE :
				     token->kind == TOKEN_STRING ? EXPR_STRING : EXPR_WORD,
				     token->place);

	expr->text = token->text;
	return expr;
}

struct expr *parse_primary(struct parser *parser)
{
	const struct token *token = parser_peek(parser);
	struct expr *expr = NULL;

	switch (token->kind) {
	case TOKEN_NUMBER:
		expr = new_expr(parser, EXPR_NUMBER, token->place);
		expr->number = token->number;
		if (token->place.width > 2 && token_source(token)[1] == 'x')
			expr->text = arena_text(parser->arena, token_source(token),
						token->place.width);
		break;
	case TOKEN_TIME:
		expr = new_expr(parser, EXPR_TIME, token->place);
		expr->time_ns = token->time_ns;
		break;
	case TOKEN_WORD:
		if (parser_peek_at(parser, 1)->kind == TOKEN_LBRACKET)
			return parse_piece(parser);
		expr = new_expr(parser, EXPR_WORD, token->place);
		expr->text = token->text;
		break;
	case TOKEN_USE:
		expr = new_expr(parser, EXPR_USE, token->place);
		expr->text = token->text;
		break;
	case TOKEN_CAPTURE:
		expr = new_expr(parser, EXPR_CAPTURE, token->place);
		expr->text = token->text;
		break;
	case TOKEN_STRING:
		return parse_string(parser);
	case TOKEN_LBRACE:
		return parse_set(parser);
	case TOKEN_MINUS:
		return parse_negative(parser);
	case TOKEN_LPAREN:
		return parse_bracketed(parser);
	case TOKEN_END:
	case TOKEN_NEWLINE:
	case TOKEN_WRONG:
	case TOKEN_DECIMAL:
	case TOKEN_PERCENT:
	case TOKEN_RATIO:
	case TOKEN_RPAREN:
	case TOKEN_RBRACE:
	case TOKEN_LBRACKET:
	case TOKEN_RBRACKET:
	case TOKEN_COMMA:
	case TOKEN_COLON:
	case TOKEN_ASSIGN:
	case TOKEN_EQUAL:
	case TOKEN_NOT_EQUAL:
	case TOKEN_PLUS:
	case TOKEN_STAR:
	case TOKEN_TILDE:
	case TOKEN_LESS:
	case TOKEN_LESS_EQUAL:
	case TOKEN_GREATER:
	case TOKEN_GREATER_EQUAL:
	case TOKEN_DOTDOT:
		parser_expected(parser, "a value");
		return NULL;
	}
	parser_next(parser);
	return expr;
}

static char operation_of(enum token_kind kind)
{
	return kind == TOKEN_PLUS ? '+' : kind == TOKEN_MINUS ? '-' : kind == TOKEN_STAR ? '*' : 0;
}

static struct expr *combine(struct parser *parser, struct expr *left, char operation,
			    struct expr *right)
{
	struct expr *expr;

	if (!right || !expect_computable(parser, left, "a number or a time") ||
	    !expect_computable(parser, right, "a number or a time"))
		return NULL;
	expr = new_expr(parser, EXPR_BINARY, left->place);
	expr->operation = operation;
	expr->left = left;
	expr->right = right;
	expr->weight = left->weight + right->weight + 1;
	if (expr->weight > EXPR_WEIGHT_MAX) {
		parser_refuse(parser, left->place, "this expression is too long");
		return NULL;
	}
	return expr;
}

/* product = primary { * primary }; a primary may be a sum in brackets */
static struct expr *parse_product(struct parser *parser)
{
	struct expr *expr = parse_primary(parser);

	while (expr && parser_peek(parser)->kind == TOKEN_STAR) {
		parser_next(parser);
		expr = combine(parser, expr, '*', parse_primary(parser));
	}
	return expr;
}

struct expr *parse_value(struct parser *parser)
{
	struct expr *expr;

	if (!enter(parser))
		return NULL;
	if (parser->in_row && parser->nest == 0) {
		expr = parse_primary(parser);
		leave(parser);
		return expr;
	}
	expr = parse_product(parser);
	while (expr) {
		char operation = operation_of(parser_peek(parser)->kind);

		if (operation == 0)
			break;
		parser_next(parser);
		expr = combine(parser, expr, operation, parse_product(parser));
	}
	leave(parser);
	return expr;
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

static bool at_own_word(struct parser *parser)
{
	for (const char *const *word = parser->own_words; word && *word; word++) {
		if (parser_at_word(parser, *word))
			return true;
	}
	return false;
}

static bool at_field(struct parser *parser)
{
	enum token_kind next = parser_peek_at(parser, 1)->kind;

	if (parser_peek(parser)->kind != TOKEN_WORD || at_own_word(parser))
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

/* After $name: does a MAD continue here? */
static bool at_more_of_mad(struct parser *parser)
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
	unsigned int weight = 1 + weight_of(mad->args);

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
	if (!enter(parser))
		return NULL;
	parser_next(parser);
	mad = new_mad(parser, token->place);
	mad->name = token->text;
	mad->is_use = token->kind == TOKEN_USE;
	if (mad->is_use && !at_more_of_mad(parser)) {
		expr = new_expr(parser, EXPR_USE, token->place);
		expr->text = token->text;
		leave(parser);
		return expr;
	}
	open = parser_accept(parser, TOKEN_LPAREN);
	ok = !open || parse_list(parser, open, TOKEN_RPAREN, parse_argument, mad->args);
	ok = ok && parse_all_fields(parser, mad);
	leave(parser);
	if (!ok)
		return NULL;
	expr = new_expr(parser, EXPR_MAD, token->place);
	expr->mad = mad;
	expr->weight = mad_expr_weight(mad);
	return expr;
}

static struct expr *parse_mad_or_value(struct parser *parser)
{
	guint at = parser->at;
	bool more;

	parser_next(parser);
	more = at_more_of_mad(parser);
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
	return at_mad(parser) ? parse_mad(parser) : parse_primary(parser);
}

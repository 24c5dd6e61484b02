/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser's lower half: values.
 */
#include "harness/script/parse/expr.h"

#include <string.h>

#include "harness/script/tree/value.h"

struct expr *expr_new(struct parser *parser, enum expr_kind kind, struct place place)
{
	struct expr *expr = arena_alloc(parser->arena, sizeof(*expr));

	expr->kind = kind;
	expr->place = place;
	expr->weight = 1;
	return expr;
}

bool parser_enter(struct parser *parser)
{
	if (parser->depth < PARSER_DEPTH_MAX) {
		parser->depth++;
		return true;
	}
	parser_refuse(parser, parser_peek(parser)->place,
		     "this is nested too deeply (%d levels at most)", PARSER_DEPTH_MAX);
	return false;
}

void parser_leave(struct parser *parser)
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

bool parse_list(struct parser *parser, const struct token *open, enum token_kind close,
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

unsigned int exprs_weight(const GPtrArray *exprs)
{
	unsigned int weight = 0;

	for (guint i = 0; i < exprs->len; i++)
		weight += ((const struct expr *)exprs->pdata[i])->weight;
	return weight;
}

bool parser_at_mad(struct parser *parser)
{
	return parser_peek(parser)->kind == TOKEN_WORD &&
	       parser_peek_at(parser, 1)->kind == TOKEN_LPAREN;
}

/* {Get, Set} */
static struct expr *parse_set(struct parser *parser)
{
	const struct token *open = parser_next(parser);
	struct expr *set = expr_new(parser, EXPR_SET, open->place);
	bool ok;

	set->items = arena_array(parser->arena);
	if (!parser_enter(parser))
		return NULL;
	ok = parse_list(parser, open, TOKEN_RBRACE, parse_item, set->items);
	set->weight += exprs_weight(set->items);
	parser_leave(parser);
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
	if (parser_at_mad(parser)) {
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
	struct expr *expr = expr_new(parser, EXPR_NEGATIVE, parser_next(parser)->place);
	const struct token *token = parser_peek(parser);
	struct expr *operand;

	if (token->kind == TOKEN_LPAREN) {
		expr->left = parse_bracketed(parser);
		expr->weight = expr->left ? 1 + expr->left->weight : 1;
		return expr->left ? expr : NULL;
	}
	if (token->kind == TOKEN_WORD || token->kind == TOKEN_NUMBER) {
		parser_next(parser);
		operand = expr_new(parser, token->kind == TOKEN_WORD ? EXPR_WORD : EXPR_NUMBER,
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
	struct expr *expr = expr_new(parser, EXPR_PIECE, name->place);
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
	struct expr *expr = expr_new(parser, EXPR_STRING, token->place);
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
	struct expr *expr = expr_new(parser, token->kind == TOKEN_USE ? EXPR_USE :
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
		expr = expr_new(parser, EXPR_NUMBER, token->place);
		expr->number = token->number;
		if (token->place.width > 2 && token_source(token)[1] == 'x')
			expr->text = arena_text(parser->arena, token_source(token),
						token->place.width);
		break;
	case TOKEN_TIME:
		expr = expr_new(parser, EXPR_TIME, token->place);
		expr->time_ns = token->time_ns;
		break;
	case TOKEN_WORD:
		if (parser_peek_at(parser, 1)->kind == TOKEN_LBRACKET)
			return parse_piece(parser);
		expr = expr_new(parser, EXPR_WORD, token->place);
		expr->text = token->text;
		break;
	case TOKEN_USE:
		expr = expr_new(parser, EXPR_USE, token->place);
		expr->text = token->text;
		break;
	case TOKEN_CAPTURE:
		expr = expr_new(parser, EXPR_CAPTURE, token->place);
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
	expr = expr_new(parser, EXPR_BINARY, left->place);
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

	if (!parser_enter(parser))
		return NULL;
	if (parser->in_row && parser->nest == 0) {
		expr = parse_primary(parser);
		parser_leave(parser);
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
	parser_leave(parser);
	return expr;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How a line "fault" is read: its parts come in any order, become named arguments, and a MAD with
 * what rules can look at. Words of filters are refused with what rules have instead.
 */
#include "harness/script/verb/fault-line.h"

#include <string.h>

#include "harness/script/parse/mad-expr.h"
#include "sim/fabric/fault-action.h"
#include "sim/fabric/fault-filter-word.h"
#include "sim/fabric/lie.h"

static bool add_argument(struct parser *parser, struct fault_step *line, GPtrArray *args,
			 const char *name, const struct expr *value)
{
	struct call_arg *arg = arena_alloc(parser->arena, sizeof(*arg));

	if (!value)
		return false;
	if (fault_argument(line, name)) {
		parser_refuse(parser, value->place, "'%s' is given twice", name);
		return false;
	}
	arg->place = value->place;
	arg->name = name;
	arg->value = value;
	g_ptr_array_add(args, arg);
	return true;
}

/* Words that stand alone, besides 'mended'. */
static const char *const plain_words[] = { "packet", "overrun", "unread" };

/* Words with a value behind them. */
static const char *const value_words[] = { "after", "by", "at" };

/* rmpp=data, rmpp=none, mod=: other spellings of what scenarios have. */
static void spell_rmpp(struct parser *parser, const GPtrArray *fields)
{
	for (guint i = 0; i < fields->len; i++) {
		struct field_expr *field = fields->pdata[i];
		struct expr *value;

		if (strcmp(field->name, "mod") == 0)
			field->name = "modifier";
		if (strcmp(field->name, "rmpp") != 0 || field->value->kind != EXPR_WORD)
			continue;
		value = arena_alloc(parser->arena, sizeof(*value));
		*value = *field->value;
		if (g_ascii_strcasecmp(value->text, "none") == 0) {
			value->kind = EXPR_NUMBER;
			value->number = 0;
			value->text = NULL;
		} else {
			g_autofree char *upper = g_ascii_strup(value->text, -1);

			value->text = arena_text(parser->arena, upper, strlen(upper));
		}
		field->value = value;
	}
}

/* Refuses fields that filters of captures have, with what rules have instead. */
static bool refuse_filter_fields(struct parser *parser, const GPtrArray *fields)
{
	for (guint i = 0; i < fields->len; i++) {
		const struct field_expr *field = fields->pdata[i];
		const char *reason = field->in_attribute ? NULL :
				     fault_filter_word_reason(field->name, true);

		if (!reason)
			continue;
		parser_refuse(parser, field->place, "'%s': %s", field->name, reason);
		return true;
	}
	return false;
}

/* Only fields, such as class=SA rmpp=ACK, which may be in several places. */
static bool parse_which_fields(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	struct place place = parser_peek(parser)->place;
	struct mad_expr *fields = parse_fields(parser, place);
	struct expr *expr;

	if (!fields || refuse_filter_fields(parser, fields->fields))
		return false;
	spell_rmpp(parser, fields->fields);
	if (line->mad && line->mad->kind == EXPR_MAD) {
		for (guint i = 0; i < fields->fields->len; i++)
			g_ptr_array_add(line->mad->mad->fields, fields->fields->pdata[i]);
		return true;
	}
	if (line->mad && !add_argument(parser, line, args, "count", line->mad))
		return false;
	expr = arena_alloc(parser->arena, sizeof(*expr));
	expr->kind = EXPR_MAD;
	expr->place = place;
	expr->weight = 1;
	expr->mad = fields;
	line->mad = expr;
	return true;
}

/* A MAD with its method; $name may turn out to be a number, of packets. */
static bool parse_which(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	struct place place = parser_peek(parser)->place;
	const struct expr *before = line->mad;
	struct expr *expr = parse_mad(parser);

	if (!expr)
		return false;
	if (before && expr->kind == EXPR_USE)
		return add_argument(parser, line, args, "count", expr);
	if (before && before->kind == EXPR_USE) {
		if (!add_argument(parser, line, args, "count", before))
			return false;
	} else if (before) {
		parser_refuse(parser, place, "the MAD comes once, and before other fields of it");
		return false;
	}
	if (expr->kind == EXPR_MAD && refuse_filter_fields(parser, expr->mad->fields))
		return false;
	if (expr->kind == EXPR_MAD)
		spell_rmpp(parser, expr->mad->fields);
	line->mad = expr;
	return true;
}

static struct expr *new_string(struct parser *parser, struct place place, const char *text)
{
	struct expr *expr = arena_alloc(parser->arena, sizeof(*expr));

	expr->kind = EXPR_STRING;
	expr->place = place;
	expr->weight = 1;
	expr->text = arena_text(parser->arena, text, strlen(text));
	return expr;
}

/* bits=8-15, flips=2, skip=2: also behind fields of the MAD, of which they are none. */
static const char *const own_words[] = { "bits", "flips", "skip", NULL };

/* False: diagnosed; '*ret_is' whether it is one of these. */
static bool parse_own_field(struct parser *parser, struct fault_step *line, GPtrArray *args,
			    bool *ret_is)
{
	const struct token *name = parser_peek(parser), *first, *last;
	g_autofree char *text = NULL;
	size_t i;

	for (i = 0; own_words[i] && !parser_at_word(parser, own_words[i]); i++)
		continue;
	*ret_is = own_words[i] && parser_peek_at(parser, 1)->kind == TOKEN_ASSIGN;
	if (!*ret_is)
		return true;
	parser_next(parser);
	parser_next(parser);
	if (i == 2)
		return add_argument(parser, line, args, "after", parse_value(parser));
	if (i == 1)
		return add_argument(parser, line, args, "flips", parse_value(parser));
	first = parser_expect(parser, TOKEN_NUMBER, "a bit, or the first and the last: 8-15");
	last = first;
	if (first && parser_accept(parser, TOKEN_MINUS))
		last = parser_expect(parser, TOKEN_NUMBER, "the last bit");
	if (!last)
		return false;
	text = g_strdup_printf("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, first->number,
			       last->number);
	return add_argument(parser, line, args, "bits", new_string(parser, name->place, text));
}

/* Is NAME=VALUE what a lie is about? Only there has a value a '+'. */
static bool at_lie(struct parser *parser)
{
	const struct token *name = parser_peek(parser);
	g_autofree char *text = NULL;
	const char *suggestion;

	if (name->kind != TOKEN_WORD || parser_peek_at(parser, 1)->kind != TOKEN_ASSIGN)
		return false;
	text = g_strconcat(name->text, "=", NULL);
	return parser_peek_at(parser, 2)->kind == TOKEN_PLUS ||
	       (lie_names_field(text) && !term_find(name->text, MAD_ASKED, &suggestion));
}

static bool at_own_field(struct parser *parser)
{
	for (size_t i = 0; own_words[i]; i++) {
		if (parser_at_word(parser, own_words[i]))
			return true;
	}
	return at_lie(parser);
}

/* NodeInfo.LocalPort=255, =+1, =-1, =random, and fields that the MAD has behind it. */
static bool parse_lie(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	const struct token *name = parser_next(parser);
	enum token_kind sign = parser_peek_at(parser, 1)->kind;
	g_autofree char *text = g_strdup_printf("%s=%s", name->text, sign == TOKEN_PLUS ? "+" :
						sign == TOKEN_MINUS ? "-" : "");

	parser_next(parser);
	if (!lie_names_field(text)) {
		parser_refuse(parser, name->place, "'+' goes with the field of a lie only");
		return false;
	}
	parser_accept(parser, TOKEN_PLUS);
	line->lie = arena_text(parser->arena, text, strlen(text));
	return add_argument(parser, line, args, "lie", parse_value(parser)) &&
	       (parser_peek(parser)->kind == TOKEN_LPAREN || !parser_at_more_of_mad(parser) ||
		parse_which_fields(parser, line, args));
}

/* "SubnGetResp(PortInfo) LinkState=Down": a filter, in quotes as on a command line. */
static bool parse_filter(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	if (parser_peek(parser)->kind == TOKEN_STRING)
		return add_argument(parser, line, args, "where", parse_token(parser));
	parser_expected(parser, "a filter in quotes, such as \"SubnGetResp(PortInfo) "
			"LinkState=Down\"");
	return false;
}

/* One of the words that say how, with its value. False: diagnosed; '*ret_is' whether it is one. */
static bool parse_how(struct parser *parser, struct fault_step *line, GPtrArray *args,
		      bool *ret_is)
{
	enum lie_kind kind;

	*ret_is = true;
	if (lie_kind_find(parser_peek(parser)->text, &kind) &&
	    parser_peek_at(parser, 1)->kind != TOKEN_ASSIGN)
		return add_argument(parser, line, args, "lie", parse_token(parser));
	if (parser_at_word(parser, "mended"))
		return add_argument(parser, line, args, "mended", parse_token(parser));
	for (size_t i = 0; i < G_N_ELEMENTS(plain_words); i++) {
		if (parser_at_word(parser, plain_words[i]) &&
		    parser_peek_at(parser, 1)->kind != TOKEN_ASSIGN)
			return add_argument(parser, line, args, plain_words[i],
					    parse_token(parser));
	}
	if (parser_accept_word(parser, "where"))
		return parse_filter(parser, line, args);
	for (size_t i = 0; i < G_N_ELEMENTS(value_words); i++) {
		if (parser_accept_word(parser, value_words[i]))
			return add_argument(parser, line, args, value_words[i],
					    parse_value(parser));
	}
	for (size_t i = 0; fault_ways[i]; i++) {
		const struct expr *port;

		if (!parser_accept_word(parser, fault_ways[i]))
			continue;
		port = parse_port(parser);
		if (!port || !fault_has_way(line))
			return add_argument(parser, line, args, fault_ways[i], port);
		parser_refuse(parser, port->place, "'from', 'to' or 'on' is given twice");
		return false;
	}
	if (parser_at_word(parser, "all"))
		return add_argument(parser, line, args, "count", parse_token(parser));
	return parse_own_field(parser, line, args, ret_is);
}

static bool is_comparison(enum token_kind kind)
{
	return kind == TOKEN_ASSIGN || kind == TOKEN_EQUAL || kind == TOKEN_NOT_EQUAL ||
	       kind == TOKEN_LESS || kind == TOKEN_LESS_EQUAL || kind == TOKEN_GREATER ||
	       kind == TOKEN_GREATER_EQUAL;
}

/*
 * Refuses what filters of captures have, with what rules have instead. 'from=' is no sentence of
 * the language, frame=7 is a field that nothing has here.
 */
static bool refuse_filter_word(struct parser *parser, const struct token *token,
			       enum token_kind next)
{
	const char *reason = fault_filter_word_reason(token->text, is_comparison(next));

	if (!reason)
		return false;
	(next == TOKEN_ASSIGN && !fault_is_way(token->text) ? parser_refuse : parser_error)(
		parser, token->place, "'%s': %s", token->text, reason);
	return true;
}

/* One part of the line. False: diagnosed, or ('*ret_is' false) the line is over. */
static bool parse_part(struct parser *parser, struct fault_step *line, GPtrArray *args,
		       bool *ret_is)
{
	const struct token *token = parser_peek(parser);
	enum token_kind next = parser_peek_at(parser, 1)->kind;

	*ret_is = true;
	switch ((int)token->kind) {
	case TOKEN_PERCENT:
	case TOKEN_RATIO:
		parser_next(parser);
		return add_argument(parser, line, args, "rate",
				    new_string(parser, token->place, token->text));
	case TOKEN_NUMBER:
	case TOKEN_LPAREN:
		return add_argument(parser, line, args, "count", parse_value(parser));
	case TOKEN_USE:
		return parse_which(parser, line, args);
	case TOKEN_WORD:
		if (refuse_filter_word(parser, token, next))
			return false;
		if (!parse_how(parser, line, args, ret_is))
			return false;
		if (*ret_is)
			return true;
		*ret_is = true;
		if (next == TOKEN_LPAREN)
			return parse_which(parser, line, args);
		if (at_lie(parser))
			return parse_lie(parser, line, args);
		if (next == TOKEN_ASSIGN)
			return parse_which_fields(parser, line, args);
		break;
	}
	*ret_is = false;
	return false;
}

bool fault_parse_line(struct parser *parser, struct fault_step *line)
{
	const struct token *act = parser_peek(parser);
	struct call_expr *call = arena_alloc(parser->arena, sizeof(*call));
	GPtrArray *args = arena_array(parser->arena);
	bool is_part;

	call->place = act->place;
	call->name = "fault";
	call->args = args;
	line->call = call;
	/* The value of $name is not known yet: check_fault() checks it. */
	if (act->kind == TOKEN_WORD && !fault_action_find(act->text)) {
		g_autofree char *words = fault_action_words(0, "or");

		parser_error(parser, act->place, "expected %s", words);
		return false;
	}
	if (!add_argument(parser, line, args, "act", parse_token(parser)))
		return false;
	parser->at_own_field = at_own_field;
	while (parse_part(parser, line, args, &is_part))
		continue;
	parser->at_own_field = NULL;
	return !is_part;
}

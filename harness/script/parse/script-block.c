/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What makes many points of one scenario, and blocks: on sim|hw { ... }, each (names) { rows } do { ... },
 * vary NAME in v, v, A..B.
 */
#include "harness/script/parse/script-parser.h"

#include <string.h>

/* Statements up to '}', into 'items'. */
static bool parse_block(struct parser *parser, GPtrArray *items)
{
	GPtrArray *outer = parser->items;
	const struct token *open = parser_expect(parser, TOKEN_LBRACE, "'{'");
	bool ok = true;

	if (open == NULL)
		return false;
	if (parser->depth >= PARSER_DEPTH_MAX) {
		parser_error(parser, open->place, "this is nested too deeply");
		return false;
	}
	parser->depth++;
	parser->items = items;
	while (parser_peek(parser)->kind != TOKEN_RBRACE) {
		if (parser_peek(parser)->kind == TOKEN_END) {
			parser_error(parser, open->place, "this '{' is never closed");
			ok = false;
			break;
		}
		parse_statement(parser, true);
	}
	if (ok)
		parser_next(parser);
	parser->items = outer;
	parser->depth--;
	return ok;
}

bool parse_on(struct parser *parser)
{
	struct item *item = script_alloc(parser->script, sizeof(*item));

	item->kind = ITEM_ON;
	item->place = parser_peek(parser)->place;
	item->items = script_array(parser->script);
	if (parser_accept_word(parser, "sim"))
		item->on_sim = true;
	else if (!parser_accept_word(parser, "hw")) {
		parser_expected(parser, "'sim' or 'hw'");
		return false;
	}
	if (parser->items == NULL) {
		parser_error(parser, item->place, "events belong to a scenario");
		return false;
	}
	g_ptr_array_add(parser->items, item);
	return parse_block(parser, item->items);
}

/* A row's name where it gives none: its text, blanks made one, '#' (which TAP knows) left out. */
static const char *row_text(struct parser *parser, const struct token *first)
{
	const struct source *source = first->place.source;
	const struct token *last = &g_array_index(parser->tokens, struct token, parser->at - 1);
	size_t end = last->place.offset + last->place.width;
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = first->place.offset; i < end && i < source->size; i++) {
		char c = source->text[i];

		if (c == '#')
			break;
		if (!g_ascii_isspace(c))
			g_string_append_c(text, c);
		else if (text->len > 0 && text->str[text->len - 1] != ' ')
			g_string_append_c(text, ' ');
	}
	return script_text(parser->script, text->str, text->len);
}

/* 'tags': those of the rows from here on, or NULL. */
static bool parse_row(struct parser *parser, struct each_block *each, const GPtrArray *tags)
{
	struct each_row *row = script_alloc(parser->script, sizeof(*row));
	const struct token *first = parser_peek(parser);

	row->place = first->place;
	row->tags = tags;
	row->cells = script_array(parser->script);
	if (first->kind == TOKEN_STRING && parser_peek_at(parser, 1)->kind == TOKEN_COLON) {
		row->label = first->text;
		parser_next(parser);
		parser_next(parser);
		parser_accept(parser, TOKEN_NEWLINE);
	}
	while (parser_peek(parser)->kind != TOKEN_NEWLINE &&
	       parser_peek(parser)->kind != TOKEN_RBRACE &&
	       parser_peek(parser)->kind != TOKEN_END) {
		struct expr *cell = parse_cell(parser);

		if (cell == NULL)
			return false;
		g_ptr_array_add(row->cells, cell);
		parser_accept(parser, TOKEN_COMMA);
	}
	if (row->cells->len != each->params->len) {
		parser_error(parser, row->place, "this row has %u values, the head names %u",
			     row->cells->len, each->params->len);
		return true;
	}
	if (row->label == NULL)
		row->label = row_text(parser, first);
	g_ptr_array_add(each->rows, row);
	return true;
}

static bool parse_rows(struct parser *parser, struct each_block *each)
{
	const struct token *open = parser_expect(parser, TOKEN_LBRACE, "'{' and the rows");
	GPtrArray *tags = NULL;

	if (open == NULL)
		return false;
	for (;;) {
		guint from = parser->at;

		if (parser_accept(parser, TOKEN_NEWLINE))
			continue;
		if (parser_accept(parser, TOKEN_RBRACE))
			return true;
		if (parser_peek(parser)->kind == TOKEN_END) {
			parser_error(parser, open->place, "this '{' is never closed");
			return false;
		}
		if (parser_at_word(parser, "tags") &&
		    parser_peek_at(parser, 1)->kind == TOKEN_WORD) {
			parser_next(parser);
			tags = script_array(parser->script);
			if (!parse_tag_list(parser, tags))
				parser_skip(parser, from);
			continue;
		}
		parser->in_row = true;
		if (!parse_row(parser, each, tags))
			parser_skip(parser, from);
		parser->in_row = false;
	}
}

/* each (a, b) { rows } do { events } */
bool parse_each(struct parser *parser, struct place place)
{
	struct each_block *each = script_alloc(parser->script, sizeof(*each));
	struct item *item = script_alloc(parser->script, sizeof(*item));

	each->params = script_array(parser->script);
	each->rows = script_array(parser->script);
	each->items = script_array(parser->script);
	item->kind = ITEM_EACH;
	item->place = place;
	item->each = each;
	if (parser->items == NULL || parser->items != parser->scenario->items) {
		parser_error(parser, place,
			     "'each' stands in a scenario, and not in another block");
		return false;
	}
	if (!parser_expect(parser, TOKEN_LPAREN, "'(' and the names"))
		return false;
	do {
		const struct token *param = parser_expect(parser, TOKEN_WORD, "a name");

		if (param == NULL)
			return false;
		g_ptr_array_add(each->params, (void *)param->text);
	} while (parser_accept(parser, TOKEN_COMMA));
	if (!parser_expect(parser, TOKEN_RPAREN, "',' or ')'") || !parse_rows(parser, each))
		return false;
	while (parser_accept(parser, TOKEN_NEWLINE))
		;
	if (!parser_accept_word(parser, "do")) {
		parser_expected(parser, "'do' and the events in braces");
		return false;
	}
	g_ptr_array_add(parser->items, item);
	return parse_block(parser, each->items);
}

/* ---- vary ---- */

/* A value that is known before the scenario runs; the name of an earlier 'vary' is one too. */
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
	const struct expr *value = parse_value(parser);

	if (value == NULL || is_varied_value(value))
		return value;
	parser_error(parser, value->place,
		     "what varies is a number, a time, a word, a string or a set; for MADs use 'each'");
	return NULL;
}

static bool add_vary_name(struct parser *parser, struct vary *vary)
{
	const struct token *name = parser_expect(parser, TOKEN_WORD, "the name of what varies");

	if (name == NULL)
		return false;
	for (guint i = 0; i < parser->settings->varies->len; i++) {
		const struct vary *other = parser->settings->varies->pdata[i];

		if (!g_ptr_array_find_with_equal_func(other->names, name->text, g_str_equal, NULL))
			continue;
		parser_error(parser, name->place, "%s varies already, in line %u", name->text,
			     other->place.line);
		return false;
	}
	if (vary->place.source == NULL)
		vary->place = name->place;
	g_ptr_array_add(vary->names, (void *)name->text);
	return true;
}

/* NAME, (NAME, NAME) */
static bool parse_vary_names(struct parser *parser, struct vary *vary)
{
	const struct token *open = parser_accept(parser, TOKEN_LPAREN);

	do {
		if (!add_vary_name(parser, vary))
			return false;
	} while (open != NULL && parser_accept(parser, TOKEN_COMMA));
	return open == NULL || parser_close(parser, open, TOKEN_RPAREN);
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

	if (open == NULL)
		return false;
	do {
		if (!add_vary_value(parser, choice))
			return false;
	} while (parser_accept(parser, TOKEN_COMMA));
	if (choice->values->len == vary->names->len)
		return parser_close(parser, open, TOKEN_RPAREN);
	parser_error(parser, open->place, "here are %u values, the head names %u",
		     choice->values->len, vary->names->len);
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
	struct vary *vary = script_alloc(parser->script, sizeof(*vary));
	bool tuples = parser_peek(parser)->kind == TOKEN_LPAREN;

	vary->names = script_array(parser->script);
	vary->choices = script_array(parser->script);
	if (!parse_vary_names(parser, vary))
		return false;
	if (!parser_accept_word(parser, "in")) {
		parser_expected(parser, "'in' and the values");
		return false;
	}
	do {
		struct vary_choice *choice = script_alloc(parser->script, sizeof(*choice));

		choice->values = script_array(parser->script);
		/* A list may go on in the next line, behind a comma. */
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

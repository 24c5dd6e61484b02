/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Blocks: on sim|hw { ... } and each (names) { rows } do { ... }.
 */
#include "harness/script/parse/parser.h"

#include <string.h>

/*
 * Is a scenario next, although the block that 'open' opens is closed nowhere? The '}' was
 * forgotten, and everything behind it is as it should be.
 */
static bool at_unclosed_end(struct parser *parser, const struct token *open)
{
	int depth = 0;

	if (!parser_at_word(parser, "scenario") || parser_peek_at(parser, 1)->kind != TOKEN_STRING)
		return false;
	for (const struct token *token = open; token->kind != TOKEN_END; token++) {
		depth += token->kind == TOKEN_LBRACE;
		depth -= token->kind == TOKEN_RBRACE;
		if (depth == 0)
			return false;
	}
	return true;
}

/* Reports that 'open' is not closed before the next token, and goes on as if it were. */
static void report_unclosed(struct parser *parser, const struct token *open)
{
	const struct token *next = parser_peek(parser);

	parser_error(parser, open->place, "no '}' closes this before '%s' in line %u", next->text,
		     next->place.line);
	/* The end of the line before belongs to the block. */
	if (next[-1].kind == TOKEN_NEWLINE)
		parser->at--;
}

/* Parses statements up to '}', into 'items'. */
static bool parse_block(struct parser *parser, GPtrArray *items)
{
	GPtrArray *outer = parser->items;
	const struct token *open = parser_expect(parser, TOKEN_LBRACE, "'{'");
	bool ok = true, closed = false;

	if (!open)
		return false;
	if (parser->depth >= PARSER_DEPTH_MAX) {
		parser_refuse(parser, open->place, "this is nested too deeply");
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
		if (at_unclosed_end(parser, open)) {
			report_unclosed(parser, open);
			closed = true;
			break;
		}
		parser->statement(parser, true);
	}
	if (ok && !closed)
		parser_next(parser);
	parser->items = outer;
	parser->depth--;
	return ok;
}

bool parse_on(struct parser *parser)
{
	struct item *item = arena_alloc(parser->arena, sizeof(*item));

	item->kind = ITEM_ON;
	item->place = parser_peek(parser)->place;
	item->items = arena_array(parser->arena);
	if (parser_accept_word(parser, "sim"))
		item->on_sim = true;
	else if (!parser_accept_word(parser, "hw")) {
		parser_expected(parser, "'sim' or 'hw'");
		return false;
	}
	if (!parser->items) {
		parser_error(parser, item->place, "events belong to a scenario");
		return false;
	}
	g_ptr_array_add(parser->items, item);
	return parse_block(parser, item->items);
}

/*
 * The name of a row that gives none: its text, with blanks squeezed and without '#', which TAP
 * interprets.
 */
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
	return arena_text(parser->arena, text->str, text->len);
}

/* 'tags': those of the rows from here on, or NULL. */
static bool parse_row(struct parser *parser, struct each_block *each, const GPtrArray *tags)
{
	struct each_row *row = arena_alloc(parser->arena, sizeof(*row));
	const struct token *first = parser_peek(parser);

	row->place = first->place;
	row->tags = tags;
	row->cells = arena_array(parser->arena);
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

		if (!cell)
			return false;
		g_ptr_array_add(row->cells, cell);
		parser_accept(parser, TOKEN_COMMA);
	}
	if (row->cells->len != each->params->len) {
		parser_refuse(parser, row->place, "expected %u values in the row, found %u",
			     each->params->len, row->cells->len);
		return true;
	}
	if (!row->label)
		row->label = row_text(parser, first);
	g_ptr_array_add(each->rows, row);
	return true;
}

/* Tags of rows have a line of their own. */
static bool parse_row_end(struct parser *parser)
{
	if (parser_peek(parser)->kind == TOKEN_NEWLINE ||
	    parser_peek(parser)->kind == TOKEN_RBRACE)
		return true;
	parser_expected(parser, "the end of the line");
	return false;
}

static bool parse_rows(struct parser *parser, struct each_block *each)
{
	const struct token *open = parser_expect(parser, TOKEN_LBRACE, "'{' and the rows");
	GPtrArray *tags = NULL;

	if (!open)
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
		if (parser_at_word(parser, "do")) {
			report_unclosed(parser, open);
			return parser_peek_at(parser, 1)->kind == TOKEN_LBRACE;
		}
		if (parser_accept_word(parser, "tags")) {
			tags = arena_array(parser->arena);
			if (!parse_tag_list(parser, tags) || !parse_row_end(parser))
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
	struct each_block *each = arena_alloc(parser->arena, sizeof(*each));
	struct item *item = arena_alloc(parser->arena, sizeof(*item));
	const struct token *open;

	each->params = arena_array(parser->arena);
	each->rows = arena_array(parser->arena);
	each->items = arena_array(parser->arena);
	item->kind = ITEM_EACH;
	item->place = place;
	item->each = each;
	if (!parser->items || parser->items != parser->scenario->items) {
		parser_error(parser, place,
			     "'each' cannot be inside another block, or outside a scenario");
		return false;
	}
	open = parser_expect(parser, TOKEN_LPAREN, "'(' and the names");
	if (!open)
		return false;
	parser->nest++;
	do {
		const struct token *param = parser_expect(parser, TOKEN_WORD, "a name");

		if (!param)
			return false;
		g_ptr_array_add(each->params, (void *)param->text);
	} while (parser_accept(parser, TOKEN_COMMA));
	if (!parser_close(parser, open, TOKEN_RPAREN))
		return false;
	parser->nest--;
	if (!parse_rows(parser, each))
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

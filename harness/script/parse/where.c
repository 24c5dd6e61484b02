/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * where FIELD == VALUE [and FIELD == VALUE ...]: selects MADs of a capture.
 */
#include "harness/script/parse/parser.h"

struct mad_expr *parse_where(struct parser *parser)
{
	struct mad_expr *where = arena_alloc(parser->arena, sizeof(*where));

	where->place = parser_peek(parser)->place;
	where->args = arena_array(parser->arena);
	where->fields = arena_array(parser->arena);
	do {
		struct field_expr *field = arena_alloc(parser->arena, sizeof(*field));
		const struct token *name = parser_expect(parser, TOKEN_WORD, "the name of a field");

		if (!name || !parser_expect(parser, TOKEN_EQUAL, "'==' and its value"))
			return NULL;
		field->place = name->place;
		field->name = name->text;
		field->value = parse_value(parser);
		if (!field->value)
			return NULL;
		g_ptr_array_add(where->fields, field);
	} while (parser_accept_word(parser, "and"));
	return where;
}

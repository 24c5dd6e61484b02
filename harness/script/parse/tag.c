/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Names that may have dashes, and lists of them: tags.
 */
#include "harness/script/parse/parser.h"

#include <string.h>

const char *parse_dashed(struct parser *parser)
{
	const struct token *token = parser_accept(parser, TOKEN_STRING);
	g_autoptr(GString) name = g_string_new(NULL);

	if (token)
		return token->text;
	token = parser_expect(parser, TOKEN_WORD, "a name");
	if (!token)
		return NULL;
	g_string_append(name, token->text);
	while (parser_peek(parser)->kind == TOKEN_MINUS &&
	       parser_peek_at(parser, 1)->kind == TOKEN_WORD) {
		parser_next(parser);
		g_string_append_printf(name, "-%s", parser_next(parser)->text);
	}
	return arena_text(parser->arena, name->str, name->len);
}

bool parse_tag_list(struct parser *parser, GPtrArray *tags)
{
	do {
		const char *tag = parse_dashed(parser);
		g_autofree char *full = NULL;

		if (!tag ||
		    !parser_has_room(parser, parser_peek(parser)->place, tags, SETTINGS_MAX))
			return false;
		if (parser_accept(parser, TOKEN_COLON)) {
			const struct token *number = parser_expect(parser, TOKEN_NUMBER,
								   "a number after ':'");

			if (!number)
				return false;
			full = g_strdup_printf("%s:%" G_GUINT64_FORMAT, tag, number->number);
			tag = arena_text(parser->arena, full, strlen(full));
		}
		g_ptr_array_add(tags, (void *)tag);
		parser_accept(parser, TOKEN_COMMA);
	} while (parser_peek(parser)->kind == TOKEN_WORD ||
		 parser_peek(parser)->kind == TOKEN_STRING);
	return true;
}

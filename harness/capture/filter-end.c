/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ends in filters: ports, LIDs and GIDs, each a word up to the next blank, of any characters.
 */
#include "harness/capture/filter-end.h"

#include <arpa/inet.h>
#include <string.h>

#include "lib/words/number.h"

const char *const filter_end_words[] = { "port", "from", "to", "sgid", "dgid", NULL };

/* The length of "port=", "from!=" and the like at 'at'; 0: there is none. */
static size_t end_prefix(const char *at)
{
	for (const char *const *word = filter_end_words; *word; word++) {
		size_t length = strlen(*word);

		if (strncmp(at, *word, length) != 0)
			continue;
		at += length;
		if (g_str_has_prefix(at, "==") || g_str_has_prefix(at, "!="))
			return length + 2;
		return *at == '=' ? length + 1 : 0;
	}
	return 0;
}

static bool is_in_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '.';
}

char *filter_mask_ends(const char *text)
{
	char *masked = g_strdup(text);
	bool quoted = false, in_braces = false;

	for (size_t at = 0; masked[at]; at++) {
		size_t prefix;

		if (masked[at] == '\\' && quoted && masked[at + 1])
			at++;
		else if (masked[at] == '"')
			quoted = !quoted;
		if (!quoted && (masked[at] == '{' || masked[at] == '}'))
			in_braces = masked[at] == '{';
		if (quoted || in_braces || (at > 0 && is_in_word(masked[at - 1])))
			continue;
		prefix = end_prefix(masked + at);
		if (!prefix || masked[at + prefix] == '"')
			continue;
		for (at += prefix; masked[at] && !g_ascii_isspace(masked[at]); at++)
			masked[at] = 'x';
		at--;
	}
	return masked;
}

/* RoCE's addresses on IPv4 are GIDs that end in the IPv4 address. */
static bool gid_of(const char *text, uint8_t ret[16])
{
	if (inet_pton(AF_INET, text, ret + 12) != 1)
		return inet_pton(AF_INET6, text, ret) == 1;
	memset(ret, 0, 10);
	memset(ret + 10, 0xff, 2);
	return true;
}

const char *filter_take_end(struct parser *parser, struct place *ret_place)
{
	const struct token *token = parser_peek(parser);

	*ret_place = token->place;
	if (token->kind == TOKEN_STRING)
		return parser_next(parser)->text;
	if (token->kind != TOKEN_WORD) {
		parser_error(parser, token->place, "expected a port here, such as H1[1], a LID or "
			     "a GID");
		return NULL;
	}
	parser_next(parser);
	return arena_text(parser->arena, token->place.source->text + token->place.offset,
			  token->place.width);
}

bool filter_end_address(struct filter_test *test)
{
	uint64_t lid;

	if (number_parse(test->text, 0, 0xffff, &lid) == 0) {
		test->lid = (int)lid;
		return true;
	}
	if (number_parse(test->text, 0x10000, UINT64_MAX, &test->value) == 0) {
		test->is_guid = true;
		return false;
	}
	test->is_gid = gid_of(test->text, test->bytes);
	return test->is_gid;
}

struct expr *filter_take_gid(struct parser *parser)
{
	struct expr *value = arena_alloc(parser->arena, sizeof(*value));
	uint8_t gid[16];
	char text[INET6_ADDRSTRLEN];

	value->kind = EXPR_STRING;
	value->text = filter_take_end(parser, &value->place);
	if (value->text && gid_of(value->text, gid)) {
		inet_ntop(AF_INET6, gid, text, sizeof(text));
		value->text = arena_text(parser->arena, text, strlen(text));
	}
	return value->text ? value : NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * data NAME = pattern(N) | flipped(OTHER, AT) | sealed(OTHER) | hex("00 1f") | {bytes} | "text"
 */
#include "harness/script/parse/parse.h"
#include "harness/script/parse/parser.h"

#include <string.h>

/* (VALUE */
static const struct token *parse_open(struct parser *parser, const char *what)
{
	const struct token *open = parser_expect(parser, TOKEN_LPAREN, what);

	parser->nest += open != NULL;
	return open;
}

static bool parse_close(struct parser *parser, const struct token *open, bool ok)
{
	ok = ok && parser_close(parser, open, TOKEN_RPAREN);
	parser->nest--;
	return ok;
}

static bool parse_pattern(struct parser *parser, struct payload *payload)
{
	const struct token *open = parse_open(parser, "'(' and how many bytes");

	if (!open)
		return false;
	payload->value = parse_value(parser);
	return parse_close(parser, open, payload->value != NULL);
}

/* flipped(OTHER, AT), sealed(OTHER) */
static bool parse_other(struct parser *parser, struct payload *payload)
{
	const struct token *open = parse_open(parser, "'(' and the name of data");
	const struct token *other;
	bool ok;

	if (!open)
		return false;
	other = parser_expect(parser, TOKEN_WORD, "the name of data");
	ok = other != NULL;
	payload->other = ok ? other->text : NULL;
	if (ok && payload->kind == PAYLOAD_FLIPPED) {
		ok = parser_expect(parser, TOKEN_COMMA, "',' and which byte") != NULL;
		payload->value = ok ? parse_value(parser) : NULL;
		ok = payload->value != NULL;
	}
	return parse_close(parser, open, ok);
}

/*
 * Converts the digits of 'text', which may have blanks between them. False: not hexadecimal, or an
 * odd number of digits.
 */
static bool append_digits(GString *digits, const char *text)
{
	size_t before = digits->len;

	for (; *text != '\0'; text++) {
		if (g_ascii_isxdigit(*text))
			g_string_append_c(digits, *text);
		else if (!g_ascii_isspace(*text))
			return false;
	}
	return (digits->len - before) % 2 == 0;
}

/* hex("00 1f" "20"): any number of strings, on any number of lines */
static bool parse_hex(struct parser *parser, struct payload *payload)
{
	const struct token *open = parse_open(parser, "'(' and bytes in quotes");
	g_autoptr(GString) digits = g_string_new(NULL);
	struct expr *value;
	bool ok = open && parser_peek(parser)->kind == TOKEN_STRING;

	if (!open)
		return false;
	if (!ok)
		parser_expected(parser, "bytes in quotes, such as \"00 1f\"");
	while (ok && parser_peek(parser)->kind == TOKEN_STRING) {
		const struct token *token = parser_next(parser);

		ok = append_digits(digits, token->text);
		if (!ok)
			parser_refuse(parser, token->place,
				     "expected two hexadecimal digits for each byte, such as "
				     "\"00 1f\"");
	}
	value = arena_alloc(parser->arena, sizeof(*value));
	value->kind = EXPR_STRING;
	value->place = open->place;
	value->weight = 1;
	value->text = arena_text(parser->arena, digits->str, digits->len);
	payload->value = value;
	return parse_close(parser, open, ok);
}

static bool parse_bytes(struct parser *parser, struct payload *payload)
{
	if (parser_peek(parser)->kind != TOKEN_LBRACE &&
	    parser_peek(parser)->kind != TOKEN_STRING) {
		parser_expected(parser, "pattern(SIZE), flipped(DATA, BYTE), sealed(DATA), "
				"hex(\"00 1f\"), bytes in braces, or a string");
		return false;
	}
	payload->value = parse_primary(parser);
	return payload->value != NULL;
}

static const struct payload_word {
	const char *word;
	enum payload_kind kind;
	bool (*parse)(struct parser *parser, struct payload *payload);
} payload_words[] = {
	{ "pattern", PAYLOAD_PATTERN, parse_pattern },
	{ "flipped", PAYLOAD_FLIPPED, parse_other },
	{ "sealed", PAYLOAD_SEALED, parse_other },
	{ "hex", PAYLOAD_HEX, parse_hex },
};

const char *script_data_word(unsigned int at)
{
	return at < G_N_ELEMENTS(payload_words) ? payload_words[at].word : NULL;
}

bool parse_data(struct parser *parser)
{
	struct payload *payload = arena_alloc(parser->arena, sizeof(*payload));
	const struct token *name = parser_expect(parser, TOKEN_WORD, "a name for the data");
	bool (*parse)(struct parser *parser, struct payload *payload) = parse_bytes;

	if (!name || !parser_expect(parser, TOKEN_ASSIGN, "'='") ||
	    !parser_has_room(parser, name->place, parser->settings->payloads, SETTINGS_MAX))
		return false;
	payload->place = name->place;
	payload->name = name->text;
	for (guint i = 0; i < parser->settings->payloads->len; i++) {
		const struct payload *other = parser->settings->payloads->pdata[i];

		if (strcmp(other->name, payload->name) != 0)
			continue;
		parser_refuse(parser, name->place, "%s is already the name of data, in line %u",
			     name->text, other->place.line);
		return false;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(payload_words) && parse == parse_bytes; i++) {
		if (!parser_accept_word(parser, payload_words[i].word))
			continue;
		payload->kind = payload_words[i].kind;
		parse = payload_words[i].parse;
	}
	if (!parse(parser, payload))
		return false;
	g_ptr_array_add(parser->settings->payloads, payload);
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Data with a name: what messages of many segments carry, and whole packets.
 */
#include <string.h>

#include "harness/script/mad/script-packet.h"
#include "harness/script/parse/script-parser.h"

/* ---- parsing ---- */

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

	if (open == NULL)
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

	if (open == NULL)
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

/* Takes the digits of 'text', which may stand apart. False: that is no hex, or half a byte. */
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

/* hex("00 1f" "20"): as many strings, in as many lines, as it takes */
static bool parse_hex(struct parser *parser, struct payload *payload)
{
	const struct token *open = parse_open(parser, "'(' and bytes in quotes");
	g_autoptr(GString) digits = g_string_new(NULL);
	struct expr *value;
	bool ok = open != NULL && parser_peek(parser)->kind == TOKEN_STRING;

	if (open == NULL)
		return false;
	if (!ok)
		parser_expected(parser, "bytes in quotes, as \"00 1f\"");
	while (ok && parser_peek(parser)->kind == TOKEN_STRING) {
		const struct token *token = parser_next(parser);

		ok = append_digits(digits, token->text);
		if (!ok)
			parser_error(parser, token->place,
				     "bytes are two hexadecimal digits each: \"00 1f\"");
	}
	value = script_alloc(parser->script, sizeof(*value));
	value->kind = EXPR_STRING;
	value->place = open->place;
	value->weight = 1;
	value->text = script_text(parser->script, digits->str, digits->len);
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
	payload->value = parse_value(parser);
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

bool parse_data(struct parser *parser)
{
	struct payload *payload = script_alloc(parser->script, sizeof(*payload));
	const struct token *name = parser_expect(parser, TOKEN_WORD, "a name for the data");
	bool (*parse)(struct parser *parser, struct payload *payload) = parse_bytes;

	if (name == NULL || !parser_expect(parser, TOKEN_ASSIGN, "'='"))
		return false;
	payload->place = name->place;
	payload->name = name->text;
	for (guint i = 0; i < parser->settings->payloads->len; i++) {
		const struct payload *other = parser->settings->payloads->pdata[i];

		if (strcmp(other->name, payload->name) != 0)
			continue;
		parser_error(parser, name->place, "%s is the name of data already, in line %u",
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

/* ---- what it is ---- */

const struct payload *payload_find(const struct point *point, const char *name)
{
	for (guint i = 0; i < point->payloads->len; i++) {
		const struct payload *payload = point->payloads->pdata[i];

		if (strcmp(payload->name, name) == 0)
			return payload;
	}
	return NULL;
}

/* Of the data that stands above, and is then in the point already. */
static bool other_size(const struct point *point, const struct payload *payload, size_t *ret)
{
	const struct payload *other = payload_find(point, payload->other);

	return other != NULL && payload_size(point, other, ret);
}

/* The bytes of a set, or a string. */
static bool literal_size(const struct expr *value, size_t *ret)
{
	uint64_t number;

	if (value->kind == EXPR_STRING) {
		*ret = strlen(value->text);
		return true;
	}
	if (value->kind != EXPR_SET)
		return false;
	for (guint i = 0; i < value->items->len; i++) {
		if (!expr_constant_number(value->items->pdata[i], &number) || number > 0xff)
			return false;
	}
	*ret = value->items->len;
	return true;
}

/* What CRCs can be put behind: there are headers, with a GRH or not. */
enum {
	SEALED_SIZE_MIN = LRH_SIZE + BTH_SIZE + DETH_SIZE,
	CRCS_SIZE = ICRC_SIZE + VCRC_SIZE,
};

bool payload_size(const struct point *point, const struct payload *payload, size_t *ret)
{
	uint64_t number;

	switch (payload->kind) {
	case PAYLOAD_BYTES:
		return literal_size(payload->value, ret);
	case PAYLOAD_HEX:
		*ret = strlen(payload->value->text) / 2;
		return true;
	case PAYLOAD_PATTERN:
		if (!expr_constant_number(payload->value, &number) || number > PAYLOAD_SIZE_MAX)
			return false;
		*ret = number;
		return true;
	case PAYLOAD_FLIPPED:
		return other_size(point, payload, ret) &&
		       expr_constant_number(payload->value, &number) && number < *ret;
	case PAYLOAD_SEALED:
		if (!other_size(point, payload, ret) || *ret < SEALED_SIZE_MIN ||
		    *ret > PACKET_SIZE_MAX - CRCS_SIZE)
			return false;
		*ret += CRCS_SIZE;
		return true;
	}
	return false;
}

const char *payload_objection(const struct payload *payload)
{
	switch (payload->kind) {
	case PAYLOAD_BYTES:
	case PAYLOAD_HEX:
		return "bytes are numbers up to 0xff";
	case PAYLOAD_PATTERN:
		return "this is no size of up to 64 MiB";
	case PAYLOAD_FLIPPED:
		return "no data of this name above has such a byte";
	case PAYLOAD_SEALED:
		return "no data of this name above is a packet, from the LRH on, of 28 to 324 "
		       "bytes";
	}
	return "";
}

static void fill_pattern(const struct payload *payload, uint8_t *ret, size_t size)
{
	uint32_t word = g_str_hash(payload->name);
	uint8_t bytes[4];

	for (size_t at = 0; at < size; at += sizeof(bytes)) {
		/* An odd step reaches every number before it comes to the first again. */
		word += UINT32_C(0x9e3779b1);
		put_be32(bytes, word);
		memcpy(ret + at, bytes, MIN(size - at, sizeof(bytes)));
	}
}

static void fill_literal(const struct expr *value, uint8_t *ret, size_t size)
{
	uint64_t number = 0;

	if (value->kind == EXPR_STRING) {
		memcpy(ret, value->text, size);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		expr_constant_number(value->items->pdata[i], &number);
		ret[i] = (uint8_t)number;
	}
}

void payload_fill(const struct point *point, const struct payload *payload, uint8_t *ret)
{
	uint64_t number = 0;
	size_t size = 0;

	payload_size(point, payload, &size);
	switch (payload->kind) {
	case PAYLOAD_BYTES:
		fill_literal(payload->value, ret, size);
		return;
	case PAYLOAD_HEX:
		for (size_t i = 0; i < size; i++)
			ret[i] = (uint8_t)(g_ascii_xdigit_value(payload->value->text[2 * i]) << 4 |
					   g_ascii_xdigit_value(payload->value->text[2 * i + 1]));
		return;
	case PAYLOAD_PATTERN:
		fill_pattern(payload, ret, size);
		return;
	case PAYLOAD_FLIPPED:
		payload_fill(point, payload_find(point, payload->other), ret);
		expr_constant_number(payload->value, &number);
		ret[number] ^= 0xff;
		return;
	case PAYLOAD_SEALED:
		payload_fill(point, payload_find(point, payload->other), ret);
		packet_stamp(ret, size);
		return;
	}
}

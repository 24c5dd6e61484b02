/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * JSON, written value by value. See lib/json/json-writer.h.
 */
#include "lib/json/json-writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hex_digits[] = "0123456789abcdef";

static _Noreturn void misuse(const char *what)
{
	fprintf(stderr, "JSON writer: %s\n", what);
	abort();
}

void json_writer_init(struct json_writer *json, enum json_style style, json_sink *sink, void *ctx)
{
	json->sink = sink;
	json->ctx = ctx;
	json->space = NULL;
	json->objects = 0;
	json->style = style;
	json->depth = 0;
	json->has_item = json->is_named = false;
	json->held = 0;
}

void json_to_file(void *file, const char *bytes, size_t size)
{
	fwrite(bytes, 1, size, file);
}

bool json_has_begun(const struct json_writer *json)
{
	return json->depth || json->has_item;
}

/* ---- bytes ---- */

void json_flush(struct json_writer *json)
{
	if (json->held)
		json->sink(json->ctx, json->bytes, json->held);
	json->held = 0;
}

/* Room for 'size' bytes, which is less than what is held at most; the caller adds to 'held'. */
static inline char *room(struct json_writer *json, size_t size)
{
	if (size > sizeof(json->bytes) - json->held)
		json_flush(json);
	return json->bytes + json->held;
}

static inline void put(struct json_writer *json, const char *bytes, size_t size)
{
	if (size > sizeof(json->bytes)) {
		json_flush(json);
		json->sink(json->ctx, bytes, size);
		return;
	}
	memcpy(room(json, size), bytes, size);
	json->held += size;
}

static inline void put_char(struct json_writer *json, char c)
{
	*room(json, 1) = c;
	json->held++;
}

static void put_words(struct json_writer *json, const char *words)
{
	put(json, words, strlen(words));
}

static void put_decimal(struct json_writer *json, uint64_t number)
{
	char digits[20];
	unsigned int at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	put(json, digits + at, sizeof(digits) - at);
}

/* At least 'width' digits. */
static void put_hex(struct json_writer *json, uint64_t number, unsigned int width)
{
	unsigned int digits = number ? (67 - (unsigned int)__builtin_clzll(number)) / 4 : 1;
	char *at;

	digits = digits < width ? width : digits;
	at = room(json, digits);
	for (unsigned int i = digits; i > 0; number >>= 4)
		at[--i] = hex_digits[number & 15];
	json->held += digits;
}

/* ---- items ---- */

static bool is_in_object(const struct json_writer *json)
{
	return json->depth && json->objects >> (json->depth - 1) & 1;
}

static bool is_spaced(const struct json_writer *json)
{
	return json->style == JSON_SPACED || json->style == JSON_LINES;
}

static void begin_item(struct json_writer *json)
{
	if (json->has_item)
		put_char(json, ',');
	if (json->space)
		put_words(json, json->space);
	else if (json->has_item && is_spaced(json))
		put_char(json, ' ');
	json->space = NULL;
	json->has_item = true;
}

static void begin_value(struct json_writer *json)
{
	if (json->is_named) {
		json->is_named = false;
		return;
	}
	if (is_in_object(json))
		misuse("a value in an object has no name");
	if (!json->depth && json->has_item)
		misuse("a second value at the top: json_end_line() goes before it");
	begin_item(json);
}

void json_open(struct json_writer *json, char bracket)
{
	if (bracket != '{' && bracket != '[')
		misuse("no such bracket is opened");
	if (json->depth == JSON_DEPTH_MAX)
		misuse("too many brackets are open");
	begin_value(json);
	put_char(json, bracket);
	json->objects &= ~(UINT64_C(1) << json->depth);
	json->objects |= (uint64_t)(bracket == '{') << json->depth++;
	json->has_item = false;
}

void json_close(struct json_writer *json, char bracket)
{
	if (json->is_named)
		misuse("a name has no value");
	if (!json->depth || bracket != (is_in_object(json) ? '}' : ']'))
		misuse("no such bracket is open");
	if (json->space)
		put_words(json, json->space);
	put_char(json, bracket);
	json->space = NULL;
	json->has_item = true;
	json->depth--;
}

void json_space(struct json_writer *json, const char *space)
{
	if (json->is_named || space[strspn(space, " \t\n")])
		misuse("a space is blanks, before an item");
	if (json->style == JSON_LINES)
		json->space = space;
}

void json_end_line(struct json_writer *json)
{
	if (json->depth || !json->has_item)
		misuse("a line ends that is no value");
	put_char(json, '\n');
	json->has_item = false;
}

void json_finish(struct json_writer *json)
{
	if (json->depth)
		misuse("a bracket is open at the end");
	json_flush(json);
}

/* ---- strings ---- */

/* Reads the character at 'at': how many bytes it has. A byte that begins none is U+FFFD. */
static size_t next_character(const unsigned char *at, size_t left, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = at[0] < 0xc0 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf8 ? 4 : 0;
	uint32_t c = at[0] & 0x7fU >> size;

	for (size_t i = 1; i < size; i++) {
		if (i == left || (at[i] & 0xc0) != 0x80) {
			size = 0;
			break;
		}
		c = c << 6 | (at[i] & 0x3fU);
	}
	if (!size || c < least[size] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
		*character = 0xfffd;
		return 1;
	}
	*character = c;
	return size;
}

static void put_unit(struct json_writer *json, uint32_t unit)
{
	put(json, "\\u", 2);
	put_hex(json, unit, 4);
}

static void put_escape(struct json_writer *json, uint32_t c)
{
	if (c >= 0x10000) {
		put_unit(json, 0xd800 + ((c - 0x10000) >> 10));
		c = 0xdc00 + ((c - 0x10000) & 0x3ff);
	}
	put_unit(json, c);
}

/* What stands for itself in every style. */
static const bool is_plain[256] = {
	[' ' ... '!'] = true, ['#' ... '['] = true, [']' ... '~'] = true,
};

/* What stands for itself goes in one piece: in most strings that is all. */
static void put_string(struct json_writer *json, const char *string)
{
	const unsigned char *bytes = (const unsigned char *)string;
	size_t size = strlen(string), plain = 0, length;

	put_char(json, '"');
	for (size_t at = 0; at < size; plain = at += length) {
		uint32_t c;

		while (at < size && is_plain[bytes[at]])
			at++;
		put(json, string + plain, at - plain);
		if (at == size)
			break;
		length = 1;
		c = bytes[at];
		if (c >= 0x80)
			length = next_character(bytes + at, size - at, &c);
		if (c == '"' || c == '\\') {
			put_char(json, '\\');
			put_char(json, (char)c);
		} else if (c < ' ' || json->style == JSON_ASCII) {
			put_escape(json, c);
		} else if (c >= 0x80 && length == 1) {
			put_words(json, "\xef\xbf\xbd");
		} else {
			put(json, string + at, length);
		}
	}
	put_char(json, '"');
}

struct json_writer *json_name(struct json_writer *json, const char *name)
{
	if (!is_in_object(json) || json->is_named)
		misuse("a name where no member can be");
	begin_item(json);
	put_string(json, name);
	put(json, ": ", is_spaced(json) ? 2 : 1);
	json->is_named = true;
	return json;
}

void json_string(struct json_writer *json, const char *string)
{
	begin_value(json);
	if (string)
		put_string(json, string);
	else
		put_words(json, "null");
}

/* ---- other values ---- */

void json_verbatim(struct json_writer *json, const char *value)
{
	begin_value(json);
	put_words(json, value);
}

void json_bool(struct json_writer *json, bool value)
{
	json_verbatim(json, value ? "true" : "false");
}

void json_unsigned(struct json_writer *json, uint64_t number)
{
	begin_value(json);
	put_decimal(json, number);
}

void json_number(struct json_writer *json, int64_t number)
{
	begin_value(json);
	if (number < 0)
		put_char(json, '-');
	put_decimal(json, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void json_digits(struct json_writer *json, uint64_t number)
{
	begin_value(json);
	put_char(json, '"');
	put_decimal(json, number);
	put_char(json, '"');
}

void json_hex(struct json_writer *json, uint64_t number, unsigned int digits)
{
	begin_value(json);
	put(json, "\"0x", 3);
	put_hex(json, number, digits);
	put_char(json, '"');
}

void json_bytes(struct json_writer *json, const uint8_t *bytes, size_t size)
{
	begin_value(json);
	put_char(json, '"');
	for (size_t i = 0; i < size; i++) {
		char *at = room(json, 2);

		at[0] = hex_digits[bytes[i] >> 4];
		at[1] = hex_digits[bytes[i] & 15];
		json->held += 2;
	}
	put_char(json, '"');
}

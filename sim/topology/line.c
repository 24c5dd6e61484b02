/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Lines of a fabric description, and a cursor that walks along one. */
#include "config.h"

#include <string.h>

#include "sim/topology/line.h"

#define NUMBER_LIMIT (1L << 31)

const char *span_find(struct span span, char c)
{
	return span.at == span.end ? NULL : memchr(span.at, c, span_size(span));
}

const char *span_find_last(struct span span, char c)
{
	while (span.end > span.at)
		if (*--span.end == c)
			return span.end;
	return NULL;
}

const char *span_find_text(struct span span, const char *text)
{
	size_t size = strlen(text);

	return span.at == span.end ? NULL : memmem(span.at, span_size(span), text, size);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

struct span span_trim(struct span span)
{
	while (span.at < span.end && is_blank(*span.at))
		span.at++;
	while (span.end > span.at && is_blank(span.end[-1]))
		span.end--;
	return span;
}

bool line_next(struct line_reader *reader, struct span *ret_line)
{
	struct span line = reader->rest;
	const char *newline = span_find(line, '\n');

	if (line.at == line.end)
		return false;
	reader->number++;
	reader->cut = !newline;
	reader->rest.at = newline ? newline + 1 : line.end;
	if (newline)
		line.end = newline;
	if (newline && line.end > line.at && line.end[-1] == '\r') {
		reader->cr_seen = true;
		line.end--;
	}
	*ret_line = line;
	return true;
}

bool cursor_skip_blanks(struct span *cursor)
{
	const char *start = cursor->at;

	while (cursor->at < cursor->end && is_blank(*cursor->at))
		cursor->at++;
	return cursor->at > start;
}

bool cursor_word(struct span *cursor, struct span *ret_word)
{
	struct span word;

	cursor_skip_blanks(cursor);
	if (cursor->at == cursor->end)
		return false;
	word.at = cursor->at;
	while (cursor->at < cursor->end && !is_blank(*cursor->at))
		cursor->at++;
	word.end = cursor->at;
	*ret_word = word;
	return true;
}

bool cursor_quoted(struct span *cursor, struct span *ret_text)
{
	struct span text = *cursor;

	if (!cursor_skip(&text, "\""))
		return false;
	const char *quote = span_find(text, '"');
	if (!quote)
		return false;
	cursor->at = quote + 1;
	text.end = quote;
	*ret_text = text;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool cursor_number(struct span *cursor, long *ret_number)
{
	struct span at = *cursor;
	bool negative = cursor_skip(&at, "-");
	int base = 10;
	long value = 0;

	if (!negative)
		cursor_skip(&at, "+");
	if (span_starts(at, "0x") && at.end - at.at > 2 && hex_digit(at.at[2]) >= 0) {
		at.at += 2;
		base = 16;
	}
	const char *digits = at.at;
	for (; at.at < at.end; at.at++) {
		int digit = hex_digit(*at.at);

		if (digit < 0 || digit >= base)
			break;
		value = value * base + digit;
		if (value > NUMBER_LIMIT)
			value = NUMBER_LIMIT;
	}
	if (at.at == digits)
		return false;
	cursor->at = at.at;
	*ret_number = negative ? -value : value;
	return true;
}

bool span_hex(struct span span, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (!cursor_skip(&span, "0x"))
		cursor_skip(&span, "0X");
	if (span.at == span.end)
		return false;
	for (; span.at < span.end; span.at++) {
		int digit = hex_digit(*span.at);

		if (digit < 0 || value >> 60)
			return false;
		value = value << 4 | (uint64_t)digit;
	}
	*ret_value = value;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of a fabric description, and a cursor that walks along one.
 *
 * A line is a piece of the file's own memory: nothing is copied, nothing is terminated. The
 * cursor's readers leave it where it was when what they look for is not there.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_LINE_H
#define UMADRIG_SIM_TOPOLOGY_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes [at, end). */
struct span {
	const char *at;
	const char *end;
};

static inline size_t span_size(struct span span)
{
	return (size_t)(span.end - span.at);
}

/*
 * Lines are compared with many words, and most differ in the first character: that is compared
 * inline, where the compiler knows the word.
 */
static inline bool span_starts(struct span span, const char *text)
{
	size_t size;

	if (span.at == span.end || *span.at != *text)
		return !*text;
	size = strlen(text);
	return span_size(span) >= size && memcmp(span.at, text, size) == 0;
}

static inline bool span_equals(struct span span, const char *text)
{
	return span_starts(span, text) && span_size(span) == strlen(text);
}

/* The first 'c' in the span, or NULL; the last one, or NULL. */
const char *span_find(struct span span, char c);
const char *span_find_last(struct span span, char c);
/* The first occurrence of 'text' in the span, or NULL. */
const char *span_find_text(struct span span, const char *text);
/* The span without blanks and tabs around it. */
struct span span_trim(struct span span);

/* Walks through a text line by line; a line ends with LF, CR LF or the end of the text. */
struct line_reader {
	struct span rest;
	unsigned int number;	/* of the line that was read last, from 1 */
	bool cr_seen;		/* some line ended in CR LF */
	bool cut;		/* the last line had no newline */
};

/* The next line without its end; false at the end of the text. */
bool line_next(struct line_reader *reader, struct span *ret_line);

/* Skips blanks and tabs; true if there were any. */
bool cursor_skip_blanks(struct span *cursor);
/* Skips 'text'; false if something else is there. */
static inline bool cursor_skip(struct span *cursor, const char *text)
{
	if (!span_starts(*cursor, text))
		return false;
	cursor->at += strlen(text);
	return true;
}

/* Reads up to the next blank or the end; false if nothing is left. */
bool cursor_word(struct span *cursor, struct span *ret_word);
/* Reads the text between this quote and the next; false without both. */
bool cursor_quoted(struct span *cursor, struct span *ret_text);
/* Reads a decimal number with an optional sign, or 0x and hex digits; saturates at +-2^31. */
bool cursor_number(struct span *cursor, long *ret_number);

/* A whole span of 1 to 16 hex digits (a leading 0x is skipped), or false. */
bool span_hex(struct span span, uint64_t *ret_value);

#endif

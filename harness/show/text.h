/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Text that is put together piece by piece and written out in large pieces: what is printed of each
 * MAD goes through here, so nothing in it formats with printf or allocates once it has grown.
 */
#ifndef UMADRIG_HARNESS_SHOW_TEXT_H
#define UMADRIG_HARNESS_SHOW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* All zeros: empty. */
struct text {
	char *bytes;		/* not ended by a NUL */
	size_t length;
	size_t allocated;
};

/* Makes room; text_room() calls it. */
void text_grow(struct text *text, size_t size);
/* Frees what it holds. */
void text_clear(struct text *text);

/* Room for 'size' more bytes, where the text ends; the caller adds to 'length' what it used. */
static inline char *text_room(struct text *text, size_t size)
{
	if (text->allocated - text->length < size)
		text_grow(text, size);
	return text->bytes + text->length;
}

static inline void text_bytes(struct text *text, const char *bytes, size_t size)
{
	/* There may be no room at all yet. */
	if (size == 0)
		return;
	memcpy(text_room(text, size), bytes, size);
	text->length += size;
}

static inline void text_char(struct text *text, char c)
{
	*text_room(text, 1) = c;
	text->length++;
}

static inline void text_words(struct text *text, const char *words)
{
	text_bytes(text, words, strlen(words));
}

/* Blanks. */
static inline void text_blanks(struct text *text, size_t count)
{
	if (count == 0)
		return;
	memset(text_room(text, count), ' ', count);
	text->length += count;
}

/* Blanks until there are 'width' bytes from 'from' on. */
static inline void text_pad(struct text *text, size_t from, size_t width)
{
	if (text->length - from < width)
		text_blanks(text, width - (text->length - from));
}

/* A decimal number; with 'width' at least so many characters, blanks first. */
void text_number(struct text *text, uint64_t number);
void text_number_right(struct text *text, uint64_t number, unsigned int width);
/* "0x" and exactly 'digits' digits, or as many as it takes where 'digits' is 0. */
void text_hex(struct text *text, uint64_t number, unsigned int digits);
/* 'count' bytes as digits, two for each. */
void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t count);
/* Milliseconds with six decimals, in at least 'width' characters: "1.500000". */
void text_time_ms(struct text *text, int64_t time_ns, unsigned int width);
/* Words in which control characters become blanks. */
void text_clean(struct text *text, const char *words);
/* As printf does: not for what is printed of every MAD. */
void text_format(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Writes the text to 'stream' and empties it. False: 'stream' has an error, and nothing more can be
 * written.
 */
bool text_write(struct text *text, FILE *stream);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Text that is put together piece by piece. See harness/show/text.h.
 */
#include "harness/show/text.h"

#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SIZE = 4096 };

void text_grow(struct text *text, size_t size)
{
	size_t wanted = MAX(text->length + size, text->allocated * 2);

	text->allocated = MAX(wanted, FIRST_SIZE);
	text->bytes = g_realloc(text->bytes, text->allocated);
}

void text_clear(struct text *text)
{
	g_free(text->bytes);
	*text = (struct text){ NULL, 0, 0 };
}

static unsigned int count_digits(uint64_t number)
{
	unsigned int digits = 1;

	for (; number >= 100; number /= 100)
		digits += 2;
	return digits + (number >= 10);
}

/* Two digits at a time: dividing is what takes long. */
static void write_digits(char *at, uint64_t number, unsigned int digits)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
		"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
		"8081828384858687888990919293949596979899";

	for (; digits >= 2; digits -= 2, number /= 100) {
		at[digits - 1] = pairs[number % 100 * 2 + 1];
		at[digits - 2] = pairs[number % 100 * 2];
	}
	if (digits)
		at[0] = (char)('0' + number);
}

void text_number_right(struct text *text, uint64_t number, unsigned int width)
{
	unsigned int digits = count_digits(number);
	unsigned int blanks = width - MIN(width, digits);
	char *at = text_room(text, blanks + digits);

	for (unsigned int i = 0; i < blanks; i++)
		at[i] = ' ';
	write_digits(at + blanks, number, digits);
	text->length += blanks + digits;
}

void text_number(struct text *text, uint64_t number)
{
	text_number_right(text, number, 0);
}

static const char hex_digits[] = "0123456789abcdef";

/* Eight digits at once: each nibble in a byte of its own, then made a letter or a digit. */
static uint64_t eight_digits(uint32_t number)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t spread = number, letters;

	spread = (spread & 0xffff0000) << 16 | (spread & 0xffff);
	spread = (spread & UINT64_C(0x0000ff000000ff00)) << 8 |
		 (spread & UINT64_C(0x000000ff000000ff));
	spread = (spread & UINT64_C(0x00f000f000f000f0)) << 4 |
		 (spread & UINT64_C(0x000f000f000f000f));
	letters = (spread + 6 * ones) >> 4 & ones;
	return GUINT64_TO_BE(spread + '0' * ones + ('a' - '0' - 10) * letters);
}

void text_hex(struct text *text, uint64_t number, unsigned int digits)
{
	uint64_t halves[2] = { eight_digits((uint32_t)(number >> 32)),
			       eight_digits((uint32_t)number) };
	char *at;

	if (digits == 0)
		digits = number ? (67 - (unsigned int)__builtin_clzll(number)) / 4 : 1;
	at = text_room(text, digits + 2);
	at[0] = '0';
	at[1] = 'x';
	memcpy(at + 2, (const char *)halves + sizeof(halves) - digits, digits);
	text->length += digits + 2;
}

void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t count)
{
	char *at = text_room(text, 2 * count);

	for (size_t i = 0; i < count; i++) {
		*at++ = hex_digits[bytes[i] >> 4];
		*at++ = hex_digits[bytes[i] & 15];
	}
	text->length += 2 * count;
}

void text_time_ms(struct text *text, int64_t time_ns, unsigned int width)
{
	enum { NS_PER_MS = 1000000, DECIMALS = 6 };
	uint64_t ns = time_ns < 0 ? -(uint64_t)time_ns : (uint64_t)time_ns;
	uint64_t rest = ns % NS_PER_MS;
	char *at;

	width -= MIN(width, DECIMALS + 1);
	if (time_ns < 0) {
		/* The sign belongs beside the number. */
		unsigned int digits = 2;

		for (uint64_t whole = ns / NS_PER_MS; whole >= 10; whole /= 10)
			digits++;
		text_blanks(text, width - MIN(width, digits));
		text_char(text, '-');
		width = 0;
	}
	text_number_right(text, ns / NS_PER_MS, width);
	at = text_room(text, DECIMALS + 1);
	at[0] = '.';
	write_digits(at + 1, rest, DECIMALS);
	text->length += DECIMALS + 1;
}

void text_clean(struct text *text, const char *words)
{
	size_t length = strlen(words);
	char *at = text_room(text, length);

	for (size_t i = 0; i < length; i++)
		at[i] = g_ascii_iscntrl(words[i]) ? ' ' : words[i];
	text->length += length;
}

void text_format(struct text *text, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	vsnprintf(text_room(text, (size_t)length + 1), (size_t)length + 1, format, args);
	va_end(args);
	text->length += (size_t)length;
}

bool text_write(struct text *text, FILE *stream)
{
	size_t length = text->length;

	text->length = 0;
	return length == 0 || fwrite(text->bytes, 1, length, stream) == length;
}

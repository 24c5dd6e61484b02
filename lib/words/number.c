/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See lib/words/number.h.
 */
#include "lib/words/number.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* 16: it is none. */
static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned int)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned int)(c - 'A') + 10;
	return 16;
}

static bool has_prefix(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

int number_take(const char **at, unsigned int base, uint64_t max, uint64_t *ret)
{
	const char *digits = *at + (base == 0 && has_prefix(*at) ? 2 : 0), *p;
	uint64_t number = 0;
	bool too_large = false;

	if (base == 0)
		base = digits > *at ? 16 : 10;
	for (p = digits; digit_of(*p) < base; p++) {
		too_large |= __builtin_mul_overflow(number, (uint64_t)base, &number);
		too_large |= __builtin_add_overflow(number, (uint64_t)digit_of(*p), &number);
	}
	if (p == digits)
		return -EINVAL;
	if (too_large || number > max)
		return -ERANGE;
	*at = p;
	*ret = number;
	return 0;
}

/* What a number was taken from ends behind it, and it is not too small. */
static int finish(int err, const char *rest, uint64_t number, uint64_t min, uint64_t *ret)
{
	if (err < 0)
		return err;
	if (*rest)
		return -EINVAL;
	if (number < min)
		return -ERANGE;
	*ret = number;
	return 0;
}

int number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret)
{
	uint64_t number = 0;
	int err = number_take(&text, 0, max, &number);

	return finish(err, text, number, min, ret);
}

int number_parse_decimal(const char *text, uint64_t min, uint64_t max, uint64_t *ret)
{
	uint64_t number = 0;
	int err = number_take(&text, 10, max, &number);

	return finish(err, text, number, min, ret);
}

int number_parse_hex(const char *text, uint64_t min, uint64_t max, uint64_t *ret)
{
	uint64_t number = 0;
	int err;

	text += has_prefix(text) ? 2 : 0;
	err = number_take(&text, 16, max, &number);
	return finish(err, text, number, min, ret);
}

int number_parse_range(const char *text, uint64_t max, uint64_t *ret_first, uint64_t *ret_last)
{
	uint64_t first = 0, last;
	int err = number_take(&text, 0, max, &first);

	if (err == 0 && *text == '-')
		err = number_parse(text + 1, first, max, &last);
	else
		err = finish(err, text, first, 0, &last);
	if (err < 0)
		return err;
	*ret_first = first;
	*ret_last = last;
	return 0;
}

int number_after(const char *text, const char *name, unsigned int base, uint64_t *ret)
{
	const char *at = strstr(text, name);

	if (!at)
		return -ENOENT;
	at += strlen(name);
	at += strspn(at, " \t");
	return number_take(&at, base, UINT64_MAX, ret);
}

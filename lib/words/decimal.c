/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See lib/words/decimal.h.
 */
#include "lib/words/decimal.h"

#include <errno.h>
#include <stdbool.h>

#include "lib/words/number.h"

enum {
	EXACT_ZEROS = 22,			/* a double has powers of ten up to this one */
};

static const uint64_t EXACT_DIGITS = UINT64_C(999999999999999);

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* False: there is no room for that. */
static bool add_digit(uint64_t *digits, char c)
{
	return !__builtin_mul_overflow(*digits, UINT64_C(10), digits) &&
	       !__builtin_add_overflow(*digits, (uint64_t)(c - '0'), digits);
}

int decimal_take(const char **at, struct decimal *ret)
{
	struct decimal decimal = { 0 };
	const char *p = *at;
	int err = 0;

	if (!is_digit(*p))
		return -EINVAL;
	for (; is_digit(*p); p++) {
		if (!add_digit(&decimal.digits, *p))
			err = -ERANGE;
	}
	if (*p == '.' && is_digit(p[1])) {
		const char *point = p++, *last = point;

		for (; is_digit(*p); p++)
			last = *p != '0' ? p : last;
		for (const char *digit = point + 1; digit <= last && err == 0; digit++) {
			if (!add_digit(&decimal.digits, *digit))
				err = -EDOM;
		}
		decimal.places = (unsigned int)(last - point);
	}
	if (err < 0)
		return err;
	*at = p;
	*ret = decimal;
	return 0;
}

int decimal_scale(const struct decimal *decimal, unsigned int zeros, uint64_t *ret)
{
	uint64_t value = decimal->digits;

	if (decimal->places > zeros)
		return -EDOM;
	for (unsigned int i = decimal->places; i < zeros; i++) {
		if (__builtin_mul_overflow(value, UINT64_C(10), &value))
			return -ERANGE;
	}
	*ret = value;
	return 0;
}

int decimal_parse_small(const char *text, double max, double *ret)
{
	struct decimal decimal;
	double value, divisor = 1;
	uint64_t exponent = 0;
	int err = decimal_take(&text, &decimal);

	if (err == 0 && (text[0] == 'e' || text[0] == 'E') && text[1] == '-') {
		text += 2;
		err = number_take(&text, 10, EXACT_ZEROS, &exponent);
	}
	if (err == 0 && *text)
		err = -EINVAL;
	if (err < 0)
		return err;
	exponent += decimal.places;
	if (decimal.digits > EXACT_DIGITS || exponent > EXACT_ZEROS)
		return -EDOM;
	while (exponent-- > 0)
		divisor *= 10;
	value = (double)decimal.digits / divisor;
	if (value <= 0 || value > max)
		return -ERANGE;
	*ret = value;
	return 0;
}

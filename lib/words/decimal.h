/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers that may have a point: 12, 6.14. What follows them says of what: see the other files of
 * this folder, and lib/words/number.h for what is returned.
 */
#ifndef UMADRIG_LIB_WORDS_DECIMAL_H
#define UMADRIG_LIB_WORDS_DECIMAL_H

#include <stdint.h>

/* 'digits' / 10^'places'; the last of its places is not 0. */
struct decimal {
	uint64_t digits;
	unsigned int places;
};

/* Takes one from the start of '*at', and moves that behind it. */
int decimal_take(const char **at, struct decimal *ret);

/* 'decimal' * 10^'zeros', which is exact: -EDOM if there are more places than that, -ERANGE. */
int decimal_scale(const struct decimal *decimal, unsigned int zeros, uint64_t *ret);

/* "1e-12", "0.001": 0 < it <= 'max'. At most 15 digits, and not below 1e-22: so it is exact. */
int decimal_parse_small(const char *text, double max, double *ret);

#endif

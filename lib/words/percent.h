/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Percentages: 12.5%. What is returned: lib/words/number.h.
 */
#ifndef UMADRIG_LIB_WORDS_PERCENT_H
#define UMADRIG_LIB_WORDS_PERCENT_H

#include "lib/words/decimal.h"

enum {
	PERCENT_PLACES = 6,
	PERCENT_MAX = 100000,
};

/* "12.5%": up to PERCENT_MAX, with up to PERCENT_PLACES places (more: -EDOM). */
int percent_parse(const char *text, struct decimal *ret);
/* "1/20": both from 1 to 2^32-1. */
int ratio_parse(const char *text, uint32_t *ret_numerator, uint32_t *ret_denominator);

#endif

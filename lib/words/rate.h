/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rates in bits per second: 2.5G, 100Mb/s. What is returned: lib/words/number.h. The widths and
 * speeds of links, such as 4xHDR, are read by sim/topology/rate.c.
 */
#ifndef UMADRIG_LIB_WORDS_RATE_H
#define UMADRIG_LIB_WORDS_RATE_H

#include <stdint.h>

/* From 1 to 2^53, which a double holds; units are k M G T. */
int rate_parse(const char *text, uint64_t *ret_bits_per_s);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sizes and other large counts: 100, 64M. What is returned: lib/words/number.h.
 */
#ifndef UMADRIG_LIB_WORDS_SIZE_H
#define UMADRIG_LIB_WORDS_SIZE_H

#include <stdint.h>

#define SIZE_WANTED "a number from 1, as it is or with K, M or G, such as 512M"

/* From 1; K, M and G are 2^10, 2^20 and 2^30. */
int size_parse(const char *text, uint64_t *ret);

#endif

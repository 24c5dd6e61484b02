/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whole numbers: 12, or 0x0c.
 *
 * All words of this folder are strict: no sign, no blanks, nothing before or after. Leading zeros
 * mean nothing (010 is 10, and nothing is octal). Functions return 0, or
 *
 *	-EINVAL	it is no such word
 *	-ERANGE	it is one, but out of bounds
 *	-EDOM	it is one, but finer than there is: 1.0000000001s
 *
 * and leave their outputs untouched on failure. They need no locale, and are async-signal-safe.
 */
#ifndef UMADRIG_LIB_WORDS_NUMBER_H
#define UMADRIG_LIB_WORDS_NUMBER_H

#include <stdint.h>

/* "12", "0x0c" */
int number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret);
/* "12": for what means something else with 0x, and for what the kernel writes. */
int number_parse_decimal(const char *text, uint64_t min, uint64_t max, uint64_t *ret);
/* "0c", "0x0c" */
int number_parse_hex(const char *text, uint64_t min, uint64_t max, uint64_t *ret);
/* "8-15", "12": the first and the last one, which is not less. */
int number_parse_range(const char *text, uint64_t max, uint64_t *ret_first, uint64_t *ret_last);

/*
 * For formats that others have made: takes the number of base 8, 10 or 16 that '*at' begins
 * with, and moves it behind that. Base 0: 16 after 0x, else 10.
 */
int number_take(const char **at, unsigned int base, uint64_t max, uint64_t *ret);
/*
 * The number after the first 'name' in the text, and blanks, as in the files of /proc: "Tgid:\t12".
 * -ENOENT: the name is not there.
 */
int number_after(const char *text, const char *name, unsigned int base, uint64_t *ret);

#endif

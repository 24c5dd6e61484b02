/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Times in options, scripts and commands: 1.5us. What is returned: lib/words/number.h.
 */
#ifndef UMADRIG_LIB_WORDS_DURATION_H
#define UMADRIG_LIB_WORDS_DURATION_H

#include <stdint.h>

/* "1.5us": a time with a unit (ns us ms s), or 0 without one. */
int duration_parse(const char *text, int64_t *ret_ns);
/* The same, where a number without a unit means seconds. */
int duration_parse_seconds(const char *text, int64_t *ret_ns);

/*
 * What was expected instead of a word that is no time, for "expected %s": 'usual', unless the word
 * is a time that nobody can have. 'err' 0: it was one, but not one that the caller takes.
 */
const char *duration_expected(int err, const char *usual);

/* The units, the smallest first; NULL after the last. */
const char *duration_unit(unsigned int at);

#endif

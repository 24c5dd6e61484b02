/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words for the values of a field: Active for 4 in LinkState, ACK for 2 in rmpp.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_TERM_WORDS_H
#define UMADRIG_HARNESS_SCRIPT_MAD_TERM_WORDS_H

#include "harness/script/mad/pattern.h"

/*
 * That the field has no value called 'word', and which it has: to be freed. NULL: no value of it
 * has a name.
 */
char *term_no_such_word(const struct mad_pattern *pattern, const struct mad_term *term,
			const char *word);

/* Can a script write the name? "4X" is no word there, but its number is one. */
bool is_script_word(const char *name);

/* Appends "Active", or "{FIRST, LAST}" of flags. False: the value has no name. */
bool term_append_word(GString *out, const struct mad_term *term, uint64_t value);

/*
 * Appends where names are listed, if they are too many for a message: ": A, B and C", or
 * ": 'umadrig fields WHAT' lists them", after ": did you mean GUESS?". 'guess' and 'what' may be
 * NULL.
 */
void append_names(GString *out, const char *guess, const GPtrArray *names, const char *what);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Words that filters of captures have and rules have not, or behind "where" only, for their
 * messages: a filter looks at a capture that is whole, a rule, of a fault or of the console's
 * "when", at a MAD on its way.
 */
#ifndef UMADRIG_SIM_FABRIC_FAULT_FILTER_WORD_H
#define UMADRIG_SIM_FABRIC_FAULT_FILTER_WORD_H

#include <stdbool.h>

/*
 * Why a rule cannot have the word there, and what to write instead; NULL: it is no such word.
 * 'has_value': an operator follows it, such as '='.
 */
const char *fault_filter_word_reason(const char *word, bool has_value);

/* The same of a whole word, "trip>1ms", "SubnGet", "1s~2s"; to be freed with g_free(). */
char *fault_filter_item_reason(const char *item);

/*
 * Why a rule cannot have the word behind "where", either: it is about more than one MAD. NULL: it
 * can. "~" is a stretch of time, as in 1s~2s.
 */
const char *fault_where_refuses(const char *word);

#endif

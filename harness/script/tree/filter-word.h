/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Words that filters of captures have and scenarios have not, for their messages.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_FILTER_WORD_H
#define UMADRIG_HARNESS_SCRIPT_TREE_FILTER_WORD_H

/* Why the word has no place in a scenario, and what has; NULL: it is no word of filters. */
const char *filter_word_reason(const char *word);

#endif

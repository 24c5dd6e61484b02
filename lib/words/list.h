/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lists: words with separators between them, which do not separate in quotes and brackets.
 */
#ifndef UMADRIG_LIB_WORDS_LIST_H
#define UMADRIG_LIB_WORDS_LIST_H

#include <stddef.h>

/*
 * How many bytes the word has that 'text' begins with: up to one of the separators outside of "..."
 * and (...), or to the end. The other words of the list follow behind the separator.
 */
size_t list_word_size(const char *text, const char *separators);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See lib/words/list.h.
 */
#include "lib/words/list.h"

#include <stdbool.h>
#include <string.h>

size_t list_word_size(const char *text, const char *separators)
{
	bool is_quoted = false;
	size_t depth = 0, at = 0;

	for (; text[at] && (is_quoted || depth > 0 || !strchr(separators, text[at])); at++) {
		is_quoted ^= text[at] == '"';
		if (text[at] == '(' && !is_quoted)
			depth++;
		if (text[at] == ')' && !is_quoted && depth > 0)
			depth--;
	}
	return at;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Words of filters: see harness/script/tree/filter-word.h. */
#include "harness/script/tree/filter-word.h"

#include <stddef.h>
#include <string.h>

#define OF_FILTERS \
	"a filter of a capture (umadrig show) knows what comes later, a scenario "

const char *filter_word_reason(const char *word)
{
	static const struct {
		const char *word, *reason;
	} words[] = {
		{ "unanswered", OF_FILTERS "waits: +0~+1s < nothing" },
		{ "trip", OF_FILTERS "waits: write when the answer comes: +0~+1ms <" },
		{ "retry", OF_FILTERS "waits: each time that it is sent has a line" },
		{ "changed", OF_FILTERS "says what it expects: { LinkState=Down }" },
		{ "frame", OF_FILTERS "has MADs in the order of its lines" },
		{ "trap", OF_FILTERS "names the field: { NoticeTrapNumber=128 }" },
		{ "dropped", OF_FILTERS "drops packets by 'fault drop'" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].word, word) == 0)
			return words[i].reason;
	return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words of replays: see sim/run/replay-words.h.
 */
#include "sim/run/replay-words.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/words/duration.h"
#include "lib/words/number.h"


int replay_parse_as_of(const char *text, struct replay_wishes *ret)
{
	if (strcmp(text, "first") == 0) {
		ret->as_of = REPLAY_FIRST;
		return 0;
	}
	if (strcmp(text, "last") == 0) {
		ret->as_of = REPLAY_LAST;
		return 0;
	}
	ret->as_of = REPLAY_AT;
	return duration_parse(text, &ret->as_of_ns);
}

int replay_parse_unmatched(const char *text, struct replay_wishes *ret)
{
	const char *number = text + strlen("status=");
	uint64_t status;

	ret->unmatched_status = 0;
	ret->unmatched_expires = strcmp(text, "timeout") == 0;
	if (ret->unmatched_expires || strcmp(text, "drop") == 0)
		return 0;
	if (!g_str_has_prefix(text, "status="))
		return -EINVAL;
	if (number_parse(number, 1, 0x7fff, &status) < 0)
		return -EINVAL;
	ret->unmatched_status = (uint16_t)status;
	return 0;
}

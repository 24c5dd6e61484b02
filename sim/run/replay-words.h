/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words by which replays are adjusted: in specs, in scenarios and in umadrig.h.
 */
#ifndef UMADRIG_SIM_RUN_REPLAY_WORDS_H
#define UMADRIG_SIM_RUN_REPLAY_WORDS_H

#include "sim/fabric/options.h"

#define REPLAY_AS_OF_WANTED "first, last or a time since the capture began, such as 2.5s"
#define REPLAY_UNMATCHED_WANTED "drop, timeout, or status=N with a number from 1 to 0x7fff"

/* "first", "last", "2.5s". 0, or -EINVAL. */
int replay_parse_as_of(const char *text, struct replay_wishes *ret);
/* "drop", "timeout", "status=0x000c". 0, or -EINVAL. */
int replay_parse_unmatched(const char *text, struct replay_wishes *ret);

#endif

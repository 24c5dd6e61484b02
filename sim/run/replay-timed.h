/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "timed": what a captured port got arrives again, each MAD at its own time.
 */
#ifndef UMADRIG_SIM_RUN_REPLAY_TIMED_H
#define UMADRIG_SIM_RUN_REPLAY_TIMED_H

#include <stdbool.h>
#include <stddef.h>

struct umadrig_fabric;
struct umadrig_replay;
struct capture;
struct replay_timed;

/*
 * The capture's first frame is now. The capture is taken over, 'replay' is not kept. 'alone': there
 * is no fabric behind the port, what leaves it is lost. NULL with a message where nothing of the
 * capture arrives.
 */
struct replay_timed *replay_timed_new(struct umadrig_fabric *fabric, struct capture *capture,
				      const struct umadrig_replay *replay, bool alone,
				      char *reterr, size_t reterr_size);

/* From now on it sees what leaves: nothing else diverts packets any more. */
void replay_timed_begin(struct replay_timed *timed);

/* NULL is allowed. */
void replay_timed_free(struct replay_timed *timed);

#endif

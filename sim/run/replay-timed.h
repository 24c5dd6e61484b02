/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "timed": the MADs that a captured port received arrive again, each at its own time.
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
 * Makes a replay whose first frame is now. Takes over the capture, does not keep 'replay'. 'alone':
 * there is no fabric behind the port, and packets that leave it are lost. NULL with a message if
 * the port receives nothing in the capture.
 */
struct replay_timed *replay_timed_new(struct umadrig_fabric *fabric, struct capture *capture,
				      const struct umadrig_replay *replay, bool alone,
				      char *reterr, size_t reterr_size);

/* Starts it: it sees the packets that leave. Nothing else may divert packets. */
void replay_timed_begin(struct replay_timed *timed);

/* NULL is allowed. */
void replay_timed_free(struct replay_timed *timed);

#endif

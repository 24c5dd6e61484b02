/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "timed": the MADs that a captured port received arrive again, each at its own time.
 *
 * Beside its own 256 bytes a MAD takes 100 bytes (104 if it arrives and TIDs are those of present
 * requests). The MADs are copied: a file that is cut off or written again under a mapping would end
 * the program by SIGBUS, or change what arrives.
 */
#ifndef UMADRIG_SIM_RUN_REPLAY_TIMED_H
#define UMADRIG_SIM_RUN_REPLAY_TIMED_H

#include <stddef.h>

struct capture;
struct end_port;
struct replay_timed;
struct umadrig_replay;
struct umadrig_replay_progress;

/*
 * Makes a replay at 'end'. Takes over the capture, does not keep 'replay' (whose 'timed_at' is not
 * used). On the capture's own fabric there is nothing behind the port: packets that leave it are
 * lost. NULL with a message if the port receives nothing in the capture.
 */
struct replay_timed *replay_timed_new(struct end_port *end, struct capture *capture,
				      const struct umadrig_replay *replay, char *reterr,
				      size_t reterr_size);

/* From now on it sees the packets that leave. Nothing else may divert packets. */
void replay_timed_attach(struct replay_timed *timed);

/* Starts it: the first frame of the capture is now. */
void replay_timed_begin(struct replay_timed *timed);

/* How far it is. */
void replay_timed_progress(const struct replay_timed *timed, struct umadrig_replay_progress *ret);

/* NULL is allowed. */
void replay_timed_free(struct replay_timed *timed);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A replayed capture behind a fabric's ports: what leaves a port is taken off the wire and answered
 * from the capture (sim/capture/replay.h).
 */
#ifndef UMADRIG_SIM_RUN_REPLAY_FABRIC_H
#define UMADRIG_SIM_RUN_REPLAY_FABRIC_H

#include <stddef.h>

struct umadrig_fabric;
struct umadrig_options;
struct umadrig_replay;
struct capture;

/*
 * H1, as the capture in 'path' knows who asked there, on a cable to the captured fabric, which
 * answers. As fabric_new() otherwise.
 */
struct umadrig_fabric *fabric_new_replay(const char *path, struct umadrig_options *options,
					 char *reterr, size_t reterr_size);

/*
 * As umadrig_replay(), of a capture that was read, which is taken over; what was replayed before is
 * so no longer. Lock held. 0, or -EINVAL with a message.
 */
int replay_begin(struct umadrig_fabric *fabric, struct capture *capture,
		 const struct umadrig_replay *options, char *reterr, size_t reterr_size);

#endif

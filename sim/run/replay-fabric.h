/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A replayed capture behind a fabric's ports: packets that leave a port are taken off the wire and
 * answered from the capture (sim/capture/replay.h).
 */
#ifndef UMADRIG_SIM_RUN_REPLAY_FABRIC_H
#define UMADRIG_SIM_RUN_REPLAY_FABRIC_H

#include <stddef.h>

struct umadrig_fabric;
struct umadrig_options;
struct umadrig_replay;

/*
 * A fabric with H1, the requester of the capture in 'path', on a cable to the captured fabric,
 * which answers. Otherwise as fabric_new().
 */
struct umadrig_fabric *fabric_new_replay(const char *path, struct umadrig_options *options,
					 char *reterr, size_t reterr_size);

/*
 * The same, but nothing is answered (mode timed): what H1 received in the capture arrives again,
 * each MAD at its own time since a program has first opened a port.
 */
struct umadrig_fabric *fabric_new_replay_timed(const char *path, struct umadrig_options *options,
					       char *reterr, size_t reterr_size);

/* As umadrig_replay(); ends an earlier replay. Lock held. 0, or -EINVAL with a message. */
int replay_begin(struct umadrig_fabric *fabric, const struct umadrig_replay *options, char *reterr,
		 size_t reterr_size);

#endif

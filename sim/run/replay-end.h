/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of a replay.
 */
#ifndef UMADRIG_SIM_RUN_REPLAY_END_H
#define UMADRIG_SIM_RUN_REPLAY_END_H

struct umadrig_fabric;

/*
 * Ends the present replay, if any; with summary=yes its counts go to stderr. Lock held, or nobody
 * else uses the fabric.
 */
void replay_end(struct umadrig_fabric *fabric);

#endif

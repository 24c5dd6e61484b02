/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the swarm's programs do.
 */
#ifndef UMADRIG_TESTS_SWARM_SWARM_PLAY_H
#define UMADRIG_TESTS_SWARM_SWARM_PLAY_H

#include "tests/swarm/swarm.h"

/* One random operation, checked. */
void swarm_play_step(struct swarm *swarm);
/* All wait until nothing is in progress; then everything is closed, in some order. */
void swarm_play_finish(struct swarm *swarm);
/* Does kmod-stub send messages in segments? (The swarm has none of its own yet.) */
bool swarm_play_has_rmpp(struct swarm *swarm);

/* ---- for the operations ---- */

enum { SWARM_METHODS = 8 };
extern const uint8_t swarm_methods[SWARM_METHODS];

static inline uint64_t below(struct swarm *swarm, uint64_t limit)
{
	return chance_below(&swarm->play, limit);
}

static inline bool hits(struct swarm *swarm, uint64_t numerator, uint64_t denominator)
{
	return chance_hits(&swarm->play, numerator, denominator);
}

/* The operation on 'port' returned 'got'. */
void swarm_play_check(struct swarm *swarm, const struct swarm_port *port, long got, long expected);
/* Any agent, or any whose RMPP the kernel does; NULL: there is none. */
struct swarm_agent *swarm_pick_agent(struct swarm *swarm, bool kernel_rmpp);
struct swarm_port *swarm_pick_port(struct swarm *swarm);

/* ---- tests/swarm/swarm-write.c ---- */

/* A MAD that is not in segments, or one from a program that does its own segmentation. */
void swarm_play_send(struct swarm *swarm);
/* The answer to a request that was read. */
void swarm_play_answer(struct swarm *swarm);
/* A message in segments by the kernel. */
void swarm_play_message(struct swarm *swarm);
/* A directed route to the node itself. */
void swarm_play_local_smp(struct swarm *swarm);
/* More sends in one instant than the QP takes. */
void swarm_play_burst(struct swarm *swarm);

#endif

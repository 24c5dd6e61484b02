/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Into a fabric and out of it: every public function begins and ends so (see sim/time/clock.h).
 */
#ifndef UMADRIG_SIM_FABRIC_ENTRY_H
#define UMADRIG_SIM_FABRIC_ENTRY_H

#include "sim/fabric/fabric.h"
#include "sim/time/clock.h"

/*
 * Takes the lock and, with a real clock, lets happen what is due. -EIO in a forked child, which
 * gets a message once: the fabric is its parent's. -EDEADLK in a signal's handler that interrupts a
 * call of this thread's into a fabric.
 */
static inline int fabric_enter(struct umadrig_fabric *fabric)
{
	return clock_enter(fabric->clock);
}

/*
 * The same for sends and receives, of which there are many: the thread can still be cancelled, so
 * that none of what they do may be a cancellation point. Where something is attached that may be
 * one (a capture, a tap, an issm path), it cannot.
 */
int fabric_enter_quick(struct umadrig_fabric *fabric);

/* Makes handles readable, or no longer, wakes the threads that wait, and gives the lock back. */
static inline void fabric_leave(struct umadrig_fabric *fabric)
{
	clock_leave(fabric->clock);
}

/* Is this process a child, forked after the fabric was made? Needs no lock. */
static inline bool fabric_is_forked(const struct umadrig_fabric *fabric)
{
	return clock_is_forked(fabric->clock);
}

#endif

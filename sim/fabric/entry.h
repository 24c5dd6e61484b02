/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Entering and leaving a fabric: every public function begins and ends so (see sim/time/clock.h).
 */
#ifndef UMADRIG_SIM_FABRIC_ENTRY_H
#define UMADRIG_SIM_FABRIC_ENTRY_H

#include "config.h"

#ifdef HAVE_SYS_SINGLE_THREADED_H
#include <sys/single_threaded.h>
#endif

#include "sim/fabric/fabric.h"
#include "sim/time/clock.h"

/*
 * Takes the lock and, with a real clock, fires what is due. -EIO in a forked child, with a message
 * once: the fabric is its parent's. -EDEADLK in a signal handler that interrupts a call of this
 * thread into a fabric.
 */
static inline int fabric_enter(struct umadrig_fabric *fabric)
{
	return clock_enter(fabric->clock);
}

/*
 * Has the process one thread? Then it may read the fabric without the lock, and this stays so while
 * it is inside, unless it calls foreign functions.
 */
static inline bool fabric_thread_is_only(void)
{
#ifdef HAVE_SYS_SINGLE_THREADED_H
	return __libc_single_threaded;
#else
	return false;
#endif
}

/* As fabric_enter_quick() below, in the general case. */
int fabric_enter_wary(struct umadrig_fabric *fabric);

/*
 * The same for sends and receives, of which there are many: the thread can still be cancelled, so
 * they must not reach a cancellation point. If something is attached that may be one (a capture, a
 * tap, an issm path), the thread cannot be cancelled.
 */
static inline int fabric_enter_quick(struct umadrig_fabric *fabric)
{
	if (fabric_thread_is_only() && !fabric->is_watched && clock_try_alone(fabric->clock))
		return 0;
	return fabric_enter_wary(fabric);
}

/* Makes handles readable, or no longer, wakes the threads that wait, and releases the lock. */
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

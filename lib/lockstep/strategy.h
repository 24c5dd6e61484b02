/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which of several threads runs next: the strategy of a schedule (lib/words/schedule.h).
 *
 * In order: the one that has been able to run for longest, and others are let in only where a
 * thread waits. A random walk: any of them, with equal chances, and others are let in at one in
 * eight points.
 *
 * Probabilistic concurrency testing: each thread has a priority by chance, and the highest one
 * that can run does. At a few points, chosen by chance among the first N, that of the running
 * thread falls below all that have not fallen. A bug that needs d events of k in one order among n
 * threads shows in one run of n * k^(d-1) at most, however long the run is, where a walk's chances
 * shrink with each event. An odd seed's priorities are those of the even one before it, reversed:
 * so two runs have both orders of any two threads. The first fall of those two is at one point, and
 * 2 * N seeds in a row have it at each of the N: what takes one switch at one point is found for
 * certain, where it is by chance in the paper. Two things are not in the paper, as threads that
 * look at something over and over would keep all others from it: a thread that yields falls to the
 * lowest priority, and so does one that has passed many points in a row.
 *
 * Partial order sampling: each step has a priority by chance, and the highest one is taken.
 *
 * Each thread counts its choices, from 1: whether it lets others in at a point, and which one, is
 * one; which one goes on where it waits is another. Where another thread runs than would have in
 * order, that is noted; in order, all that has been noted of a run (switches=) makes it happen
 * again.
 *
 * A point is where others may see what a thread has done: unlocking, signalling and the like
 * (turn_perhaps_yield()), and waiting.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_STRATEGY_H
#define UMADRIG_LIB_LOCKSTEP_STRATEGY_H

#include "lib/lockstep/lockstep-session.h"

/* The thread to run next; NULL: none can. With the baton, as all here. */
struct lockstep_slot *strategy_pick(void);

/* The calling thread is at a point, and can go on. Are others to be let in? */
bool strategy_chooses_others(void);

/* The same: each unlock asks, and in order, where nothing else is wished, nobody ever is. */
static inline bool strategy_lets_in(void)
{
	if (lockstep->strategy != SCHEDULE_IN_ORDER || lockstep->wishes)
		return strategy_chooses_others();
	lockstep->points++;
	lockstep_self->choices++;
	return false;
}
/* The calling thread is at a point where it waits. */
void strategy_waits(void);
/* The calling thread has nothing to do until others have run. */
void strategy_yields(void);

#endif

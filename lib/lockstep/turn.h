/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whose turn it is: what calls that wait are made of.
 *
 * A call first looks by itself, without waiting. Then it waits here, for one thing under one name
 * (kind and address), and looks again. What makes that thing happen wakes by the same name.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TURN_H
#define UMADRIG_LIB_LOCKSTEP_TURN_H

#include "lib/lockstep/lockstep-session.h"

enum turn_end {
	TURN_WOKEN,		/* or for no reason: the caller looks again */
	TURN_TIMED_OUT,
	TURN_INTERRUPTED,	/* handlers of signals have run */
	TURN_RESTARTS,		/* the same, all of them with SA_RESTART */
};

/*
 * The calling thread waits, others run. 'addr' says what for, in this process; 'deadline' is of the
 * session's clock, LOCKSTEP_NEVER for none. Handlers of signals have run before it returns.
 */
enum turn_end turn_wait(enum lockstep_kind kind, uint64_t addr, int64_t deadline);
/* The same for handles and other descriptors, which the caller has noted in its slot. */
enum turn_end turn_wait_for_descriptors(uint64_t addr, int64_t deadline);

/*
 * Wakes the thread that has waited longest for it, or all: of this process, or of any if it has a
 * name that they share (lib/lockstep/shared.h). Returns how many.
 */
int turn_wake(enum lockstep_kind kind, uint64_t addr, bool all);

/* Others that can run do so first. */
void turn_yield(void);
/*
 * Others may run here, if the schedule's strategy has it so (lib/lockstep/strategy.h). For calls
 * after which others may see what this thread did.
 */
void turn_perhaps_yield(void);
/*
 * The calling thread looks again at the deadline, or before time moves when something has happened
 * ('is_told'). 'is_news': others may see what it has done since its last look. For looks.c.
 */
void turn_look_later(int64_t deadline, bool is_news, bool is_told);

/*
 * The kernel may send signals to process 'pid', by its number there, as something becomes ready
 * that it was told to watch: its threads look for them before time moves.
 */
void turn_expect_signals(int pid);

/* A timer that is a file (lib/lockstep/timer-files.h), and not due so far, has expired. */
void turn_expire_file(struct lockstep_slot *timer);

/* The calling thread's process stops: see stops_self() (lib/lockstep/stops.h). */
void turn_stop(int sig);

/* A new thread or process waits for its first turn, and is in it. 'mask': its blocked signals. */
void turn_begin(uint64_t mask);

/* The deadline that is so many ns away. */
static inline int64_t turn_after(int64_t ns)
{
	if (ns < 0)
		return lockstep->now;
	return ns > LOCKSTEP_NEVER - lockstep->now ? LOCKSTEP_NEVER : lockstep->now + ns;
}

#endif

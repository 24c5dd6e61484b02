/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signals come with the turn: a thread that waits for the baton blocks them all, so that no handler
 * runs beside the thread whose turn it is, and each runs at the same instant in each run.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_DELIVERY_H
#define UMADRIG_LIB_LOCKSTEP_DELIVERY_H

#include <signal.h>

#include "lib/lockstep/kernel-signals.h"
#include "lib/lockstep/lockstep-session.h"

/*
 * What a stand-in gets where the process that it stands for has ended: a signal of libc's own,
 * which it always handles (lib/stand-in/foreign-signals.h).
 */
enum { DELIVERY_TELLS_STAND_IN = SIGNAL_CANCEL };

/* Sets of signals as the kernel has them: bit SIGNAL - 1. */
uint64_t delivery_bits(const sigset_t *set);
static inline uint64_t delivery_bit(int sig)
{
	return UINT64_C(1) << (sig - 1);
}

enum delivery {
	DELIVERY_NONE,		/* no handler has run */
	DELIVERY_RESTART,	/* handlers have, all of them with SA_RESTART */
	DELIVERY_INTERRUPT,
};

/* Blocks all signals of the calling thread; returns those that were blocked. */
uint64_t delivery_block(void);

/*
 * Sets the blocked signals, which delivers what is pending and not blocked. Where that ends this
 * process, it has left the table before.
 */
enum delivery delivery_set(uint64_t mask);

/* Would a signal of the set, if it came, end this process? */
bool delivery_is_deadly(int sig);
/* A handler that stands for the usual action, which it takes itself. */
void delivery_set_usual_handler(void (*handler)(int sig));
/* From now on it has its usual action. */
void delivery_set_usual(int sig);
/* Is nothing set for the signal? */
bool delivery_is_default(int sig);
/* What the calling thread blocks. */
uint64_t delivery_blocked(void);
/* Signals that are pending for the calling thread or its process. */
uint64_t delivery_pending(void);

#endif

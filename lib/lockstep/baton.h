/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The baton: the right to run, and to write the table. From hand to hand; which hand is chosen in
 * lib/lockstep/turn.h.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_BATON_H
#define UMADRIG_LIB_LOCKSTEP_BATON_H

#include "lib/lockstep/lockstep-session.h"

/* 'slot' can run: it will be chosen some time. */
void baton_make_runnable(struct lockstep_slot *slot, enum lockstep_reason reason);

/*
 * The process 'pid' of the kernel has got a signal: a thread of it that waits, and does not block
 * the signal or waits for it, goes on to take it. The first one before others.
 */
void baton_wake_for_signal(int pid, int sig);
/* The same where the signal was sent to one thread. */
void baton_wake_thread_for_signal(struct lockstep_slot *slot, int sig);

/* Gives the baton away. 'duty': not to run, but to choose. */
void baton_give(struct lockstep_slot *to, bool duty);

/*
 * Waits for the baton, and for the end of what died with it. All signals are blocked. True: only
 * the duty to choose came. Ends the process if the session is over.
 */
bool baton_await(void);

/*
 * Gives the baton away with the duty to choose, to a thread that is not of process 'pid' (0: to any
 * other), nor of one that is stopped: the caller is dying, and must not choose while things of its
 * own are still open, or stops. False: there is none.
 */
bool baton_pass_on(int pid);

/*
 * A child of process 'parent' (0: of nobody) has ended, has stopped or goes on. The kernel sends
 * SIGCHLD by itself; here a thread is made to notice.
 */
void baton_wake_parent(int parent);

/* Wakes all that wait for the baton, to end. */
void baton_end_all(void);

#endif

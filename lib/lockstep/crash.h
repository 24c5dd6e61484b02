/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Deaths by an error of the program, SIGSEGV and the like, and abort(3): in sessions that want it
 * (lockstep->tells_crashes) the table gets the functions that the thread was in (struct
 * lockstep_crash), and the process leaves the table before it ends, as by any other signal.
 *
 * A copy of the process looks: a fork, which may find what is broken, or wait for a lock for ever,
 * and is killed then. For faults there is a handler where the action is the usual one. Programs do
 * not see it: what sigaction(2) returns is SIG_DFL.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_CRASH_H
#define UMADRIG_LIB_LOCKSTEP_CRASH_H

#include <signal.h>
#include <stdbool.h>

/* Sets the handlers, at the start of a program. */
void crash_begin(void);

/* What stands for the usual action of this signal, in '*ret'. False: nothing does. */
bool crash_action(int sig, struct sigaction *ret);
/* Is that what the kernel has for a signal? */
bool crash_is_action(const void *handler);

/*
 * The calling thread is about to end its process by this signal. Notes where it is, if the signal
 * is one of these.
 */
void crash_note(int sig);

#endif

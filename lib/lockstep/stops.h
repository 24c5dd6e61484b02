/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Stopped processes. The kernel stops them, so that what waits for them, and /proc, tell of it; and
 * the table knows it, so that none of their threads is chosen while time goes on.
 *
 * A process stops with the turn: of one that waits all threads have stopped before the sender goes
 * on, and one that stops itself has before the next one does. Of those that a terminal stops, or
 * somebody beyond the session, nothing is known.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_STOPS_H
#define UMADRIG_LIB_LOCKSTEP_STOPS_H

#include <stdbool.h>

/* Does the signal stop the calling process, if nothing else is set for it? */
bool stops_by_default(int sig);

/*
 * The calling process stops, by that signal, until another lets it go on, and this thread has the
 * turn again. All signals are blocked. It is turn_stop(), of a file above those that call it.
 */
extern void (*stops_self)(int sig);

/* Process 'pid' is stopped by that signal, or goes on (0); its parent is told. */
void stops_mark(int pid, int sig);

/* Another process of the session has got SIGSTOP, or SIGCONT. */
void stops_other(int pid);
void stops_end(int pid);

/* The status of wait(2) by the signal that stopped the process: it may have been another's. */
int stops_signal(int pid, int sig);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of threads and processes.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_DEATH_H
#define UMADRIG_LIB_LOCKSTEP_DEATH_H

#include "lib/lockstep/lockstep-session.h"

/*
 * This process is about to end, by exit or by a signal: its threads are dead in the table, its
 * parent can go on, and the baton is given to another process, which waits for the real end first.
 * Does nothing in a process that does not take part, and in a child that shares the memory of one.
 */
void death_of_self(void);

/* The calling thread is about to end; not the last of its process. */
void death_of_thread(void);

/*
 * The caller has just killed process 'pid' of the kernel, another one, by SIGKILL: waits for its
 * end.
 */
void death_of_other(int pid);

/* The same with a line: nobody of the session has killed it. */
void death_from_outside(struct lockstep_slot *slot);

/*
 * Nothing can happen any more: is that because processes were killed from outside, of which nobody
 * has heard? Takes their end into account, with a line for each. False: there are none.
 */
bool death_of_missing(void);

/* Kills all processes of the session, this one last. */
void death_of_all(void) __attribute__((noreturn));

#endif

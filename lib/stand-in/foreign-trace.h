/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A foreign thread that is traced (ptrace(2)) while it makes one call: for calls that make another
 * thread, process or program, whose first step is to be known.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_TRACE_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_TRACE_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

struct foreign_told;

/*
 * Traces foreign_self. 'options' are those of PTRACE_SEIZE. 0; -ESRCH: it has ended; or another
 * -errno, which has been said.
 */
int foreign_trace_begin(unsigned long options);
/*
 * More or fewer threads are traced, or SIGCHLD has another handler: it is not called for stops of
 * those. (Done by the functions here; called from outside for a new handler or process.)
 */
void foreign_trace_changed(void);
/*
 * It stops when it next leaves the kernel. Not while clone(2) is to be made, which the kernel would
 * begin again and again.
 */
void foreign_trace_interrupt(void);
/*
 * The next stop of foreign_self: the event (PTRACE_EVENT_STOP: it has left its call), or -errno: it
 * has ended.
 */
int foreign_trace_wait(void);
/* The same while it makes another program, by which its number becomes its process's. */
int foreign_trace_wait_program(void);
/* The same, or 0 if it makes another call instead: then its call has failed. */
int foreign_trace_wait_or_call(void);
void foreign_trace_go_on(void);
/* In a stop: it is not traced any more. What foreign_told has, it takes first. */
void foreign_trace_end(void);
/*
 * The same, once it has stopped on its way back to the program: it takes those of the signals that
 * are to come to it or its process. Their 'info' is what handlers get.
 */
void foreign_trace_take_signals(struct foreign_told *told);

/* What the event brings: the number of a new thread. */
pid_t foreign_trace_message(void);

/* In a stop after the call: another result in the place of its own. */
void foreign_trace_set_result(long result);

/*
 * The kernel makes the call that foreign_self waits for; if it succeeds, its result is this one.
 * Returns an answer, as struct stopped_call has them.
 */
long foreign_trace_make_call(long result);

/*
 * A new thread, which the kernel has stopped before its first step: it makes CALL_BIRTH first, and
 * is not traced any more.
 */
int foreign_trace_release_new(pid_t tid);

#endif

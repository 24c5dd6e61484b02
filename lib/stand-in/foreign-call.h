/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls of the foreign program that wait for their answers. */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_CALL_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_CALL_H

#include <stddef.h>

#include "lib/stand-in/foreign-process.h"

/*
 * Waits for the next call of the calling thread's, in foreign_self->call. False: the process has
 * ended. Does not return where only the thread has.
 */
bool foreign_call_receive(void);
/* The same for a thread that has just been born. */
bool foreign_call_receive_of(struct foreign_task *task);

/*
 * Ends the call with a result, -errno for a failure; or has the kernel do it. No signal is taken by
 * that: see foreign-answer.h.
 */
void foreign_call_answer(long result);
void foreign_call_go_on(void);

/* The call's arguments, as the kernel has them. */
static inline uint64_t foreign_argument(unsigned int i)
{
	return foreign_self->call.data.args[i];
}

/* ---- answers, as struct stopped_call has them ---- */

/* Puts a descriptor of this process into the foreign one. Its number there, or -errno. */
int foreign_call_put_descriptor(int fd, bool closes_on_exec);
/* The same. Closes 'fd'; -1 is a failure, errno its answer. */
long foreign_call_descriptor(int fd, bool closes_on_exec);
/* Of what a function of libc returned. */
long foreign_call_result(long ret);
/* The same of a call that is made again after a signal whose handler has SA_RESTART. */
long foreign_call_restarting(long ret);
/* The same, and if it is no failure what goes with it; 'at' 0: the program does not want that. */
long foreign_call_with(long ret, uint64_t at, const void *bytes, size_t size);

#endif

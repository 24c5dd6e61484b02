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

/* Ends the call with a result, -errno for a failure; or has the kernel do it. */
void foreign_call_answer(long result);
void foreign_call_go_on(void);
/* Puts a descriptor of this process into the foreign one. Its number there, or -errno. */
int foreign_call_put_descriptor(int fd, bool closes_on_exec);
/* The same, and ends the call with its number. Closes 'fd'; -1 is a failure, errno its answer. */
void foreign_call_answer_descriptor(int fd, bool closes_on_exec);

/* The call's arguments, as the kernel has them. */
static inline uint64_t foreign_argument(unsigned int i)
{
	return foreign_self->call.data.args[i];
}

/* Ends the call with what a function of libc returned. */
void foreign_call_answer_of(long ret);
/* The same of a call that is made again after a signal whose handler has SA_RESTART. */
void foreign_call_answer_restarting(long ret);
/* The same, and if it is no failure what goes with it; 'at' 0: the program does not want that. */
void foreign_call_answer_with(long ret, uint64_t at, const void *bytes, size_t size);

#endif

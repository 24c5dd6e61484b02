/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Notices of message queues by a signal: mq_notify(2). The kernel sends it to the process that
 * asked, so this one does, and passes the signal on; it keeps a descriptor of the queue for that.
 * (A thread that is to be started waits at a socket, as libc has it: the kernel makes that call.)
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_NOTICES_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_NOTICES_H

#include <signal.h>

/*
 * Asks for the signal of 'event' when the queue of 'fd' gets a message, and keeps the descriptor.
 * -1: errno says why, and the descriptor is the caller's; ENOMEM: there are 64 already.
 */
int foreign_notices_add(int fd, const struct sigevent *event);
/* Those whose signal has been sent are none any more: done before one is added. */
void foreign_notices_forget_sent(void);
/* What this process has asked for of that queue; the caller keeps the descriptor. */
void foreign_notices_take_back(int fd);
/* Another program has begun, whose queues are closed. */
void foreign_notices_end(void);
/*
 * Closes a descriptor of this process's. The kernel takes a notice back when the process that asked
 * for it closes any of the queue: one that was there is there afterwards.
 */
void foreign_notices_close(int fd);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Notices of message queues by a signal: mq_notify(2). The kernel sends it to the process that
 * asked, so this one does, and passes the signal on; it keeps a descriptor of the queue for that.
 * (A thread that is to be started waits at a socket, as libc has it: the kernel makes that call.)
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_NOTICES_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_NOTICES_H

/* mq_notify(2). */
long foreign_notices_ask(void);
/* Another program has begun, whose queues are closed. */
void foreign_notices_end(void);
/*
 * Closes a descriptor of this process's. The kernel takes a notice back when the process that asked
 * for it closes any of the queue: one that was there is there afterwards.
 */
void foreign_notices_close(int fd);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * System V's semaphores and message queues, and POSIX message queues: made here, with what the
 * foreign program's memory has. What SEM_UNDO owes is undone when this process ends, as the foreign
 * one has.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_QUEUES_H
#define UMADRIG_LIB_STAND_IN_CALL_QUEUES_H

long call_queues_semop(void);
long call_queues_semtimedop(void);
long call_queues_msgsnd(void);
long call_queues_msgrcv(void);
long call_queues_mq_timedsend(void);
long call_queues_mq_timedreceive(void);
long call_queues_mq_notify(void);

#endif

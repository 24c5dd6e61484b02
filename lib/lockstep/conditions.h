/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Condition variables. The real one is never touched: its waiters are in the table, so that
 * destroying it never waits for them.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_CONDITIONS_H
#define UMADRIG_LIB_LOCKSTEP_CONDITIONS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* As pthread_cond_timedwait(); 'deadline' is of the session's clock. 0 or ETIMEDOUT. */
int conditions_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline);
/* Wakes the thread that has waited longest, or all. */
void conditions_wake(pthread_cond_t *cond, bool all);

#endif

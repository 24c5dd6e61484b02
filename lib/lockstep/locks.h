/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Mutexes and read-write locks: the real ones, of which only the variants that do not wait are
 * used.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_LOCKS_H
#define UMADRIG_LIB_LOCKSTEP_LOCKS_H

#include <pthread.h>
#include <stdint.h>

/*
 * As pthread_mutex_lock(), _timedlock() and _unlock(), for waits that belong to another call;
 * 'deadline' is of the session's clock.
 */
int locks_lock(pthread_mutex_t *mutex);
int locks_lock_until(pthread_mutex_t *mutex, int64_t deadline);
int locks_unlock(pthread_mutex_t *mutex);

#endif

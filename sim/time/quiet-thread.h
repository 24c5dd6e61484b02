/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A thread of ours in a process of somebody else's: it takes none of its signals, whose handlers
 * must never run in a thread that the program does not know.
 */
#ifndef UMADRIG_SIM_TIME_QUIET_THREAD_H
#define UMADRIG_SIM_TIME_QUIET_THREAD_H

#include <pthread.h>

/*
 * Starts a thread with all signals blocked, as pthread_create(3) does; 'attr' may be NULL. 0, or
 * -errno. Any thread; its own mask stays as it is.
 */
int quiet_thread_start(pthread_t *ret_thread, const pthread_attr_t *attr,
		       void *(*run)(void *data), void *data);

#endif

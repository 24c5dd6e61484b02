/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A thread that takes no signals: see sim/time/quiet-thread.h.
 */
#include "sim/time/quiet-thread.h"

#include <signal.h>

int quiet_thread_start(pthread_t *ret_thread, const pthread_attr_t *attr,
		       void *(*run)(void *data), void *data)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(ret_thread, attr, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

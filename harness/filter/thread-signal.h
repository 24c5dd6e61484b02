/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signals that a thread has not taken yet, as /proc shows them: a call of it that a signal may
 * interrupt, and that waits for the supervisor, is to end then.
 */
#ifndef UMADRIG_HARNESS_FILTER_THREAD_SIGNAL_H
#define UMADRIG_HARNESS_FILTER_THREAD_SIGNAL_H

#include <sys/types.h>

enum thread_signal {
	THREAD_SIGNAL_NONE,
	THREAD_SIGNAL_ANY,	/* it, or another thread of the process, takes one */
	THREAD_SIGNAL_OWN,	/* it takes one, so that the kernel sees what its call returns */
};

enum thread_signal thread_signal_of(pid_t tid);

#endif

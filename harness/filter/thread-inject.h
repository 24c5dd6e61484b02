/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A thread that waits for the answer to a trapped call is made to make others in its place: what
 * can be done by the thread alone. These must not be trapped themselves.
 */
#ifndef UMADRIG_HARNESS_FILTER_THREAD_INJECT_H
#define UMADRIG_HARNESS_FILTER_THREAD_INJECT_H

#include <stddef.h>

#include "harness/filter/filter-listener.h"
#include "harness/filter/thread-registers.h"

/*
 * Begins to trace the thread. 0; or -errno, and its call is still to be answered: another process
 * traces it, say.
 */
int thread_inject_begin(const struct seccomp_notif *call);
/*
 * Answers the call of a thread that is traced, and lets go of it. If there are 'calls', it makes
 * them first, one after the other, and has the result of the first one instead of 'answer'.
 */
void thread_inject_end(struct listener *listener, const struct seccomp_notif *call, long answer,
		       const struct thread_made_call *calls, size_t count);

#endif

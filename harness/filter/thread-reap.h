/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads that end while the supervisor traces them.
 */
#ifndef UMADRIG_HARNESS_FILTER_THREAD_REAP_H
#define UMADRIG_HARNESS_FILTER_THREAD_REAP_H

#include <sys/types.h>

/*
 * To be called when a ptrace(2) or a wait of a traced thread has failed because the thread ends, or
 * has ended. It, and its process with it, would stay until its tracer has waited for it. Our own
 * children are left to whoever started them.
 */
void thread_reap(pid_t tid);

#endif

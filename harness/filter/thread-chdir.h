/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The working directory of a thread that waits for the answer to its chdir(2).
 */
#ifndef UMADRIG_HARNESS_FILTER_THREAD_CHDIR_H
#define UMADRIG_HARNESS_FILTER_THREAD_CHDIR_H

#include "harness/filter/filter-listener.h"

/*
 * As supervisor_call_fn. The thread changes its directory to 'fd', which stays the caller's: it
 * gets a copy at 'number' (-1: the lowest that is free), is made to call fchdir(2) and
 * close(2), and goes on with the former's result as that of its chdir(2). -EACCES: another process
 * traces the thread, as a line on stderr says.
 */
long thread_chdir(struct listener *listener, const struct seccomp_notif *call, int fd, int number);

#endif

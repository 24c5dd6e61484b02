/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The threads of a supervisor: one serves, and one watches over it. Where a program holds up the
 * thread that serves (harness/filter/supervisor-turn.h), another serves in its place, and all calls
 * of that process are left to the one that is held up, in its lane (harness/filter/call-lane.h).
 */
#ifndef UMADRIG_HARNESS_FILTER_SUPERVISOR_THREADS_H
#define UMADRIG_HARNESS_FILTER_SUPERVISOR_THREADS_H

#include "harness/filter/supervisor.h"

/*
 * From now on these threads serve; the caller does not, and may use the supervisor only in its
 * turn. 0 or -errno.
 */
int supervisor_threads_start(struct supervisor *supervisor);
/*
 * Takes the turn for good. What is left of the threads ends with the process, and so does the
 * supervisor: it must not be freed, for they wait for its turn.
 */
void supervisor_threads_stop(struct supervisor *supervisor);

#endif

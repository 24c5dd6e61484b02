/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Descriptors that a program gets as the result of a call.
 */
#ifndef UMADRIG_HARNESS_FILTER_PATH_GIVE_H
#define UMADRIG_HARNESS_FILTER_PATH_GIVE_H

#include "harness/filter/supervisor.h"

/*
 * Gives the call's program a copy of 'fd', which is closed here; returns what supervisor_call_fn
 * does. A directory gets a high number, if there is one.
 */
long path_give(struct supervisor *supervisor, const struct seccomp_notif *call, int fd,
	       bool cloexec);
/* The same with a high number for any file. */
long path_give_high(struct supervisor *supervisor, const struct seccomp_notif *call, int fd,
		    bool cloexec);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Timers that are files: timerfd_create(2). The descriptor is one of a pipe, in which the count of
 * expirations is, and which is watched and inherited as the kernel's timerfd is; a slot that no
 * thread and no process has (LOCKSTEP_TIMER with 'file') knows when it expires. An eventfd would
 * add by itself, but nothing tells one from another that comes when it is closed.
 *
 * The count is written when a process that has it looks at descriptors next. Until then a timer
 * with an interval does not expire again, so one that is closed moves time once at most.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TIMER_FILES_H
#define UMADRIG_LIB_LOCKSTEP_TIMER_FILES_H

#include "lib/lockstep/hooks.h"
#include "lib/lockstep/lockstep-session.h"

/* Writes the counts of those that have expired, as far as this process has them. */
void timer_files_fill_due(void);

/* To be called before each look at descriptors, in virtual time. */
static inline void timer_files_fill(void)
{
	if (lockstep->files_due)
		timer_files_fill_due();
}

extern const struct hook timer_files_hooks[];

#endif

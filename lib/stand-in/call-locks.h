/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Locks on files. Those of an open file are taken by a copy of its descriptor, which is the same
 * file; those of a process can be taken by that one alone, so this one waits until it will not
 * have to.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_LOCKS_H
#define UMADRIG_LIB_STAND_IN_CALL_LOCKS_H

long call_locks_flock(void);
long call_locks_fcntl(void);	/* the commands that wait; all others are the kernel's */

#endif

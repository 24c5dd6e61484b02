/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the thread that has the baton does, as /proc tells of it: for a session
 * that does not go on. Nothing is changed.
 */
#ifndef UMADRIG_SIM_SERVER_LOCKSTEP_HOLDER_H
#define UMADRIG_SIM_SERVER_LOCKSTEP_HOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/lockstep/table.h"

enum lockstep_holder_state {
	/* It computes, or a debugger has stopped it, which goes on when its user likes. */
	LOCKSTEP_HOLDER_RUNS,
	LOCKSTEP_HOLDER_SLEEPS,		/* in a system call that lock-step has not made */
	LOCKSTEP_HOLDER_IS_STOPPED,
};

/* Writes what the thread does into 'text', of 'size' bytes, such as "is in poll (7)". */
enum lockstep_holder_state lockstep_holder_describe(const struct lockstep_table *table,
						    char *text, size_t size);

/* Does it stand for a thread of another process, which the filter stops all calls of? */
bool lockstep_holder_is_foreign(const struct lockstep_table *table);

/* How many calls it has made for a thread of another process; 0: it stands for none. */
uint64_t lockstep_holder_calls(const struct lockstep_table *table);

/* How long it has run on a processor, and the one that it stands for, in ns; 0: not known. */
int64_t lockstep_holder_processor_ns(const struct lockstep_table *table);

#endif

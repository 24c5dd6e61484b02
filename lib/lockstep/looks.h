/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Looking without waiting takes time.
 *
 * A program may look at a clock, a descriptor, a child or a lock again and again until it sees what
 * it wants. It never waits, so no other would have its turn, and time would not move. Therefore
 * looks are counted, for each thread and kind. The first hundred in a row take no time. Each
 * further one waits for a microsecond, or for a 256th of the time that the row has taken, if that
 * is more: a loop of an hour has some thousand looks, and ends at most 0.4 % late. It is at most
 * 100 us for a thread that lets go of locks between its looks, as one with work does. The wait ends
 * before that when anything else happens in the session: what a thread looks for it sees at that
 * very instant.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_LOOKS_H
#define UMADRIG_LIB_LOCKSTEP_LOOKS_H

#include "lib/lockstep/look-row.h"

/* The look takes its time: for the next. */
void looks_take_time(enum look kind);

/*
 * The calling thread looks at a clock, or has looked at something else and not seen it: no other
 * has had a turn since, or what that one did would be missed.
 */
static inline void looks_count(enum look kind)
{
	if (++look_row.looks[kind] > LOOKS_FREE)
		looks_take_time(kind);
}

/* What a call on a descriptor has returned: a number of bytes, or -EAGAIN, a look in vain. */
void looks_returned(long n);
/* Whether a lock could be had. */
void looks_tried(bool has_lock);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Looking without waiting takes time: see lib/lockstep/looks.h. */
#include <errno.h>

#include "lib/lockstep/looks.h"
#include "lib/lockstep/turn.h"

enum {
	SHARE = 256,		/* of the time that the row has taken */
	LEAST_NS = 1000,
	MOST_NS = 1000000000,	/* or what only counts looks would be in the next century */
	/* where what was seen may be of use, or the thread does other things, too */
	MOST_AT_WORK_NS = 100000,
};

/*
 * Whether the thread lets go of locks between its looks. OpenSM's dispatcher looks at the clock for
 * each message, and has thousands of them before it waits, when the schedule puts it before all
 * others: at up to a second each, a bring-up would take hours.
 */
static bool is_at_work(void)
{
	if (look_row.since_wake < LOOKS_FREE)
		look_row.since_wake++;
	return look_row.since_wake < LOOKS_FREE;
}

void looks_take_time(enum look kind)
{
	bool is_first = !look_row.takes_time;
	int64_t ns;

	look_row.looks[kind] = LOOKS_FREE;
	if (!session_is_on())
		return;
	if (is_first)
		look_row.began_at = lockstep->now;
	look_row.takes_time = true;
	ns = (lockstep->now - look_row.began_at) / SHARE;
	if (ns < LEAST_NS)
		ns = LEAST_NS;
	if (ns > MOST_NS)
		ns = MOST_NS;
	if ((kind == LOOK_AT_OTHERS || is_at_work()) && ns > MOST_AT_WORK_NS)
		ns = MOST_AT_WORK_NS;
	/* At an instant with too many looks nothing but time is of any use. */
	turn_look_later(turn_after(ns), is_first, look_row.before <= LOOKS_AT_INSTANT);
}

void looks_returned(long n)
{
	if (n > 0)
		look_row_end();
	else if (n == -EAGAIN && session_is_on())
		looks_count(LOOK_IN_VAIN);
}

void looks_tried(bool has_lock)
{
	if (has_lock)
		look_row_end();
	else if (session_is_on())
		looks_count(LOOK_AT_OTHERS);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A row of looks: those of a thread that nothing comes between, see lib/lockstep/looks.h. It ends
 * when the thread does something that others may see: it waits, reads or writes, or takes a lock.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_LOOK_ROW_H
#define UMADRIG_LIB_LOCKSTEP_LOOK_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/lockstep/lockstep-session.h"

enum look {
	LOOK_AT_CLOCK,
	LOOK_IN_VAIN,	/* at a descriptor, a child, a signal */
	/*
	 * At what others change without a call: a word in memory, with sched_yield(2) between. What
	 * was seen is not known, so such a look takes at most 100 us. In vain at a lock, too.
	 */
	LOOK_AT_OTHERS,
	LOOK_KINDS
};

enum {
	LOOKS_FREE = 100,	/* of a kind, in a row */
	/*
	 * At one instant, in rows however short: programs that pass something round until the clock
	 * has moved. OpenSM looks at it 100,000 times where it brings 1,000 HCAs up; nothing looks
	 * in vain as often.
	 */
	LOOKS_AT_INSTANT = 1000000,
	LOOKS_IN_VAIN_WEIGH = 50,
};

/* The calling thread's. */
struct look_row {
	unsigned int looks[LOOK_KINDS];
	bool takes_time;	/* looks do so, since: */
	int64_t began_at;
	unsigned int since_wake;	/* looks that took time, up to LOOKS_FREE */
	uint64_t before;	/* at this instant, in rows that have ended: weighed */
};

extern SESSION_THREAD struct look_row look_row;

/* It ends. */
void look_row_end(void);

/* The thread lets go of a lock, or tells others of something: it does more than look. */
static inline void look_row_woke(void)
{
	look_row.since_wake = 0;
}
/* It ends because the thread has waited; 'has_moved': meanwhile time has moved. */
void look_row_waited(bool has_moved);

#endif

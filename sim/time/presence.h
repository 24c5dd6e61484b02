/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Presence: which threads take part in the virtual time of which clocks. A thread that ends leaves
 * all of them.
 */
#ifndef UMADRIG_SIM_TIME_PRESENCE_H
#define UMADRIG_SIM_TIME_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Where threads take part: a member of what they take part in. */
struct presence_place {
	uint64_t serial;		/* no two of a process have the same */
	/* A thread that was there has ended. Its lock is free. */
	void (*gone)(struct presence_place *place);
};

/*
 * Notes that the calling thread is there; true if it was not before. Cheap when it was. Lock
 * held.
 */
bool presence_enter(struct presence_place *place);

/* Notes that the calling thread is no longer there; true if it was. Lock held. */
bool presence_leave(struct presence_place *place);

/* A place has come to be. Its lock is free. */
void presence_place_made(struct presence_place *place);

/* The place is going to be freed: threads that are still there leave it no more. Lock free. */
void presence_place_gone(struct presence_place *place);

#endif

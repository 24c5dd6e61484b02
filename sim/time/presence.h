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
	/* Called when a thread that took part has ended. The place's lock is free. */
	void (*gone)(struct presence_place *place);
};

/*
 * Notes that the calling thread takes part; true if it did not before. Cheap if it did. Lock held.
 */
bool presence_enter(struct presence_place *place);

/* Notes that the calling thread takes part no longer; true if it did. Lock held. */
bool presence_leave(struct presence_place *place);

/* Registers a new place. Its lock is free. */
void presence_place_made(struct presence_place *place);

/* Removes a place before it is freed: threads that still take part will not leave it. Lock free. */
void presence_place_gone(struct presence_place *place);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The event queue: a binary heap ordered by (time, class of event, sequence of arming).
 */
#ifndef UMADRIG_SIM_TIME_EVENT_QUEUE_H
#define UMADRIG_SIM_TIME_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "kmod-stub/event.h"
#include "lib/base/invariant.h"

struct event_queue {
	struct event **heap;
	size_t count;
	size_t size;
	uint64_t sequence;
	uint64_t fired;		/* events since the start */
	int64_t now_ns;		/* time of the event being fired, or that time was moved to */
	/*
	 * With --enable-checks: ends the process if something does not hold that has to after each
	 * event; how much it has looked at. May be NULL.
	 */
	size_t (*check)(struct event_queue *queue);
	size_t unchecked;	/* events until it is called again: see event_queue_checked() */
};

void event_queue_init(struct event_queue *queue);
void event_queue_clear(struct event_queue *queue);

/* Arms, or re-arms, an event for 'at_ns'; a time that has passed counts as now. */
void event_queue_arm(struct event_queue *queue, struct event *event, int64_t at_ns);
void event_queue_disarm(struct event_queue *queue, struct event *event);

/* When the first event is due; TIME_NEVER if none is armed. */
static inline int64_t event_queue_next(const struct event_queue *queue)
{
	return queue->count ? queue->heap[0]->at_ns : TIME_NEVER;
}

/*
 * To be called at the end of each event, and of whatever else arms some. What is much to look at is
 * looked at less often.
 */
static inline void event_queue_checked(struct event_queue *queue)
{
	enum { WORK_OF_AN_EVENT = 256 };

	if (!INVARIANTS_ARE_CHECKED || !queue->check)
		return;
	if (queue->unchecked == 0)
		queue->unchecked = queue->check(queue) / WORK_OF_AN_EVENT;
	else
		queue->unchecked--;
}

/* Its own invariants: lib/base/invariant.h. */
const char *event_queue_check(const struct event_queue *queue);

/* Takes the first event out, which there is, moves now to its time, and fires it. */
void event_queue_fire_first(struct event_queue *queue);

/* Does that if it is due by 'until_ns'. */
static inline bool event_queue_fire(struct event_queue *queue, int64_t until_ns)
{
	if (!queue->count || queue->heap[0]->at_ns > until_ns)
		return false;
	event_queue_fire_first(queue);
	return true;
}

#endif

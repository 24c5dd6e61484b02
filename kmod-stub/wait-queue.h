/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wait queue: the sends of an agent that wait, by deadline, and with equal deadlines the newest
 * first, as in Linux's sorted list.
 *
 * Programs use few different timeouts, and time does not go back: sends with the same timeout come
 * in order of their deadlines. Each of a few timeouts has a lane, a list whose next entry belongs
 * at its end; sends without a lane go into a heap. So the cost does not grow with the number of
 * sends, and no neighbours in a heap have to be touched.
 */
#ifndef UMADRIG_KMOD_STUB_WAIT_QUEUE_H
#define UMADRIG_KMOD_STUB_WAIT_QUEUE_H

#include <stdint.h>

#include "kmod-stub/wait-heap.h"

struct mad_send;

enum { WAIT_LANES = 4 };

struct wait_lane {
	int64_t wait_ns;		/* how long all of them wait; TIME_NEVER */
	struct mad_send *first;		/* NULL: the lane is free */
	struct mad_send *last;
	struct mad_send *last_group;	/* the first of those with the last one's deadline */
};

struct wait_queue {
	uint32_t waiting;		/* sends in it */
	struct wait_lane lanes[WAIT_LANES];
	struct wait_heap heap;
};

/* Reserves room for one more send, to be released with wait_queue_unreserve(). -ENOMEM. */
static inline int wait_queue_reserve(struct wait_queue *queue)
{
	return wait_heap_reserve(&queue->heap);
}

static inline void wait_queue_unreserve(struct wait_queue *queue)
{
	wait_heap_unreserve(&queue->heap);
}

/*
 * Adds a send, for which room was reserved, by its deadline_ns and order; it waits for 'wait_ns'
 * from now on.
 */
void wait_queue_push(struct wait_queue *queue, struct mad_send *send, int64_t wait_ns);
/* Removes a send, which must be in the queue. */
void wait_queue_remove(struct wait_queue *queue, struct mad_send *send);
/* As wait_queue_first() below, in the general case. */
struct mad_send *wait_queue_first_of_many(const struct wait_queue *queue);
/* The send that comes first, or NULL. */
static inline struct mad_send *wait_queue_first(const struct wait_queue *queue)
{
	if (queue->waiting == 0)
		return (struct mad_send *)0;
	/* A single waiting send is usually in the first lane. */
	if (queue->waiting == 1 && queue->lanes[0].first)
		return queue->lanes[0].first;
	return wait_queue_first_of_many(queue);
}
/* Its invariants: lib/base/invariant.h. */
const char *wait_queue_check(const struct wait_queue *queue);
/* Frees the queue's memory; it must be empty. */
void wait_queue_clear(struct wait_queue *queue);

#endif

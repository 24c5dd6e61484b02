/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The event queue: see sim/time/event-queue.h.
 *
 * A binary heap of pointers. Each event knows its own slot, so disarming needs no search. The
 * sequence number makes the order total: no two events compare equal, so it does not matter that a
 * heap is not stable.
 */
#include "sim/time/event-queue.h"

#include <assert.h>
#include <stdlib.h>

void event_queue_init(struct event_queue *queue)
{
	*queue = (struct event_queue){ 0 };
}

void event_queue_clear(struct event_queue *queue)
{
	for (size_t i = 0; i < queue->count; i++)
		queue->heap[i]->slot = 0;
	free(queue->heap);
	event_queue_init(queue);
}

static inline bool is_before(const struct event *a, const struct event *b)
{
	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns;
	if (a->kind != b->kind)
		return a->kind < b->kind;
	return a->sequence < b->sequence;
}

static inline void put(struct event_queue *queue, size_t index, struct event *event)
{
	queue->heap[index] = event;
	event->slot = (uint32_t)index + 1;
}

static void sift_up(struct event_queue *queue, size_t index, struct event *event)
{
	while (index > 0) {
		size_t parent = (index - 1) / 2;

		if (!is_before(event, queue->heap[parent]))
			break;
		put(queue, index, queue->heap[parent]);
		index = parent;
	}
	put(queue, index, event);
}

/* Not inlined, so that a queue of one or two events saves no registers. */
__attribute__((noinline)) static void sift_down(struct event_queue *queue, size_t index,
						struct event *event)
{
	for (;;) {
		size_t child = 2 * index + 1;

		if (child >= queue->count)
			break;
		if (child + 1 < queue->count &&
		    is_before(queue->heap[child + 1], queue->heap[child]))
			child++;
		if (!is_before(queue->heap[child], event))
			break;
		put(queue, index, queue->heap[child]);
		index = child;
	}
	put(queue, index, event);
}

/* Makes room for more. Out of memory ends the process: an event must not be lost. */
static void grow(struct event_queue *queue)
{
	queue->size = queue->size ? 2 * queue->size : 64;
	queue->heap = reallocarray(queue->heap, queue->size, sizeof(struct event *));
	if (!queue->heap)
		abort();
}

static inline void arm(struct event_queue *queue, struct event *event, int64_t at_ns)
{
	size_t index = queue->count++;

	event->at_ns = at_ns > queue->now_ns ? at_ns : queue->now_ns;
	event->sequence = queue->sequence++;
	/* Mostly it is the only event, or comes after all others. */
	if (index == 0 || !is_before(event, queue->heap[(index - 1) / 2]))
		put(queue, index, event);
	else
		sift_up(queue, index, event);
}

/* Not inlined, so that the usual case (not armed yet, and room for it) saves no registers. */
__attribute__((noinline)) static void arm_anew(struct event_queue *queue, struct event *event,
					       int64_t at_ns)
{
	event_queue_disarm(queue, event);
	if (queue->count == queue->size)
		grow(queue);
	arm(queue, event, at_ns);
}

void event_queue_arm(struct event_queue *queue, struct event *event, int64_t at_ns)
{
	if (event_is_armed(event) || queue->count == queue->size)
		arm_anew(queue, event, at_ns);
	else
		arm(queue, event, at_ns);
}

void event_queue_disarm(struct event_queue *queue, struct event *event)
{
	struct event *last;
	size_t index;

	if (!event_is_armed(event))
		return;
	index = event->slot - 1;
	assert(queue->heap[index] == event);
	event->slot = 0;
	last = queue->heap[--queue->count];
	if (last == event)
		return;
	if (index > 0 && is_before(last, queue->heap[(index - 1) / 2]))
		sift_up(queue, index, last);
	else
		sift_down(queue, index, last);
}

void event_queue_fire_first(struct event_queue *queue)
{
	struct event *event = queue->heap[0], *last;

	event->slot = 0;
	last = queue->heap[--queue->count];
	if (queue->count == 1)
		put(queue, 0, last);
	else if (queue->count > 1)
		sift_down(queue, 0, last);
	queue->now_ns = event->at_ns;
	queue->fired++;
	event->fire(event);
	event_queue_checked(queue);
}

const char *event_queue_check(const struct event_queue *queue)
{
	MUST(queue->count <= queue->size, "event queue: there is room for its events");
	for (size_t i = 0; i < queue->count; i++) {
		const struct event *event = queue->heap[i];

		MUST(event->slot == i + 1, "event queue: an event knows its slot");
		MUST(event->fire && event->kind < EVENT_CLASS_COUNT,
		     "event queue: an event is of a class, and does something");
		NEVER(event->at_ns < queue->now_ns, "event queue: never an event in the past");
		MUST(event->sequence < queue->sequence, "event queue: it has armed its events");
		NEVER(i > 0 && is_before(event, queue->heap[(i - 1) / 2]),
		      "event queue: never an event that comes before its parent");
	}
	return NULL;
}

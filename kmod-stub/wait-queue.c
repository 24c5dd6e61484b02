/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wait queue: lanes and a heap.
 */
#include "kmod-stub/wait-queue.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "kmod-stub/mad-send.h"

static struct wait_lane *find_lane(struct wait_queue *queue, int64_t wait_ns)
{
	struct wait_lane *unused = NULL;

	if (queue->waiting == 0) {
		queue->lanes[0].wait_ns = wait_ns;
		return &queue->lanes[0];
	}
	for (unsigned int i = 0; i < WAIT_LANES; i++) {
		struct wait_lane *lane = &queue->lanes[i];

		if (!lane->first)
			unused = unused ? unused : lane;
		else if (lane->wait_ns == wait_ns)
			return lane;
	}
	if (unused)
		unused->wait_ns = wait_ns;
	return unused;
}

/* Inserts 'send' before 'next'; NULL: at the end. */
static void link_before(struct wait_lane *lane, struct mad_send *send, struct mad_send *next)
{
	send->wait_next = next;
	send->wait_previous = next ? next->wait_previous : lane->last;
	if (send->wait_previous)
		send->wait_previous->wait_next = send;
	else
		lane->first = send;
	if (next)
		next->wait_previous = send;
	else
		lane->last = send;
}

void wait_queue_push(struct wait_queue *queue, struct mad_send *send, int64_t wait_ns)
{
	struct wait_lane *lane = find_lane(queue, wait_ns);

	queue->waiting++;
	send->wait_lane = lane;
	if (!lane) {
		wait_heap_push(&queue->heap, send, send->deadline_ns, send->order);
		return;
	}
	if (lane->last && lane->last->deadline_ns == send->deadline_ns) {
		assert(lane->last_group);
		link_before(lane, send, lane->last_group);
	} else {
		assert(!lane->last || lane->last->deadline_ns < send->deadline_ns);
		link_before(lane, send, NULL);
	}
	lane->last_group = send;
}

/*
 * When the last group is empty, the one before it becomes the last: no send will join that, because
 * it is from an earlier time. So its first one need not be found.
 */
static void leave_group(struct wait_lane *lane, struct mad_send *send)
{
	if (lane->last_group == send)
		lane->last_group = send->wait_next;
}

void wait_queue_remove(struct wait_queue *queue, struct mad_send *send)
{
	struct wait_lane *lane = send->wait_lane;

	queue->waiting--;
	if (!lane) {
		wait_heap_remove(&queue->heap, send);
		return;
	}
	leave_group(lane, send);
	if (send->wait_previous)
		send->wait_previous->wait_next = send->wait_next;
	else
		lane->first = send->wait_next;
	if (send->wait_next)
		send->wait_next->wait_previous = send->wait_previous;
	else
		lane->last = send->wait_previous;
}

static bool comes_before(const struct mad_send *a, const struct mad_send *b)
{
	if (a->deadline_ns != b->deadline_ns)
		return a->deadline_ns < b->deadline_ns;
	return a->order > b->order;
}

struct mad_send *wait_queue_first(const struct wait_queue *queue)
{
	const struct wait_entry *entry = wait_heap_first(&queue->heap);
	struct mad_send *best = entry ? entry->send : NULL;

	/* A single waiting send is usually in the first lane. */
	if (queue->waiting == 1 && queue->lanes[0].first)
		return queue->lanes[0].first;
	if (queue->waiting == queue->heap.count)
		return best;
	for (unsigned int i = 0; i < WAIT_LANES; i++) {
		struct mad_send *first = queue->lanes[i].first;

		if (first && (!best || comes_before(first, best)))
			best = first;
	}
	return best;
}

void wait_queue_clear(struct wait_queue *queue)
{
	for (unsigned int i = 0; i < WAIT_LANES; i++)
		assert(!queue->lanes[i].first);
	wait_heap_clear(&queue->heap);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wait queue: lanes and a heap.
 */
#include "kmod-stub/wait-queue.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "kmod-stub/mad-send.h"
#include "lib/base/invariant.h"

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

struct mad_send *wait_queue_first_of_many(const struct wait_queue *queue)
{
	const struct wait_entry *entry = wait_heap_first(&queue->heap);
	struct mad_send *best = entry ? entry->send : NULL;

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

/* Two neighbours in a lane, of which one may be NULL: there the lane begins or ends. */
static const char *neighbours_check(const struct wait_lane *lane, const struct mad_send *before,
				    const struct mad_send *send)
{
	MUST((send ? send->wait_previous : lane->last) == before,
	     "wait lane: neighbours know each other");
	if (!send)
		return NULL;
	MUST(send->wait_lane == lane, "wait lane: a send knows its lane");
	MUST(send->state == SEND_WAITING, "wait lane: its sends wait");
	NEVER(before && comes_before(send, before),
	      "wait lane: never a send that comes before its predecessor");
	if (send == lane->last_group)
		MUST(send->deadline_ns == lane->last->deadline_ns &&
		     (!before || before->deadline_ns < send->deadline_ns),
		     "wait lane: the last group begins where the last deadline does");
	return NULL;
}

const char *wait_queue_check(const struct wait_queue *queue)
{
	uint32_t count = queue->heap.count;

	for (unsigned int i = 0; i < WAIT_LANES; i++) {
		const struct wait_lane *lane = &queue->lanes[i];
		const struct mad_send *before = NULL;

		for (const struct mad_send *send = lane->first; send; send = send->wait_next) {
			MUST(count++ < queue->waiting, "wait queue: it counts its sends");
			MUST_HOLD(neighbours_check(lane, before, send));
			before = send;
		}
		MUST_HOLD(neighbours_check(lane, before, NULL));
		for (unsigned int j = 0; j < i; j++)
			NEVER(lane->first && queue->lanes[j].first &&
			      lane->wait_ns == queue->lanes[j].wait_ns,
			      "wait queue: never two lanes for one timeout");
	}
	MUST(count == queue->waiting, "wait queue: it counts its sends");
	return wait_heap_check(&queue->heap);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A queue of sends, linked through themselves.
 */
#include "kmod-stub/send-queue.h"

#include "kmod-stub/mad-send.h"
#include "lib/base/invariant.h"

void send_queue_push(struct send_queue *queue, struct mad_send *send)
{
	send->next = NULL;
	if (queue->last)
		queue->last->next = send;
	else
		queue->first = send;
	queue->last = send;
}

void send_queue_insert(struct send_queue *queue, struct mad_send *after, struct mad_send *send)
{
	send->next = after->next;
	after->next = send;
	if (queue->last == after)
		queue->last = send;
}

struct mad_send *send_queue_pop(struct send_queue *queue)
{
	struct mad_send *send = queue->first;

	if (!send)
		return NULL;
	queue->first = send->next;
	if (!queue->first)
		queue->last = NULL;
	send->next = NULL;
	return send;
}

void send_queue_remove(struct send_queue *queue, struct mad_send *send)
{
	struct mad_send *before = queue->first;

	if (queue->first == send) {
		send_queue_pop(queue);
		return;
	}
	while (before->next != send)
		before = before->next;
	before->next = send->next;
	if (queue->last == send)
		queue->last = before;
	send->next = NULL;
}

/* Of the entries a mark is kept, each time twice as far: a circle leads back to it. */
const char *send_queue_check(const struct send_queue *queue)
{
	const struct mad_send *last = NULL, *mark = NULL;
	size_t count = 0, next_mark = 1;

	for (const struct mad_send *send = queue->first; send; send = send->next) {
		NEVER(send == mark, "send queue: never a circle");
		if (++count == next_mark) {
			mark = send;
			next_mark *= 2;
		}
		last = send;
	}
	MUST(last == queue->last, "send queue: 'first' leads to 'last', and ends there");
	return NULL;
}

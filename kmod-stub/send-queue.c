/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A queue of sends, linked through themselves.
 */
#include "kmod-stub/send-queue.h"

#include "kmod-stub/mad-send.h"

void send_queue_push(struct send_queue *queue, struct mad_send *send)
{
	send->next = NULL;
	if (queue->last)
		queue->last->next = send;
	else
		queue->first = send;
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

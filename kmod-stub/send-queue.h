/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A queue of sends: first in, first out.
 */
#ifndef UMADRIG_KMOD_STUB_SEND_QUEUE_H
#define UMADRIG_KMOD_STUB_SEND_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

struct mad_send;

struct send_queue {
	struct mad_send *first;
	struct mad_send *last;
};

static inline bool send_queue_is_empty(const struct send_queue *queue)
{
	return !queue->first;
}

void send_queue_push(struct send_queue *queue, struct mad_send *send);
/* Puts it behind 'after', which is in the queue. */
void send_queue_insert(struct send_queue *queue, struct mad_send *after, struct mad_send *send);
/* The first one, or NULL. */
struct mad_send *send_queue_pop(struct send_queue *queue);
/* Removes a send that is in the queue, in time proportional to its position. */
void send_queue_remove(struct send_queue *queue, struct mad_send *send);

/* Its invariants: lib/base/invariant.h. */
const char *send_queue_check(const struct send_queue *queue);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that have been received and wait to be handled: a queue for each process, and a call of
 * each process in its turn.
 */
#ifndef UMADRIG_HARNESS_FILTER_CALL_QUEUE_H
#define UMADRIG_HARNESS_FILTER_CALL_QUEUE_H

#include <glib.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/types.h>

struct call_queue {
	GQueue processes;	/* of those that have calls; the next one first */
	GHashTable *by_process;	/* pid -> the same */
	GHashTable *threads;	/* tids of the calls */
};

void call_queue_init(struct call_queue *queue);
void call_queue_clear(struct call_queue *queue);

void call_queue_put(struct call_queue *queue, pid_t process, const struct seccomp_notif *call);
/* False: there is none. */
bool call_queue_take(struct call_queue *queue, struct seccomp_notif *ret);
unsigned int call_queue_length(const struct call_queue *queue);
/* Is there a call of that thread? */
bool call_queue_has(const struct call_queue *queue, pid_t tid);

#endif

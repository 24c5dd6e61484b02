/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/call-queue.h"

struct process {
	pid_t pid;
	GQueue calls;	/* of struct seccomp_notif * */
};

static void process_free(void *data)
{
	struct process *process = data;

	g_queue_clear_full(&process->calls, g_free);
	g_free(process);
}

void call_queue_init(struct call_queue *queue)
{
	g_queue_init(&queue->processes);
	queue->by_process = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	queue->threads = g_hash_table_new(NULL, NULL);
}

void call_queue_clear(struct call_queue *queue)
{
	g_queue_clear(&queue->processes);
	g_clear_pointer(&queue->by_process, g_hash_table_unref);
	g_clear_pointer(&queue->threads, g_hash_table_unref);
}

void call_queue_put(struct call_queue *queue, pid_t pid, const struct seccomp_notif *call)
{
	struct process *process = g_hash_table_lookup(queue->by_process, GINT_TO_POINTER(pid));

	if (!process) {
		process = g_new0(struct process, 1);
		process->pid = pid;
		g_hash_table_insert(queue->by_process, GINT_TO_POINTER(pid), process);
		g_queue_push_tail(&queue->processes, process);
	}
	g_queue_push_tail(&process->calls, g_memdup2(call, sizeof(*call)));
	g_hash_table_add(queue->threads, GINT_TO_POINTER((pid_t)call->pid));
}

bool call_queue_take(struct call_queue *queue, struct seccomp_notif *ret)
{
	struct process *process = g_queue_pop_head(&queue->processes);
	struct seccomp_notif *call;

	if (!process)
		return false;
	call = g_queue_pop_head(&process->calls);
	*ret = *call;
	g_free(call);
	g_hash_table_remove(queue->threads, GINT_TO_POINTER((pid_t)ret->pid));
	if (g_queue_is_empty(&process->calls))
		g_hash_table_remove(queue->by_process, GINT_TO_POINTER(process->pid));
	else
		g_queue_push_tail(&queue->processes, process);
	return true;
}

unsigned int call_queue_length(const struct call_queue *queue)
{
	return g_hash_table_size(queue->threads);
}

bool call_queue_has(const struct call_queue *queue, pid_t tid)
{
	return g_hash_table_contains(queue->threads, GINT_TO_POINTER(tid));
}

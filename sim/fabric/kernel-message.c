/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Messages of kernels: see sim/fabric/kernel-message.h.
 */
#include "sim/fabric/kernel-message.h"

#include <stdarg.h>

#include "lib/base/kernel-ring.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"

struct kernel_log {
	GPtrArray *messages;		/* of struct kernel_message *, the oldest first */
	uint64_t forgotten;		/* those before them */
	uint64_t cleared;		/* those before it were */
};

static void free_message(void *data)
{
	struct kernel_message *message = data;

	g_free(message->text);
	g_free(message);
}

void kernel_log_free(struct kernel_log *log)
{
	if (!log)
		return;
	g_ptr_array_unref(log->messages);
	g_free(log);
}

static struct kernel_log *log_of(struct umadrig_host *host)
{
	if (!host->log) {
		host->log = g_new0(struct kernel_log, 1);
		host->log->messages = g_ptr_array_new_with_free_func(free_message);
	}
	return host->log;
}

void kernel_say(struct node *node, enum kernel_level level, const char *format, ...)
{
	struct umadrig_host *host = node->host;
	struct kernel_message *message;
	struct kernel_log *log;
	va_list args;

	/* One that has power of its own is a whole kernel, which prints for itself. */
	if (!host || host->power || node->kind != TOPOLOGY_CA)
		return;
	log = log_of(host);
	if (log->messages->len == KERNEL_RING_SLOTS) {
		g_ptr_array_remove_index(log->messages, 0);
		log->forgotten++;
	}
	message = g_new(struct kernel_message, 1);
	*message = (struct kernel_message){
		.at_ns = node->fabric->queue.now_ns, .level = level, .node = node,
	};
	va_start(args, format);
	message->text = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(log->messages, message);
	/* Views of the host look at it then. */
	node->fabric->changes++;
}

void kernel_say_module(struct node *node, unsigned int num, bool is_plugged)
{
	/* Linux: printed of what the driver has; modules are counted from 0. */
	if (!node->removed)
		kernel_say(node, KERNEL_INFO, "Port module event: module %u, Cable %s", num - 1,
			   is_plugged ? "plugged" : "unplugged");
}

uint64_t kernel_message_count(const struct umadrig_host *host)
{
	return host->log ? host->log->forgotten + host->log->messages->len : 0;
}

const struct kernel_message *kernel_message_at(const struct umadrig_host *host, uint64_t number)
{
	if (number >= kernel_message_count(host) || number < host->log->forgotten)
		return NULL;
	return host->log->messages->pdata[number - host->log->forgotten];
}

uint64_t kernel_message_first(const struct umadrig_host *host)
{
	return host->log ? host->log->forgotten : 0;
}

uint64_t kernel_message_cleared(const struct umadrig_host *host)
{
	return host->log ? MAX(host->log->forgotten, host->log->cleared) : 0;
}

void kernel_message_clear(struct umadrig_host *host)
{
	if (host->log)
		host->log->cleared = kernel_message_count(host);
}

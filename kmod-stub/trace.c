/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Traces: one line per transition, and the end of packets that are dropped.
 */
#include "kmod-stub/trace.h"

#include <stdarg.h>
#include <stdio.h>

void trace_line(const struct kmod_port *port, const char *format, ...)
{
	const struct kmod_host *host = port->host;
	va_list args;

	va_start(args, format);
	host->ops->trace(host->ctx, port->name, format, args);
	va_end(args);
}

enum { WHY_SIZE = 160 };

static void drop(const struct kmod_port *port, struct packet *packet, const char *why)
{
	const struct kmod_ops *ops = port->host->ops;
	uint64_t tid = get_be64(packet_mad(packet) + MAD_TID);

	TRACE(port, "drop " TRACE_TID " %s", TRACE_TID_ARGS(tid), why);
	if (ops->drop)
		ops->drop(port->host->ctx, port->wire, packet, why);
	packet_free(ops->pool, packet);
}

void trace_drop(const struct kmod_port *port, struct packet *packet, const char *format, ...)
{
	const struct kmod_ops *ops = port->host->ops;
	char why[WHY_SIZE];
	va_list args;

	if (!ops->drop && !ops->trace) {
		packet_free(ops->pool, packet);
		return;
	}
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	drop(port, packet, why);
}

void trace_drop_all(const struct kmod_port *port, struct packet *packets, const char *format, ...)
{
	char why[WHY_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	while (packets) {
		struct packet *packet = packets;

		packets = packet->next;
		drop(port, packet, why);
	}
}

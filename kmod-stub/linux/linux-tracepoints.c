/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tracepoints: see linux-tracepoints.h.
 */
#include "kmod-stub/linux/linux-tracepoints.h"

#include <stdarg.h>

#include "kmod-stub/linux/linux-port.h"
#include "kmod-stub/linux/linux-umad.h"

/* A MAD in traces: its TID, the agent's number and the user's part separate, and what it is. */
#define MAD_TEXT "t=%x:%x class=0x%02x method=0x%02x attr=0x%04x"
#define MAD_TEXT_ARGS(mad) \
	get_be32((mad) + MAD_TID), get_be32((mad) + MAD_TID + 4), (mad)[MAD_CLASS], \
	(mad)[MAD_METHOD], get_be16((mad) + MAD_ATTR_ID)

void linux_trace_agent(const struct kmod_port *port, const char *event, unsigned int number,
		       unsigned int rmpp_version)
{
	linux_trace(port, "%s %u rmpp=%u", event, number, rmpp_version);
}

void linux_trace_mad(const struct kmod_port *port, const char *event, const void *mad, int status)
{
	const uint8_t *bytes = mad;

	if (port->host->ops->trace)
		linux_trace(port, "%s " MAD_TEXT " status=%d", event, MAD_TEXT_ARGS(bytes), status);
}

static void trace_host(const struct kmod_host *host, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	host->ops->trace(host->ctx, "kernel", format, args);
	va_end(args);
}

void linux_trace_smp(const char *event, const void *smp)
{
	const struct kmod_host *host = linux_current_host;
	const uint8_t *bytes = smp;

	if (host->ops->trace)
		trace_host(host, "%s " MAD_TEXT " hop=%u/%u", event, MAD_TEXT_ARGS(bytes),
			   bytes[SMP_HOP_PTR], bytes[SMP_HOP_CNT]);
}

void linux_trace_file(const struct kmod_file *file, const char *event, const void *mad)
{
	const struct kmod_port *port = linux_umad_port(file);
	const uint8_t *bytes = mad;

	if (port->host->ops->trace)
		linux_trace(port, "%s " MAD_TEXT, event, MAD_TEXT_ARGS(bytes));
}

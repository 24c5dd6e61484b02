/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Traces: every transition of a state machine as one line, for the program that set
 * umadrig_trace(). See sim/fabric/fabric-trace.h.
 */
#include "sim/fabric/fabric-trace.h"

#include <stdio.h>

#include "sim/fabric/fabric.h"

void fabric_trace_va(struct umadrig_fabric *fabric, const char *who, const char *format,
		     va_list args)
{
	char text[256];

	if (!fabric->trace)
		return;
	vsnprintf(text, sizeof(text), format, args);
	fabric->trace(fabric->trace_ctx, fabric->queue.now_ns, who, text);
}

void fabric_trace(struct umadrig_fabric *fabric, const char *who, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fabric_trace_va(fabric, who, format, args);
	va_end(args);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Traces: every transition of a state machine as one line, for the program that set
 * umadrig_trace().
 */
#ifndef UMADRIG_SIM_FABRIC_FABRIC_TRACE_H
#define UMADRIG_SIM_FABRIC_FABRIC_TRACE_H

#include <glib.h>
#include <stdarg.h>

struct umadrig_fabric;

/* One line for the listener (umadrig_trace), if there is one; 'who' is a port's name. */
void fabric_trace(struct umadrig_fabric *fabric, const char *who, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
void fabric_trace_va(struct umadrig_fabric *fabric, const char *who, const char *format,
		     va_list args);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Traces: each transition of a state machine as one terse line.
 */
#ifndef UMADRIG_KMOD_STUB_TRACE_H
#define UMADRIG_KMOD_STUB_TRACE_H

#include "kmod-stub/kmod-port.h"

/* Passes a line to ops->trace, which must not be NULL: use TRACE(). */
void trace_line(const struct kmod_port *port, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* One line from 'port'; nothing is evaluated while traces are off. */
#define TRACE(port, ...) \
	do { \
		if (__builtin_expect(!!(port)->host->ops->trace, 0)) \
			trace_line(port, __VA_ARGS__); \
	} while (0)

/* A TID in traces, with the agent's number and the user's part separate: t=5:1234. */
#define TRACE_TID "t=%x:%x"
#define TRACE_TID_ARGS(tid) (unsigned int)((tid) >> 32), (unsigned int)((tid) & 0xffffffff)

/*
 * Drops the packet for the given reason: reports it to ops->drop and the trace, and returns the
 * packet to the pool. All dropped packets pass through here.
 */
void trace_drop(const struct kmod_port *port, struct packet *packet, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for 'packets' (NULL: none) and all packets linked to it, one by one. */
void trace_drop_all(const struct kmod_port *port, struct packet *packets, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif

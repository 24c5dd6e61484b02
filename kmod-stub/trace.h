/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Traces: each transition of a state machine as one terse line.
 */
#ifndef UMADRIG_KMOD_STUB_TRACE_H
#define UMADRIG_KMOD_STUB_TRACE_H

#include "kmod-stub/kmod-port.h"

/* Hands a line to ops->trace, which must be there: use TRACE(). */
void trace_line(const struct kmod_port *port, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* One line from 'port'; nothing is evaluated while traces are off. */
#define TRACE(port, ...) \
	do { \
		if (__builtin_expect(!!(port)->host->ops->trace, 0)) \
			trace_line(port, __VA_ARGS__); \
	} while (0)

/* A TID as traces show it, agent's number and user's part apart: t=5:1234. */
#define TRACE_TID "t=%x:%x"
#define TRACE_TID_ARGS(tid) (unsigned int)((tid) >> 32), (unsigned int)((tid) & 0xffffffff)

/*
 * The packet ends here, for the reason given: reports it to ops->drop and the trace, and returns
 * the packet to the pool. All packets that are dropped go this way.
 */
void trace_drop(const struct kmod_port *port, struct packet *packet, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with all packets that are linked behind 'packets' (NULL: none), each for itself. */
void trace_drop_all(const struct kmod_port *port, struct packet *packets, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif

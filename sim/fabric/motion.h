/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters of a port that move by themselves: with the load that crosses its cable
 * (sim/fabric/fabric-load.h), and by rates that were ordered ("drifts").
 *
 * Nothing happens while they move. A counter is a function of the fabric's time, which is evaluated
 * when it is read: what had been counted at some instant, and a rate since then. When a rate
 * changes, whole units are moved to the port's counters, and the rest is kept, so that it makes no
 * difference how often that happens.
 */
#ifndef UMADRIG_SIM_FABRIC_MOTION_H
#define UMADRIG_SIM_FABRIC_MOTION_H

#include <stdbool.h>
#include <stdint.h>

struct event_queue;
struct port;

/* What a load moves. The units of rates, all per second: */
enum motion_kind {
	MOTION_XMIT_DATA,		/* bits */
	MOTION_RCV_DATA,
	MOTION_XMIT_PKTS,		/* millionths of a packet */
	MOTION_RCV_PKTS,
	MOTION_XMIT_WAIT,		/* ticks */
	MOTION_KINDS,
};

/* Ticks of PortXmitWait in a second: of 4 ns, as sim/agents/pma-samples.c has them. */
#define MOTION_TICKS_PER_S UINT64_C(250000000)

/* A counter that was told to move: 'numerator' in each 'per_ns'. */
struct drift {
	struct drift *next;
	unsigned int what;		/* enum counter, or beyond: COUNTER_UNCOUNTED */
	uint64_t base;			/* at 'from_ns' */
	uint64_t numerator, per_ns;
	int64_t from_ns, until_ns;
};

struct motion {
	const struct event_queue *queue;	/* knows the time */
	int64_t since_ns;		/* the rates are those since then */
	uint64_t rate[MOTION_KINDS];
	uint64_t rest[MOTION_KINDS];	/* less than a unit, at 'since_ns' */
	uint64_t waited;		/* PortXmitWait at 'since_ns' */
	uint64_t rcv_pkts;		/* of loads alone, at 'since_ns' */
	struct drift *drifts;
	uint32_t slot;			/* private to sim/fabric/load-share.c */
};

/* The port's motion, which is made if there is none. */
struct motion *motion_of(struct port *port);
/* NULL is allowed. */
void motion_free(struct motion *motion);

/* The whole units of 'kind' between 'since_ns' and now. */
uint64_t motion_moved(const struct motion *motion, enum motion_kind kind);

/* Moves whole units to the port's counters: 'since_ns' is now. */
void motion_settle(struct port *port);

/*
 * The port's counters were reset: everything begins at 0, at this instant, to which it has been
 * settled. Drifts go on.
 */
void motion_reset(struct motion *motion);

/* ---- drifts ---- */

/*
 * 'what' (enum counter, plus the SL or VL) of the port counts 'numerator' more in each 'per_ns'
 * (> 0), for 'for_ns' from now on (INT64_MAX: without an end), in addition to all others. Of
 * counters that are sums it moves a part, of those that are parts the sum as well.
 */
void drift_add(struct port *port, unsigned int what, uint64_t numerator, uint64_t per_ns,
	       int64_t for_ns);
/* Ends those of 'what' that run now. How many there were. */
unsigned int drift_stop(struct port *port, unsigned int what);

/* What all of them have added to 'what' so far. */
uint64_t drift_total(const struct motion *motion, unsigned int what);

/* Is anything of the port still going to move, if nothing changes? */
bool motion_is_moving(const struct motion *motion);

#endif

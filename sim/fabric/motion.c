/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters that move by themselves: see sim/fabric/motion.h.
 */
#include "sim/fabric/motion.h"

#include <glib.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"
#include "sim/time/event-queue.h"

__extension__ typedef unsigned __int128 wide;

/* A unit of each kind is that many of its rate's, times nanoseconds. */
static const uint64_t units[MOTION_KINDS] = {
	[MOTION_XMIT_DATA] = UINT64_C(32000000000),	/* words of 32 bits */
	[MOTION_RCV_DATA] = UINT64_C(32000000000),
	[MOTION_XMIT_PKTS] = UINT64_C(1000000000000000),
	[MOTION_RCV_PKTS] = UINT64_C(1000000000000000),
	[MOTION_XMIT_WAIT] = UINT64_C(1000000000),
};

struct motion *motion_of(struct port *port)
{
	if (!port->counters.motion) {
		port->counters.motion = g_new0(struct motion, 1);
		port->counters.motion->queue = &port->node->fabric->queue;
		port->counters.motion->since_ns = port->node->fabric->queue.now_ns;
	}
	return port->counters.motion;
}

void motion_free(struct motion *motion)
{
	while (motion && motion->drifts) {
		struct drift *drift = motion->drifts;

		motion->drifts = drift->next;
		g_free(drift);
	}
	g_free(motion);
}

/* Since 'since_ns', in the unit of 'units'. */
static wide moved(const struct motion *motion, enum motion_kind kind)
{
	int64_t passed_ns = motion->queue->now_ns - motion->since_ns;

	return (wide)motion->rate[kind] * (uint64_t)passed_ns + motion->rest[kind];
}

uint64_t motion_moved(const struct motion *motion, enum motion_kind kind)
{
	return motion->rate[kind] ? (uint64_t)(moved(motion, kind) / units[kind]) : 0;
}

static void settle(struct motion *motion, enum motion_kind kind, uint64_t *counter)
{
	wide now = moved(motion, kind);

	*counter += (uint64_t)(now / units[kind]);
	motion->rest[kind] = (uint64_t)(now % units[kind]);
}

void motion_settle(struct port *port)
{
	struct motion *motion = port->counters.motion;

	motion->rcv_pkts += motion_moved(motion, MOTION_RCV_PKTS);
	settle(motion, MOTION_XMIT_DATA, &port->counters.xmit_data);
	settle(motion, MOTION_RCV_DATA, &port->counters.rcv_data);
	settle(motion, MOTION_XMIT_PKTS, &port->counters.xmit_pkts);
	settle(motion, MOTION_RCV_PKTS, &port->counters.rcv_pkts);
	settle(motion, MOTION_XMIT_WAIT, &motion->waited);
	motion->since_ns = motion->queue->now_ns;
}

void motion_reset(struct motion *motion)
{
	for (unsigned int kind = 0; kind < MOTION_KINDS; kind++)
		motion->rest[kind] = 0;
	motion->since_ns = motion->queue->now_ns;
	motion->waited = 0;
	motion->rcv_pkts = 0;
	for (struct drift *drift = motion->drifts; drift; drift = drift->next) {
		drift->base = 0;
		drift->from_ns = motion->queue->now_ns;
		drift->until_ns = MAX(drift->until_ns, drift->from_ns);
	}
}

/* ---- drifts ---- */

static uint64_t drift_count(const struct drift *drift, int64_t now_ns)
{
	int64_t passed_ns = MIN(now_ns, drift->until_ns) - drift->from_ns;
	wide more = (wide)drift->numerator * (uint64_t)passed_ns / drift->per_ns;

	return more > UINT64_MAX - drift->base ? UINT64_MAX : drift->base + (uint64_t)more;
}

uint64_t drift_total(const struct motion *motion, unsigned int what)
{
	uint64_t sum = 0;

	for (const struct drift *drift = motion->drifts; drift; drift = drift->next) {
		uint64_t count = drift->what == what ?
				 drift_count(drift, motion->queue->now_ns) : 0;

		sum = count > UINT64_MAX - sum ? UINT64_MAX : sum + count;
	}
	return sum;
}

static void add(struct port *port, unsigned int what, uint64_t numerator, uint64_t per_ns,
		int64_t for_ns)
{
	struct motion *motion = motion_of(port);
	int64_t now_ns = motion->queue->now_ns;
	struct drift *drift = motion->drifts;

	/* One that has ended is used again, or a long day of them would leave a long list. */
	while (drift && (drift->what != what || drift->until_ns > now_ns))
		drift = drift->next;
	if (!drift) {
		drift = g_new0(struct drift, 1);
		drift->what = what;
		drift->per_ns = 1;
		drift->next = motion->drifts;
		motion->drifts = drift;
	}
	drift->base = drift_count(drift, now_ns);
	drift->numerator = numerator;
	drift->per_ns = per_ns;
	drift->from_ns = now_ns;
	drift->until_ns = for_ns < INT64_MAX - now_ns ? now_ns + for_ns : INT64_MAX;
}

/*
 * Which counters of hardware move 'what'. A sum is moved by the part that a bad cable, a missing
 * route or a port that is not up moves; a count that is the rest of a total, by that total; and a
 * count that the rest leaves out moves the total, too.
 */
struct parts {
	unsigned int first, second;	/* COUNTER_NEVER: none */
};

static struct parts lane_parts(unsigned int what, unsigned int first, unsigned int total)
{
	return what == first ? (struct parts){ total, COUNTER_NEVER } :
			       (struct parts){ what, total };
}

static struct parts parts_of(unsigned int what)
{
	switch (what) {
	case COUNTER_UNICAST_XMIT_PKTS:
		return (struct parts){ COUNTER_XMIT_PKTS, COUNTER_NEVER };
	case COUNTER_UNICAST_RCV_PKTS:
		return (struct parts){ COUNTER_RCV_PKTS, COUNTER_NEVER };
	case COUNTER_MULTICAST_XMIT_PKTS:
		return (struct parts){ what, COUNTER_XMIT_PKTS };
	case COUNTER_MULTICAST_RCV_PKTS:
		return (struct parts){ what, COUNTER_RCV_PKTS };
	case COUNTER_RCV_ERRORS:
		return (struct parts){ COUNTER_LOCAL_PHYSICAL_ERRORS, COUNTER_NEVER };
	case COUNTER_RCV_SWITCH_RELAY_ERRORS:
		return (struct parts){ COUNTER_DLID_MAPPING_ERRORS, COUNTER_NEVER };
	case COUNTER_XMIT_DISCARDS:
		return (struct parts){ COUNTER_INACTIVE_DISCARDS, COUNTER_NEVER };
	default:	/* a number: lanes are added to a constant */
		break;
	}
	if (what < COUNTER_XMIT_DATA_SL || what >= COUNTER_UNCOUNTED)
		return (struct parts){ what, COUNTER_NEVER };
	if (what < COUNTER_RCV_DATA_SL)
		return lane_parts(what, COUNTER_XMIT_DATA_SL, COUNTER_XMIT_DATA);
	if (what < COUNTER_RCV_DATA_VL)
		return lane_parts(what, COUNTER_RCV_DATA_SL, COUNTER_RCV_DATA);
	if (what < COUNTER_RCV_PKTS_VL)
		return lane_parts(what, COUNTER_RCV_DATA_VL, COUNTER_RCV_DATA);
	if (what < COUNTER_XMIT_WAIT_VL)
		return lane_parts(what, COUNTER_RCV_PKTS_VL, COUNTER_RCV_PKTS);
	return lane_parts(what, COUNTER_XMIT_WAIT_VL, COUNTER_XMIT_WAIT);
}

void drift_add(struct port *port, unsigned int what, uint64_t numerator, uint64_t per_ns,
	       int64_t for_ns)
{
	struct parts parts = parts_of(what);

	add(port, parts.first, numerator, per_ns, for_ns);
	if (parts.second != COUNTER_NEVER)
		add(port, parts.second, numerator, per_ns, for_ns);
}

static unsigned int stop(struct motion *motion, unsigned int what)
{
	int64_t now_ns = motion->queue->now_ns;
	unsigned int count = 0;

	for (struct drift *drift = motion->drifts; drift; drift = drift->next) {
		if (drift->what != what || drift->until_ns <= now_ns)
			continue;
		drift->until_ns = now_ns;
		count++;
	}
	return count;
}

unsigned int drift_stop(struct port *port, unsigned int what)
{
	struct parts parts = parts_of(what);
	unsigned int count;

	if (!port->counters.motion)
		return 0;
	count = stop(port->counters.motion, parts.first);
	if (parts.second != COUNTER_NEVER)
		stop(port->counters.motion, parts.second);
	return count;
}

bool motion_is_moving(const struct motion *motion)
{
	for (unsigned int kind = 0; kind < MOTION_KINDS; kind++) {
		if (motion->rate[kind])
			return true;
	}
	for (const struct drift *drift = motion->drifts; drift; drift = drift->next) {
		if (drift->until_ns > motion->queue->now_ns)
			return true;
	}
	return false;
}

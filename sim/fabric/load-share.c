/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sharing links among flows: see sim/fabric/fabric-load.h.
 *
 * Max-min fairness by filling: in each round the lowest level is found at which a flow has what was
 * wanted for it, or a link has no more for those that are still growing; these flows stop there.
 * Rates are whole bits per second: of a full link, up to one for each flow is left over.
 */
#include "sim/fabric/load-share.h"

#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/drop.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-load.h"
#include "sim/fabric/link.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "sim/fabric/router.h"
#include "sim/fabric/switch.h"

enum {
	HOPS_MAX = 64,			/* more is a circle: as many as a directed route has */
	MICRO = 1000000,
	BITS = 8,			/* of an octet */
};

__extension__ typedef unsigned __int128 wide;

/* A link in one direction, by the port that sends. */
struct lane {
	struct port *port;
	uint64_t capacity, left;	/* bits per second */
	uint32_t growing;		/* flows across it that have not stopped */
	bool is_full;			/* in this round */
	bool waits;			/* a flow is held back further on */
};

struct share {
	struct flow *flows;
	size_t count;
	GArray *hops;			/* of uint32_t: lanes; the ways of all flows, in order */
	uint32_t *first;		/* in 'hops', by flow; and one more, the end */
	bool *stopped;			/* by flow: it grows no more */
	GArray *lanes;			/* of struct lane */
	GPtrArray *ports;
};

static struct lane *lane_at(const struct share *share, uint32_t hop)
{
	return &g_array_index(share->lanes, struct lane,
			      g_array_index(share->hops, uint32_t, hop));
}

/* ---- ways ---- */

/* The number of the lane that 'port' sends on. */
static uint32_t enter_lane(struct share *share, struct port *port)
{
	struct motion *motion = motion_of(port);
	struct lane lane = { .port = port };

	if (motion->slot < share->lanes->len &&
	    g_array_index(share->lanes, struct lane, motion->slot).port == port)
		return motion->slot;
	motion->slot = share->lanes->len;
	lane.capacity = lane.left = link_bits_per_s(port);
	g_array_append_val(share->lanes, lane);
	return motion->slot;
}

static bool stop(struct flow *flow, enum flow_state state, const struct port *at)
{
	flow->state = state;
	flow->at = at;
	return false;
}

/* The port by which the flow leaves the switch, or NULL. */
static struct port *egress(struct node *sw, uint16_t lid)
{
	unsigned int num = switch_egress(sw, lid);

	if (lid > sw->sw->lft_top || num == 0 || num > sw->port_count)
		return NULL;
	return &sw->ports[num];
}

/* Where the flow goes next: a router's port in the subnet of 'from', or its end. NULL: nowhere. */
static struct end_port *aim_of(const struct flow *flow, const struct end_port *from)
{
	return from->subnet == flow->to->subnet ? flow->to :
	       router_toward(from->subnet, flow->to->gid_prefix);
}

/* The flow has come to a router: the port by which it leaves, and where it goes then. */
static struct port *leave_router(const struct flow *flow, const struct node *router,
				 struct end_port **ret_aim)
{
	struct router_step step;
	char why[DROP_WHY_SIZE];
	uint8_t gid[16];

	put_be64(gid, flow->to->gid_prefix);
	put_be64(gid + 8, flow->to->guid);
	if (!router_step(router, gid, &step, why))
		return NULL;
	*ret_aim = step.next;
	return step.out;
}

/* The port by which the flow leaves the node that it has come to at 'in'; NULL: none. */
static struct port *way_on(const struct flow *flow, const struct port *in, struct end_port **aim)
{
	return in->node->sw ? egress(in->node, (*aim)->attr.lid) :
	       in == (*aim)->port ? leave_router(flow, in->node, aim) : NULL;
}

/* Appends the flow's way. False: there is none, and the flow says why. */
static bool find_way(struct share *share, struct flow *flow)
{
	struct port *out = flow->from->port, *in = out;
	struct end_port *aim = aim_of(flow, flow->from);

	if (!flow->to->attr.lid)
		return stop(flow, FLOW_NO_LID, flow->to->port);
	if (!aim)
		return stop(flow, FLOW_NO_ROUTE, in);
	if (out->node->sw)
		out = egress(out->node, aim->attr.lid);
	for (unsigned int hop = 0; hop < HOPS_MAX; hop++) {
		uint32_t number;

		if (!out)
			return stop(flow, FLOW_NO_ROUTE, in);
		if (!port_is_linked(out) || out->state != PORT_ACTIVE ||
		    out->peer->state != PORT_ACTIVE)
			return stop(flow, FLOW_LINK_DOWN, out);
		number = enter_lane(share, out);
		g_array_append_val(share->hops, number);
		in = out->peer;
		if (port_speaker(in) == port_speaker(flow->to->port))
			return true;
		if (!in->node->sw && in != aim->port)
			return stop(flow, FLOW_MISLED, out);
		out = way_on(flow, in, &aim);
	}
	return stop(flow, FLOW_MISLED, in);
}

static void find_ways(struct share *share)
{
	for (size_t i = 0; i < share->count; i++) {
		struct flow *flow = &share->flows[i];

		share->first[i] = share->hops->len;
		flow->carried = 0;
		flow->state = FLOW_GOES;
		flow->at = NULL;
		if (!find_way(share, flow))
			g_array_set_size(share->hops, share->first[i]);
	}
	share->first[share->count] = share->hops->len;
	for (uint32_t hop = 0; hop < share->hops->len; hop++)
		lane_at(share, hop)->growing++;
}

/* ---- shares ---- */

static bool is_growing(const struct share *share, size_t i)
{
	return share->first[i] < share->first[i + 1] && !share->stopped[i];
}

static void freeze(struct share *share, size_t i, uint64_t carried)
{
	for (uint32_t hop = share->first[i]; hop < share->first[i + 1]; hop++) {
		struct lane *lane = lane_at(share, hop);

		lane->left -= carried;
		lane->growing--;
	}
	share->flows[i].carried = carried;
	share->stopped[i] = true;
}

/* The level at which the next link is full; UINT64_MAX: no flow is growing. */
static uint64_t next_level(struct share *share)
{
	uint64_t level = UINT64_MAX;

	for (guint i = 0; i < share->lanes->len; i++) {
		const struct lane *lane = &g_array_index(share->lanes, struct lane, i);

		if (lane->growing)
			level = MIN(level, lane->left / lane->growing);
	}
	for (guint i = 0; i < share->lanes->len; i++) {
		struct lane *lane = &g_array_index(share->lanes, struct lane, i);

		lane->is_full = lane->growing && lane->left / lane->growing == level;
	}
	return level;
}

/* Stops flows at the rate that is wanted. Did any? */
static bool freeze_wanted(struct share *share, uint64_t level)
{
	bool any = false;

	for (size_t i = 0; i < share->count; i++) {
		if (!is_growing(share, i) || share->flows[i].wanted > level)
			continue;
		freeze(share, i, share->flows[i].wanted);
		any = true;
	}
	return any;
}

/* Stops the flow at the first full link of its way, if there is one. */
static void freeze_held(struct share *share, size_t i, uint64_t level)
{
	uint32_t first = share->first[i], hop = first;

	while (hop < share->first[i + 1] && !lane_at(share, hop)->is_full)
		hop++;
	if (hop == share->first[i + 1])
		return;
	share->flows[i].state = FLOW_HELD;
	share->flows[i].at = lane_at(share, hop)->port;
	while (hop > first)
		lane_at(share, --hop)->waits = true;
	freeze(share, i, level);
}

static void fill(struct share *share)
{
	uint64_t level;

	while ((level = next_level(share)) != UINT64_MAX) {
		if (freeze_wanted(share, level))
			continue;
		for (size_t i = 0; i < share->count; i++) {
			if (is_growing(share, i))
				freeze_held(share, i, level);
		}
	}
}

/* ---- rates ---- */

static void enter_port(struct share *share, struct port *port)
{
	const struct motion *motion = motion_of(port);

	if (!motion->rate[MOTION_XMIT_DATA] && !motion->rate[MOTION_RCV_DATA])
		g_ptr_array_add(share->ports, port);
}

static void move_ports(struct share *share, size_t i)
{
	const struct flow *flow = &share->flows[i];
	uint64_t micro_packets = (uint64_t)((wide)flow->carried * MICRO /
					    (BITS * flow->packet_size));

	for (uint32_t hop = share->first[i]; hop < share->first[i + 1]; hop++) {
		struct port *from = lane_at(share, hop)->port, *to = from->peer;

		enter_port(share, from);
		enter_port(share, to);
		from->counters.motion->rate[MOTION_XMIT_DATA] += flow->carried;
		from->counters.motion->rate[MOTION_XMIT_PKTS] += micro_packets;
		to->counters.motion->rate[MOTION_RCV_DATA] += flow->carried;
		to->counters.motion->rate[MOTION_RCV_PKTS] += micro_packets;
	}
}

static void set_rates(struct share *share)
{
	for (size_t i = 0; i < share->count; i++)
		move_ports(share, i);
	for (guint i = 0; i < share->lanes->len; i++) {
		const struct lane *lane = &g_array_index(share->lanes, struct lane, i);
		struct motion *motion = lane->port->counters.motion;

		if (lane->waits)
			motion->rate[MOTION_XMIT_WAIT] = (uint64_t)
				((wide)(lane->capacity - motion->rate[MOTION_XMIT_DATA]) *
				 MOTION_TICKS_PER_S / lane->capacity);
	}
}

void load_share(struct flow *flows, size_t count, GPtrArray *ports)
{
	struct share share = {
		.flows = flows,
		.count = count,
		.hops = g_array_new(false, false, sizeof(uint32_t)),
		.first = g_new(uint32_t, count + 1),
		.stopped = g_new0(bool, count),
		.lanes = g_array_new(false, false, sizeof(struct lane)),
		.ports = ports,
	};

	find_ways(&share);
	fill(&share);
	set_rates(&share);
	g_array_unref(share.hops);
	g_array_unref(share.lanes);
	g_free(share.first);
	g_free(share.stopped);
}

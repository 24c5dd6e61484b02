/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Routers: see sim/fabric/router.h. */
#include "sim/fabric/router.h"

#include <glib.h>

#include "kmod-stub/packet.h"
#include "sim/fabric/drop.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/lane.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/raw-packet.h"
#include "sim/fabric/subnet.h"

/* ---- ways between subnets ---- */

/* A subnet that has been reached, and how the way there begins. */
struct reached {
	const struct subnet *subnet;
	struct port *out;		/* of the router that the search is for; NULL: for none */
	struct end_port *next;		/* the first router's port after that; NULL: none yet */
};

/* A search over routers, the nearest subnets first. */
struct search {
	uint64_t gid_prefix;
	GArray *queue;			/* of struct reached, in the order in which they were */
	bool *seen;			/* by number of subnet */
	struct reached found;		/* 'subnet' NULL: not yet */
};

static bool is_open(const struct port *port)
{
	return port->end && port->end->attr.lid && port->state == PORT_ACTIVE;
}

static void reach(struct search *search, struct reached reached, const struct port *by)
{
	reached.subnet = by->end->subnet;
	if (by->end->gid_prefix == search->gid_prefix) {
		search->found = reached;
	} else if (!search->seen[reached.subnet->number]) {
		search->seen[reached.subnet->number] = true;
		g_array_append_val(search->queue, reached);
	}
}

/* The subnets on the other sides of a subnet's routers. */
static void go_on(struct search *search, struct reached from)
{
	for (unsigned int i = 0; i < from.subnet->routers->len && !search->found.subnet; i++) {
		struct end_port *entry = g_ptr_array_index(from.subnet->routers, i);
		const struct node *router = entry->port->node;
		struct reached reached = { .out = from.out, .next = from.next };

		if (!reached.next)
			reached.next = entry;
		for (unsigned int num = 1; num <= router->port_count && is_open(entry->port) &&
		     !search->found.subnet; num++) {
			if (&router->ports[num] != entry->port && is_open(&router->ports[num]))
				reach(search, reached, &router->ports[num]);
		}
	}
}

static void search_init(struct search *search, const struct umadrig_fabric *fabric,
			uint64_t gid_prefix)
{
	*search = (struct search){
		.gid_prefix = gid_prefix,
		.queue = g_array_new(false, false, sizeof(struct reached)),
		.seen = g_new0(bool, fabric->subnets->len),
	};
}

/* The queue is not empty. Frees the search. */
static struct reached search_run(struct search *search)
{
	for (unsigned int i = 0; i < search->queue->len && !search->found.subnet; i++)
		go_on(search, g_array_index(search->queue, struct reached, i));
	g_array_unref(search->queue);
	g_free(search->seen);
	return search->found;
}

struct end_port *router_toward(const struct subnet *subnet, uint64_t gid_prefix)
{
	struct reached start = { .subnet = subnet };
	struct search search;

	if (gid_prefix == GID_PREFIX_LINK_LOCAL)
		return NULL;
	/* Not by a detour back to where it comes from. */
	for (unsigned int i = 0; i < subnet->routers->len; i++) {
		struct end_port *entry = g_ptr_array_index(subnet->routers, i);

		if (entry->gid_prefix == gid_prefix)
			return NULL;
	}
	search_init(&search, subnet->fabric, gid_prefix);
	search.seen[subnet->number] = true;
	g_array_append_val(search.queue, start);
	return search_run(&search).next;
}

/* ---- one router ---- */

static struct end_port *find_gid(const struct subnet *subnet, uint64_t guid)
{
	for (unsigned int i = 0; guid && i < subnet->ends->len; i++) {
		struct end_port *end = g_ptr_array_index(subnet->ends, i);

		if (!end->attr.lid || end != port_speaker(end->port))
			continue;
		for (size_t at = 0; at < end->attr.gid_count; at++) {
			if (get_be64(end->gids[at] + 8) == guid)
				return end;
		}
	}
	return NULL;
}

bool router_step(const struct node *router, const uint8_t *gid, struct router_step *ret_step,
		 char *why)
{
	uint64_t gid_prefix = get_be64(gid), guid = get_be64(gid + 8);
	struct search search;
	struct reached found;

	search_init(&search, router->fabric, gid_prefix);
	for (unsigned int num = 1; num <= router->port_count && !search.found.subnet; num++) {
		struct reached reached = { .out = &router->ports[num] };

		if (is_open(reached.out))
			reach(&search, reached, reached.out);
	}
	found = search_run(&search);
	if (!found.subnet) {
		g_snprintf(why, DROP_WHY_SIZE, "no subnet that it leads to has GID prefix "
			   "0x%016" G_GINT64_MODIFIER "x", gid_prefix);
		return false;
	}
	if (!found.next)
		found.next = find_gid(found.subnet, guid);
	if (!found.next) {
		g_snprintf(why, DROP_WHY_SIZE, "no port of subnet 0x%016" G_GINT64_MODIFIER
			   "x has GUID 0x%016" G_GINT64_MODIFIER "x", gid_prefix, guid);
		return false;
	}
	*ret_step = (struct router_step){ found.out, found.next };
	return true;
}

bool router_is_for_others(const struct port *in, const struct packet *packet)
{
	/* Subnet management, by VL 15, stays in its subnet. */
	if (in->node->kind != TOPOLOGY_ROUTER || !packet_has_grh(packet) || lane_is_smp(packet))
		return false;
	/* A short packet is the port's to refuse. */
	if (packet->raw && packet_size(packet) < LRH_SIZE + GRH_SIZE)
		return false;
	return (packet->raw || packet_dest_qp(packet) != 0) &&
	       !end_port_takes_gid(in->end, packet->bytes + LRH_SIZE + GRH_DGID);
}

struct port *router_forward(const struct port *in, struct packet *packet, char *why)
{
	uint8_t *grh = packet->bytes + LRH_SIZE;
	struct router_step step;

	if (get_be64(grh + GRH_DGID) == GID_PREFIX_LINK_LOCAL ||
	    get_be64(grh + GRH_SGID) == GID_PREFIX_LINK_LOCAL) {
		g_snprintf(why, DROP_WHY_SIZE, "no router forwards link-local GIDs (fe80::)");
		return NULL;
	}
	/* IBA vol 1, 8.3.6: 0 and 1 do not leave the subnet. */
	if (grh[GRH_HOPLIMIT] <= 1) {
		g_snprintf(why, DROP_WHY_SIZE, "its HopLimit is %u", grh[GRH_HOPLIMIT]);
		return NULL;
	}
	if (!router_step(in->node, grh + GRH_DGID, &step, why))
		return NULL;
	grh[GRH_HOPLIMIT]--;
	put_be16(packet->bytes + LRH_SLID, step.out->end->attr.lid);
	put_be16(packet->bytes + LRH_DLID, step.next->attr.lid);
	/* The ICRC covers neither the LRH nor the HopLimit. */
	if (packet->raw)
		raw_packet_restamp(packet);
	else
		packet->sealed = false;
	return step.out;
}

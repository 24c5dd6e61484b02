/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Forwarding tables with minimum hops, as an SM would write them.
 *
 * A switch's table is computed when it is first used: programs that use few switches of a large
 * fabric pay for few. A breadth-first search from the switch over the other switches finds for each
 * the ports that begin a shortest way, and its LIDs take turns among them, as an SM balances them.
 * All cables count, whether their links are up or not: a table must not depend on when it is
 * computed.
 */
#include "sim/fabric/route.h"

#include <glib.h>
#include <string.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/node.h"
#include "sim/fabric/route-map.h"
#include "sim/fabric/switch.h"
#include "sim/fabric/virtual-function.h"

enum {
	NO_PORT = 255,		/* LinearForwardingTable: no egress for the LID */
	PORTS = 256,
};

/* Ports of the switch that we compute for. */
struct port_set {
	uint64_t bits[4];
};

struct search {
	const struct route_map *map;
	uint32_t source;	/* by place in the map, as are the arrays */
	uint32_t *hops;		/* UINT32_MAX: not reached */
	struct port_set *first;	/* ports that begin a shortest way there */
	uint32_t *order;	/* switches in the order in which they were reached */
	size_t reached;
};

static void port_set_add(struct port_set *set, const struct port_set *more)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(set->bits); i++)
		set->bits[i] |= more->bits[i];
}

/* Its numbers, ascending; 'ret_ports' has room for PORTS. How many there are. */
static uint32_t port_set_list(const struct port_set *set, uint8_t *ret_ports)
{
	uint32_t count = 0;

	for (unsigned int i = 0; i < G_N_ELEMENTS(set->bits); i++) {
		for (uint64_t bits = set->bits[i]; bits; bits &= bits - 1)
			ret_ports[count++] =
				(uint8_t)(64 * i + (unsigned int)__builtin_ctzll(bits));
	}
	return count;
}

/*
 * The switch 'to' is reached over 'from' by 'first': sets its ports if it was not reached before,
 * adds to them if this way is as short.
 */
static inline void reach(struct search *search, uint32_t from, uint32_t to,
			 const struct port_set *first)
{
	uint32_t hops = search->hops[from] + 1;

	if (search->hops[to] == UINT32_MAX) {
		search->hops[to] = hops;
		search->first[to] = *first;
		search->order[search->reached++] = to;
	} else if (search->hops[to] == hops) {
		port_set_add(&search->first[to], first);
	}
}

/*
 * Every switch that is one hop nearer was visited before, so a switch's set is final when it is
 * read.
 */
static void search_all(struct search *search)
{
	const struct route_map *map = search->map;

	search->hops[search->source] = 0;
	search->order[search->reached++] = search->source;
	for (size_t i = 0; i < search->reached; i++) {
		uint32_t from = search->order[i], end = map->places[from + 1].cable;

		for (uint32_t at = map->places[from].cable; at < end; at++) {
			const struct route_cable *cable = &map->cables[at];
			struct port_set self = { 0 };

			self.bits[cable->num / 64] = UINT64_C(1) << cable->num % 64;
			reach(search, from, cable->to,
			      from == search->source ? &self : &search->first[from]);
		}
	}
}

/* Enters those that vports have of their own. */
static void enter_vports(struct switch_part *part, const struct functions *functions,
			 const uint8_t *ports, uint32_t count)
{
	for (unsigned int i = 0; i < functions->count; i++) {
		uint16_t lid = functions->at[i].lid;

		if (lid && lid < part->lft_size)
			part->lft[lid] = ports[lid % count];
	}
}

/* Enters the LIDs of one end port, which take turns among 'count' (> 0) ports. */
static void enter_lids(struct switch_part *part, const struct end_port *end, const uint8_t *ports,
		       uint32_t count)
{
	uint32_t first = end->attr.lid, lids = UINT32_C(1) << end->attr.lmc;

	if (!first)
		return;
	for (uint32_t lid = first; lid < first + lids && lid < part->lft_size; lid++)
		part->lft[lid] = ports[lid % count];
	if (end->port->node->functions && end->port->num == 1)
		enter_vports(part, end->port->node->functions, ports, count);
}

static void enter_all(struct switch_part *part, const struct search *search)
{
	const struct route_map *map = search->map;

	for (size_t i = 0; i < search->reached; i++) {
		uint32_t via = search->order[i], count = 1;
		uint8_t ports[PORTS];

		if (via != search->source)
			count = port_set_list(&search->first[via], ports);
		for (uint32_t at = map->places[via].exit; at < map->places[via + 1].exit; at++) {
			const struct route_exit *at_end = &map->exits[at];

			if (via == search->source)
				ports[0] = at_end->num;
			enter_lids(part, at_end->end, ports, count);
		}
	}
}

static void table_reserve(struct switch_part *part, uint32_t entries)
{
	uint32_t size = (entries + 63) / 64 * 64;

	if (size <= part->lft_size)
		return;
	part->lft = g_realloc(part->lft, size);
	memset(part->lft + part->lft_size, NO_PORT, size - part->lft_size);
	part->lft_size = size;
}

/* Fills the forwarding table of one switch with minimum-hop ways; LIDs take turns among them. */
static void route_switch(struct umadrig_fabric *fabric, struct node *sw)
{
	const struct route_map *map = route_map_of(fabric);
	struct switch_part *part = sw->sw;
	struct search search = {
		.map = map,
		.source = part->place,
		.hops = g_new(uint32_t, map->count),
		.first = g_new(struct port_set, map->count),
		.order = g_new(uint32_t, map->count),
	};

	memset(search.hops, 0xff, map->count * sizeof(*search.hops));
	table_reserve(part, (uint32_t)fabric->lid_top + 1);
	memset(part->lft, NO_PORT, part->lft_size);
	search_all(&search);
	enter_all(part, &search);
	part->lft_top = fabric->lid_top;
	part->lft_computed = true;
	g_free(search.hops);
	g_free(search.first);
	g_free(search.order);
}

uint8_t *switch_lft(struct node *sw, uint32_t entries)
{
	struct switch_part *part = sw->sw;

	if (!part->lft_size && sw->fabric->lfts_ready)
		route_switch(sw->fabric, sw);
	table_reserve(part, entries);
	return part->lft;
}

uint8_t switch_egress(struct node *sw, uint16_t lid)
{
	const uint8_t *table = switch_lft(sw, 0);

	return lid < sw->sw->lft_size ? table[lid] : NO_PORT;
}

void route_forget(struct umadrig_fabric *fabric)
{
	load_touch(fabric);
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		if (!node->sw || !node->sw->lft_computed)
			continue;
		g_clear_pointer(&node->sw->lft, g_free);
		node->sw->lft_size = 0;
		node->sw->lft_computed = false;
	}
}

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
#include "sim/fabric/port.h"
#include "sim/fabric/switch.h"

enum { NO_PORT = 255 };		/* LinearForwardingTable: no egress for the LID */

/* Ports of the switch that we compute for. */
struct port_set {
	uint64_t bits[4];
};

struct search {
	uint32_t *hops;		/* by node index; UINT32_MAX: not reached */
	struct port_set *first;	/* by node index: ports that begin a shortest way there */
	struct node **order;	/* switches in the order in which they were reached */
	size_t reached;
};

static void port_set_add(struct port_set *set, const struct port_set *more)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(set->bits); i++)
		set->bits[i] |= more->bits[i];
}

/* One port of the set, which is not empty; 'turn' selects it modulo the number of ports. */
static uint8_t port_set_pick(const struct port_set *set, uint32_t turn)
{
	unsigned int count = 0, word = 0;
	uint64_t bits;

	for (unsigned int i = 0; i < G_N_ELEMENTS(set->bits); i++)
		count += (unsigned int)__builtin_popcountll(set->bits[i]);
	turn %= count;
	while (turn >= (unsigned int)__builtin_popcountll(set->bits[word]))
		turn -= (uint32_t)__builtin_popcountll(set->bits[word++]);
	for (bits = set->bits[word]; turn; turn--)
		bits &= bits - 1;
	return (uint8_t)(64 * word + (unsigned int)__builtin_ctzll(bits));
}

/*
 * 'peer' is reached over 'from' by 'first': sets its ports if it was not reached before, adds to
 * them if this way is as short.
 */
static void reach(struct search *search, const struct node *from, struct node *peer,
		  const struct port_set *first)
{
	uint32_t hops = search->hops[from->index] + 1;

	if (search->hops[peer->index] == UINT32_MAX) {
		search->hops[peer->index] = hops;
		search->first[peer->index] = *first;
		search->order[search->reached++] = peer;
	} else if (search->hops[peer->index] == hops) {
		port_set_add(&search->first[peer->index], first);
	}
}

/*
 * Every switch that is one hop nearer was visited before, so a switch's set is final when it is
 * read.
 */
static void search_from(struct search *search, struct node *sw)
{
	search->hops[sw->index] = 0;
	search->order[search->reached++] = sw;
	for (size_t i = 0; i < search->reached; i++) {
		struct node *from = search->order[i];

		for (unsigned int num = 1; num <= from->port_count; num++) {
			struct port *port = &from->ports[num];
			struct port_set self = { 0 };

			if (!port->peer || !port->peer->node->sw)
				continue;
			self.bits[num / 64] = UINT64_C(1) << num % 64;
			reach(search, from, port->peer->node,
			      from == sw ? &self : &search->first[from->index]);
		}
	}
}

/* Enters the LIDs of one end port, which leave by ports of 'set'. */
static void enter_lids(struct switch_part *part, const struct end_port *end,
		       const struct port_set *set)
{
	uint32_t first = end->attr.lid, count = UINT32_C(1) << end->attr.lmc;

	if (!first)
		return;
	/* Of the planes with one LID the nearest is entered, which comes first: none leads back. */
	if (end->port->node->planes && first < part->lft_size && part->lft[first] != NO_PORT)
		return;
	for (uint32_t lid = first; lid < first + count && lid < part->lft_size; lid++)
		part->lft[lid] = port_set_pick(set, lid);
}

static void enter_node(struct switch_part *part, const struct search *search, struct node *sw)
{
	for (size_t i = 0; i < search->reached; i++) {
		struct node *via = search->order[i];
		struct port_set own = { { 1 } };

		enter_lids(part, via->ports[0].end, via == sw ? &own : &search->first[via->index]);
		for (unsigned int num = 1; num <= via->port_count; num++) {
			struct port *port = &via->ports[num];

			if (!port->peer || !port->peer->end)
				continue;
			own = (struct port_set){ 0 };
			own.bits[num / 64] = UINT64_C(1) << num % 64;
			enter_lids(part, port->peer->end,
				   via == sw ? &own : &search->first[via->index]);
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

void route_switch(struct umadrig_fabric *fabric, struct node *sw)
{
	struct switch_part *part = sw->sw;
	struct search search = {
		.hops = g_new(uint32_t, fabric->nodes->len),
		.first = g_new(struct port_set, fabric->nodes->len),
		.order = g_new(struct node *, fabric->nodes->len),
	};

	memset(search.hops, 0xff, fabric->nodes->len * sizeof(*search.hops));
	table_reserve(part, (uint32_t)fabric->lid_top + 1);
	memset(part->lft, NO_PORT, part->lft_size);
	search_from(&search, sw);
	enter_node(part, &search, sw);
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

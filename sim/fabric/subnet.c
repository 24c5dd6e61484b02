/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Subnets: see sim/fabric/subnet.h. */
#include "sim/fabric/subnet.h"

#include "lib/base/invariant.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/virtual-function.h"

struct subnet *subnet_new(struct umadrig_fabric *fabric)
{
	struct subnet *subnet = g_new0(struct subnet, 1);

	subnet->fabric = fabric;
	subnet->number = fabric->subnets->len;
	subnet->ends = g_ptr_array_new();
	subnet->routers = g_ptr_array_new();
	g_ptr_array_add(fabric->subnets, subnet);
	return subnet;
}

void subnets_free(struct umadrig_fabric *fabric)
{
	for (unsigned int i = 0; i < fabric->subnets->len; i++) {
		struct subnet *subnet = fabric_subnet(fabric, i);

		for (size_t page = 0; page < SUBNET_PAGES; page++)
			g_free(subnet->by_lid[page]);
		g_ptr_array_unref(subnet->ends);
		g_ptr_array_unref(subnet->routers);
		g_free(subnet);
	}
	g_ptr_array_unref(fabric->subnets);
}

void subnet_add(struct subnet *subnet, struct end_port *end)
{
	g_ptr_array_add(subnet->ends, end);
	if (end->port->node->kind == TOPOLOGY_ROUTER)
		g_ptr_array_add(subnet->routers, end);
	end->subnet = subnet;
}

/* ---- LIDs ---- */

static struct end_port **entry(struct subnet *subnet, uint32_t lid)
{
	struct end_port ***page = &subnet->by_lid[lid / SUBNET_LIDS_PER_PAGE];

	if (!*page)
		*page = g_new0(struct end_port *, SUBNET_LIDS_PER_PAGE);
	return &(*page)[lid % SUBNET_LIDS_PER_PAGE];
}

void subnet_enter_lids(struct end_port *end)
{
	struct umadrig_fabric *fabric = end->subnet->fabric;
	uint32_t first = end->attr.lid, count = UINT32_C(1) << end->attr.lmc;

	for (uint32_t lid = first; first && lid < first + count && lid < LID_COUNT; lid++) {
		struct end_port **place = entry(end->subnet, lid);

		if (*place && *place != end)
			end->subnet->has_rivals = true;
		*place = end;
		if (lid > fabric->lid_top)
			fabric->lid_top = (uint16_t)lid;
	}
}

/* Another end port that claims the LID of 'end'; NULL: none. */
static struct end_port *rival(const struct end_port *end, uint16_t lid)
{
	const GPtrArray *ends = end->subnet->ends;

	for (unsigned int i = 0; end->subnet->has_rivals && i < ends->len; i++) {
		struct end_port *other = g_ptr_array_index(ends, i);

		if (other != end && other->subnet == end->subnet &&
		    other == port_speaker(other->port) && end_port_has_lid(other, lid))
			return other;
	}
	return NULL;
}

/*
 * Of two ports that claim a LID the table has one; if the other gives it up, nothing changes. If it
 * does so itself, the other one has the LID.
 */
void subnet_leave_lids(const struct end_port *end)
{
	uint32_t first = end->attr.lid, count = UINT32_C(1) << end->attr.lmc;

	for (uint32_t lid = first; first && lid < first + count && lid < LID_COUNT; lid++) {
		if (subnet_end_by_lid(end->subnet, (uint16_t)lid) == end)
			*entry(end->subnet, lid) = rival(end, (uint16_t)lid);
	}
}

/* ---- joining ---- */

/* All that a port joins: those of its switch or of an HCA's planes, or itself alone. */
struct reach {
	unsigned int first, last;
};

static struct reach reach_of(const struct port *port)
{
	const struct node *node = port->node;

	if (node->sw || node->planes)
		return (struct reach){ 1, node->port_count };
	return (struct reach){ port->num, port->num };
}

/* Is the node, or of others the port, among those that were found already? */
static bool find(GHashTable *found, const struct port *port)
{
	const struct node *node = port->node;

	return g_hash_table_add(found, node->sw || node->planes ? (void *)node : (void *)port);
}

/* The ports of the nodes, by which they are reached, on the side of 'port' of its cable. */
static GPtrArray *side_of(struct port *port)
{
	GHashTable *found = g_hash_table_new(NULL, NULL);
	GPtrArray *ports = g_ptr_array_new();

	find(found, port);
	g_ptr_array_add(ports, port);
	for (unsigned int i = 0; i < ports->len; i++) {
		const struct port *at = g_ptr_array_index(ports, i);
		struct reach reach = reach_of(at);

		for (unsigned int num = reach.first; num <= reach.last; num++) {
			struct port *peer = at->node->ports[num].peer;

			if (&at->node->ports[num] != port && peer && find(found, peer))
				g_ptr_array_add(ports, peer);
		}
	}
	g_hash_table_unref(found);
	return ports;
}

static gint compare_ends(gconstpointer a, gconstpointer b)
{
	const struct port *one = (*(struct end_port *const *)a)->port;
	const struct port *other = (*(struct end_port *const *)b)->port;

	if (one->node->index != other->node->index)
		return one->node->index < other->node->index ? -1 : 1;
	return one->num - other->num;
}

static void move(struct end_port *end, struct subnet *to)
{
	bool has_lids = end == port_speaker(end->port);

	if (has_lids)
		subnet_leave_lids(end);
	subnet_add(to, end);
	if (has_lids)
		subnet_enter_lids(end);
}

static void move_side(const GPtrArray *ports, struct subnet *to)
{
	for (unsigned int i = 0; i < ports->len; i++) {
		const struct port *port = g_ptr_array_index(ports, i);
		struct reach reach = reach_of(port);

		if (port->node->sw)
			move(port->node->ports[0].end, to);
		for (unsigned int num = reach.first; num <= reach.last; num++) {
			if (port->node->ports[num].end)
				move(port->node->ports[num].end, to);
		}
		if (port->node->planes)
			port->node->planes->gsi->ends->subnet = to;
		if (port->node->functions)
			functions_share(port->node);
	}
	g_ptr_array_sort(to->ends, compare_ends);
	g_ptr_array_sort(to->routers, compare_ends);
}

/* Leaves those that are still in the subnet. */
static void keep_own(GPtrArray *ends, const struct subnet *subnet)
{
	unsigned int left = 0;

	for (unsigned int i = 0; i < ends->len; i++) {
		struct end_port *end = g_ptr_array_index(ends, i);

		if (end->subnet == subnet)
			ends->pdata[left++] = end;
	}
	g_ptr_array_set_size(ends, (gint)left);
}

/* Takes out what has moved; with its port the subnet's own SA is gone. */
static void let_go(struct subnet *subnet)
{
	keep_own(subnet->ends, subnet);
	keep_own(subnet->routers, subnet);
	if (subnet->sa && subnet->sa->end->subnet != subnet)
		fabric_sa_give_way(subnet);
}

void subnet_join(struct port *a, struct port *b)
{
	struct subnet *of_a = port_speaker(a)->subnet, *of_b = port_speaker(b)->subnet;
	GPtrArray *side_a, *side_b;

	if (of_a == of_b)
		return;
	side_a = side_of(a);
	side_b = side_of(b);
	if (side_a->len < side_b->len) {
		move_side(side_a, of_b);
		let_go(of_a);
	} else {
		move_side(side_b, of_a);
		let_go(of_b);
	}
	g_ptr_array_unref(side_a);
	g_ptr_array_unref(side_b);
}

/* ---- invariants ---- */

static const char *end_check(const struct subnet *subnet, const struct end_port *end)
{
	uint32_t first = end->attr.lid, count = UINT32_C(1) << end->attr.lmc;

	MUST(end->subnet == subnet, "subnet: its end ports are in no other");
	MUST(first || count == 1, "subnet: no LMC without a LID");
	for (uint32_t lid = first; first && lid < first + count && lid < LID_COUNT; lid++)
		MUST(subnet_end_by_lid(subnet, (uint16_t)lid),
		     "subnet: a LID that an end port has leads to one that has it");
	return NULL;
}

static const char *page_check(const struct subnet *subnet, uint32_t page)
{
	for (uint32_t i = 0; i < SUBNET_LIDS_PER_PAGE; i++) {
		const struct end_port *end = subnet->by_lid[page][i];
		uint16_t lid = (uint16_t)(page * SUBNET_LIDS_PER_PAGE + i);

		if (!end)
			continue;
		MUST(end->subnet == subnet, "subnet: a LID leads to an end port of the subnet");
		MUST(end_port_has_lid(end, lid), "subnet: a LID leads to an end port that has it");
		MUST(end == port_speaker(end->port), "subnet: a LID of planes leads to the first");
		NEVER(lid > subnet->fabric->lid_top, "subnet: never a LID above the fabric's top");
	}
	return NULL;
}

const char *subnet_check(const struct subnet *subnet)
{
	unsigned int routers = 0;

	MUST(fabric_subnet(subnet->fabric, subnet->number) == subnet,
	     "subnet: the fabric has it under its number");
	for (unsigned int i = 0; i < subnet->ends->len; i++) {
		struct end_port *end = g_ptr_array_index(subnet->ends, i);

		MUST_HOLD(end_check(subnet, end));
		NEVER(i > 0 && compare_ends(&subnet->ends->pdata[i - 1],
					    &subnet->ends->pdata[i]) >= 0,
		      "subnet: its end ports are in order of nodes, none ever twice");
		if (end->port->node->kind != TOPOLOGY_ROUTER)
			continue;
		MUST(routers < subnet->routers->len &&
		     g_ptr_array_index(subnet->routers, routers) == end,
		     "subnet: its routers are those of its end ports");
		routers++;
	}
	MUST(routers == subnet->routers->len, "subnet: its routers are those of its end ports");
	for (uint32_t page = 0; page < SUBNET_PAGES; page++) {
		if (subnet->by_lid[page])
			MUST_HOLD(page_check(subnet, page));
	}
	MUST(!subnet->sa || subnet->sa->end->subnet == subnet, "subnet: its own SA is in it");
	return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Subnets: see sim/topology/topology-subnet.h. */
#include "config.h"

#include "sim/topology/topology-subnet.h"

enum {
	UNKNOWN = -1,
	ALL_PORTS = 0,		/* of a node that joins its ports */
};

/* Ports whose cables are still to be followed: one of a node, or ALL_PORTS. */
struct place {
	int node;
	uint8_t num;
};

struct search {
	struct topology *topology;
	GArray *places;			/* of struct place: a stack */
	int subnet;			/* the present one */
};

static bool joins_ports(const struct topology_node *node)
{
	return node->kind == TOPOLOGY_SWITCH || node->planarized;
}

/* A port that is reached, by a cable or as the first of its subnet. */
static void reach(struct search *search, int index, uint8_t num)
{
	struct topology_node *node = topology_node(search->topology, index);
	struct place place = { index, joins_ports(node) ? ALL_PORTS : num };
	unsigned int first = node->kind == TOPOLOGY_SWITCH ? 0 : node->planarized ? 1 : num;
	unsigned int last = node->planarized ? node->port_count : first;

	if (node->ports[first].subnet != UNKNOWN)
		return;
	for (unsigned int at = first; at <= last; at++)
		node->ports[at].subnet = search->subnet;
	g_array_append_val(search->places, place);
}

static void follow(struct search *search, const struct place *place)
{
	const struct topology_node *node = topology_node(search->topology, place->node);
	unsigned int first = place->num == ALL_PORTS ? 1 : place->num;
	unsigned int last = place->num == ALL_PORTS ? node->port_count : place->num;

	for (unsigned int num = first; num <= last; num++) {
		const struct topology_port *port = &node->ports[num];

		if (port->peer_node >= 0)
			reach(search, port->peer_node, port->peer_port);
	}
}

static void find_one(struct search *search, int index, unsigned int num)
{
	reach(search, index, (uint8_t)num);
	while (search->places->len) {
		guint top = search->places->len - 1;
		struct place place = g_array_index(search->places, struct place, top);

		g_array_set_size(search->places, top);
		follow(search, &place);
	}
	search->subnet++;
}

/* End ports of a node: port 0 of a switch, the first plane, every port of the others. */
static unsigned int first_end(const struct topology_node *node)
{
	return node->kind == TOPOLOGY_SWITCH ? 0 : 1;
}

static unsigned int last_end(const struct topology_node *node)
{
	return node->kind == TOPOLOGY_SWITCH ? 0 : node->planarized ? 1 : node->port_count;
}

/* Calls 'each' for all end ports, in order of nodes. */
static void for_each_end(struct topology *topology,
			 void (*each)(void *ctx, int index, unsigned int num), void *ctx)
{
	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		for (unsigned int num = first_end(node); num <= last_end(node); num++)
			each(ctx, (int)i, num);
	}
}

static void find_from(void *ctx, int index, unsigned int num)
{
	struct search *search = ctx;

	if (topology_node(search->topology, index)->ports[num].subnet == UNKNOWN)
		find_one(search, index, num);
}

static unsigned int find_all(struct topology *topology)
{
	struct search search = {
		.topology = topology,
		.places = g_array_new(false, false, sizeof(struct place)),
	};

	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		struct topology_node *node = topology_node(topology, (int)i);

		for (unsigned int num = 0; num <= node->port_count; num++)
			node->ports[num].subnet = UNKNOWN;
	}
	for_each_end(topology, find_from, &search);
	g_array_unref(search.places);
	return (unsigned int)search.subnet;
}

/* ---- the end ports of each ---- */

struct deal {
	struct topology *topology;
	struct topology_subnets *subnets;
	unsigned int *next;		/* by subnet: where its next end port goes */
};

static void count_end(void *ctx, int index, unsigned int num)
{
	const struct deal *deal = ctx;
	const struct topology_node *node = topology_node(deal->topology, index);

	deal->subnets->first[node->ports[num].subnet + 1]++;
}

static void deal_end(void *ctx, int index, unsigned int num)
{
	const struct deal *deal = ctx;
	struct topology_node *node = topology_node(deal->topology, index);

	deal->subnets->ends[deal->next[node->ports[num].subnet]++] =
		(struct topology_end){ node, (uint8_t)num };
}

void topology_subnets_find(struct topology *topology, struct topology_subnets *ret_subnets)
{
	unsigned int count = find_all(topology);
	struct topology_subnets subnets = {
		.first = g_new0(unsigned int, count + 1),
		.count = count,
	};
	struct deal deal = { .topology = topology, .subnets = &subnets };

	for_each_end(topology, count_end, &deal);
	for (unsigned int i = 0; i < count; i++)
		subnets.first[i + 1] += subnets.first[i];
	subnets.ends = g_new(struct topology_end, subnets.first[count]);
	deal.next = g_memdup2(subnets.first, (count + 1) * sizeof(*subnets.first));
	for_each_end(topology, deal_end, &deal);
	g_free(deal.next);
	*ret_subnets = subnets;
}

void topology_subnets_clear(struct topology_subnets *subnets)
{
	g_clear_pointer(&subnets->ends, g_free);
	g_clear_pointer(&subnets->first, g_free);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The ways of packets in two fabrics: see sim/facts/facts-way.h. */
#include "sim/facts/facts-way.h"

enum { HOPS_MAX = 64 };

/* What is known of the way from a switch of A to the destination at hand. */
enum way {
	WAY_OPEN,		/* not looked at */
	WAY_SAME,
	WAY_OTHER,
	WAY_UNKNOWN,		/* a switch's table is not known in both */
};

struct search {
	const struct facts_pair *pair;
	struct facts_changes *changes;
	enum way *ways;			/* by node of A */
	int *stack;
	int node;			/* the destination, of A */
	unsigned int num;
	uint16_t lid_a, lid_b;
	char *to;			/* its name */
};

/* Where a switch sends to the LID: the port, and the node behind its cable, -1: none. */
static unsigned int step(const struct facts_side *side, int node, uint16_t lid, int *ret_next)
{
	unsigned int num = facts_node_way(facts_node(side->facts, node), lid);
	const struct topology_node *at = facts_side_node(side, node);

	*ret_next = num && num <= at->port_count ? at->ports[num].peer_node : -1;
	return num;
}

/* One switch by itself: WAY_OPEN: the same step, and the rest is that of the switch '*ret_next'. */
static enum way judge(const struct search *search, int node, int *ret_next)
{
	const struct facts_pair *pair = search->pair;
	int there = pair->a.same[node], next_b;

	if (there < 0)
		return WAY_OTHER;
	if (!facts_node(pair->a.facts, node)->lft || !facts_node(pair->b.facts, there)->lft)
		return WAY_UNKNOWN;
	if (step(&pair->a, node, search->lid_a, ret_next) !=
	    step(&pair->b, there, search->lid_b, &next_b))
		return WAY_OTHER;
	if (*ret_next < 0 && next_b < 0)
		return WAY_SAME;
	if (*ret_next < 0 || next_b < 0 || pair->a.same[*ret_next] != next_b)
		return WAY_OTHER;
	return facts_side_node(&pair->a, *ret_next)->kind == TOPOLOGY_SWITCH ? WAY_OPEN : WAY_SAME;
}

/* From a switch on. A circle that is the same in both is no other way. */
static enum way find_way(struct search *search, int node)
{
	enum way way = WAY_OPEN;
	size_t depth = 0;
	int next = node;

	while (way == WAY_OPEN) {
		way = search->ways[node];
		if (way != WAY_OPEN)
			break;
		search->ways[node] = WAY_SAME;
		search->stack[depth++] = node;
		way = judge(search, node, &next);
		node = next;
	}
	while (depth)
		search->ways[search->stack[--depth]] = way;
	return way;
}

/* "leaf-0[17], spine-1[3], leaf-1[2]": the ports by which it leaves switches; to be freed. */
static char *way_text(const struct facts_side *side, int node, uint16_t lid)
{
	GString *out = g_string_new(NULL);

	for (unsigned int hops = 0; hops < HOPS_MAX && node >= 0; hops++) {
		g_autofree char *name = facts_side_name(side, node);
		unsigned int num;

		if (facts_side_node(side, node)->kind != TOPOLOGY_SWITCH)
			break;
		num = step(side, node, lid, &node);
		g_string_append_printf(out, "%s%s", out->len ? ", " : "", name);
		if (num == FACTS_NO_PORT)
			g_string_append(out, ", which knows no way");
		else
			g_string_append_printf(out, "[%u]", num);
	}
	return g_string_free(out, false);
}

/* The switch that an end port is at; -1: none. */
static int switch_at(const struct facts_side *side, int node, unsigned int num)
{
	const struct topology_port *port = &facts_side_node(side, node)->ports[num];

	if (port->peer_node < 0 ||
	    facts_side_node(side, port->peer_node)->kind != TOPOLOGY_SWITCH)
		return -1;
	return port->peer_node;
}

/* From the end port 'num' of a node of A to the destination at hand. */
static void take_pair(struct search *search, int node, unsigned int num)
{
	const struct facts_pair *pair = search->pair;
	struct facts_changes *changes = search->changes;
	int from_a = switch_at(&pair->a, node, num);
	int from_b = switch_at(&pair->b, pair->a.same[node], num);
	enum way way;

	if (from_a < 0 || from_b < 0 || (node == search->node && num == search->num))
		return;
	way = pair->a.same[from_a] == from_b ? find_way(search, from_a) : WAY_OTHER;
	if (way == WAY_UNKNOWN)
		return;
	changes->pairs++;
	if (way == WAY_SAME)
		return;
	if (changes->counts[FACTS_ROUTE] >= changes->routes_max) {
		facts_changes_count_one(changes, FACTS_ROUTE);
		return;
	}

	g_autofree char *from = facts_side_port(&pair->a, node, num);

	facts_changes_add(changes, FACTS_ROUTE, facts_side_node(&pair->a, node)->node_guid,
			  g_strdup_printf("%s to %s", from, search->to),
			  way_text(&pair->a, from_a, search->lid_a),
			  way_text(&pair->b, from_b, search->lid_b));
}

/* Both fabrics have the end port: fn is called for each. */
static void each_end(const struct facts_pair *pair,
		     void (*fn)(struct search *search, int node, unsigned int num),
		     struct search *search)
{
	for (int i = 0; i < facts_side_count(&pair->a); i++) {
		const struct topology_node *node = facts_side_node(&pair->a, i);
		int there = pair->a.same[i];
		unsigned int count;

		if (there < 0 || node->kind == TOPOLOGY_SWITCH)
			continue;
		count = MIN(node->port_count, facts_side_node(&pair->b, there)->port_count);
		for (unsigned int num = 1; num <= count; num++)
			fn(search, i, num);
	}
}

static void take_destination(struct search *search, int node, unsigned int num)
{
	const struct facts_pair *pair = search->pair;
	int count = facts_side_count(&pair->a);

	search->node = node;
	search->num = num;
	search->lid_a = facts_side_node(&pair->a, node)->ports[num].lid;
	search->lid_b = facts_side_node(&pair->b, pair->a.same[node])->ports[num].lid;
	if (!search->lid_a || !search->lid_b)
		return;
	for (int i = 0; i < count; i++)
		search->ways[i] = WAY_OPEN;
	search->to = facts_side_port(&pair->a, node, num);
	each_end(pair, take_pair, search);
	g_free(search->to);
}

static bool has_tables(const struct facts_side *side)
{
	for (int i = 0; i < facts_side_count(side); i++)
		if (facts_node(side->facts, i)->lft)
			return true;
	return false;
}

void facts_compare_ways(const struct facts_pair *pair, struct facts_changes *changes)
{
	size_t count = (size_t)facts_side_count(&pair->a) + 1;
	struct search search = { .pair = pair, .changes = changes };
	bool has_a = has_tables(&pair->a), has_b = has_tables(&pair->b);

	if (!has_a || !has_b) {
		g_ptr_array_add(changes->gaps, g_strdup_printf("routes (%s)",
				has_a ? "not in B" : has_b ? "not in A" : "in neither"));
		return;
	}
	search.ways = g_new(enum way, count);
	search.stack = g_new(int, count);
	each_end(pair, take_destination, &search);
	g_free(search.ways);
	g_free(search.stack);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The cables of two fabrics: see sim/facts/facts-cable.h. */
#include "sim/facts/facts-cable.h"

#include "sim/topology/reader.h"

/* One end of a cable; the other one is its port's peer. */
struct cable {
	int node;
	unsigned int num;
	bool is_done;			/* something was said of it */
};

/* The cables that only one side has. */
struct loose {
	const struct facts_side *side;
	GArray *cables;			/* of struct cable */
	GHashTable *by_end;		/* node << 8 | port, + 1: its index + 1 */
};

static const struct topology_port *port_at(const struct facts_side *side, int node,
					   unsigned int num)
{
	return &facts_side_node(side, node)->ports[num];
}

static gpointer end_key(int node, unsigned int num)
{
	return GINT_TO_POINTER((node << 8 | (int)num) + 1);
}

/* The same end in the other fabric: the node there; -1: it has none, or no such port. */
static int other_end(const struct facts_side *side, const struct facts_side *other, int node,
		     unsigned int num)
{
	int there = side->same[node];

	return there >= 0 && num <= facts_side_node(other, there)->port_count ? there : -1;
}

/* Does the other fabric have this cable, between the same ports? */
static bool is_in_other(const struct facts_side *side, const struct facts_side *other, int node,
			unsigned int num)
{
	const struct topology_port *port = port_at(side, node, num), *theirs;
	int there = other_end(side, other, node, num);

	if (there < 0 || side->same[port->peer_node] < 0)
		return false;
	theirs = port_at(other, there, num);
	return theirs->peer_node == side->same[port->peer_node] &&
	       theirs->peer_port == port->peer_port;
}

/* Of the two ends of a cable the one that names it: a switch's, or else the first. */
static bool names_cable(const struct facts_side *side, int node, unsigned int num)
{
	const struct topology_port *port = port_at(side, node, num);
	bool is_switch = facts_side_node(side, node)->kind == TOPOLOGY_SWITCH;
	bool is_peer_switch = facts_side_node(side, port->peer_node)->kind == TOPOLOGY_SWITCH;

	if (is_switch != is_peer_switch)
		return is_switch;
	return node < port->peer_node || (node == port->peer_node && num < port->peer_port);
}

static void gather(const struct facts_side *side, const struct facts_side *other,
		   struct loose *ret, uint64_t *ret_count)
{
	*ret = (struct loose){
		.side = side, .cables = g_array_new(false, false, sizeof(struct cable)),
		.by_end = g_hash_table_new(NULL, NULL),
	};
	for (int i = 0; i < facts_side_count(side); i++) {
		for (unsigned int num = 1; num <= facts_side_node(side, i)->port_count; num++) {
			const struct topology_port *port = port_at(side, i, num);
			struct cable cable = { i, num, false };
			gpointer index;

			if (port->peer_node < 0 || !names_cable(side, i, num))
				continue;
			++*ret_count;
			if (is_in_other(side, other, i, num))
				continue;
			g_array_append_val(ret->cables, cable);
			index = GUINT_TO_POINTER(ret->cables->len);
			g_hash_table_insert(ret->by_end, end_key(i, num), index);
			g_hash_table_insert(ret->by_end, end_key(port->peer_node, port->peer_port),
					    index);
		}
	}
}

static void loose_clear(struct loose *loose)
{
	g_array_unref(loose->cables);
	g_hash_table_unref(loose->by_end);
}

/* "host-3[1]": what the cable leads to from there. */
static char *peer_name(const struct facts_side *side, int node, unsigned int num)
{
	const struct topology_port *port = port_at(side, node, num);

	return facts_side_port(side, port->peer_node, port->peer_port);
}

/* A cable of A is at this end: has B another one there? Then it was moved. */
static bool take_moved(struct loose *a, struct loose *b, struct cable *cable, int node,
		       unsigned int num, struct facts_changes *changes)
{
	int there = other_end(a->side, b->side, node, num);
	struct cable *moved;
	guint index;

	if (there < 0)
		return false;
	index = GPOINTER_TO_UINT(g_hash_table_lookup(b->by_end, end_key(there, num)));
	if (!index)
		return false;
	moved = &g_array_index(b->cables, struct cable, index - 1);
	if (moved->is_done)
		return false;
	moved->is_done = cable->is_done = true;
	facts_changes_add(changes, FACTS_CABLE_MOVED, facts_side_node(a->side, node)->node_guid,
			  facts_side_port(a->side, node, num), peer_name(a->side, node, num),
			  peer_name(b->side, there, num));
	return true;
}

/* What is left is only one side's. With a node that is gone or new its cables are, too. */
static void take_rest(struct loose *loose, enum facts_kind kind, struct facts_changes *changes)
{
	const struct facts_side *side = loose->side;

	for (guint i = 0; i < loose->cables->len; i++) {
		const struct cable *cable = &g_array_index(loose->cables, struct cable, i);
		char *peer;

		if (cable->is_done || side->same[cable->node] < 0 ||
		    side->same[port_at(side, cable->node, cable->num)->peer_node] < 0)
			continue;
		peer = peer_name(side, cable->node, cable->num);
		facts_changes_add(changes, kind, facts_side_node(side, cable->node)->node_guid,
				  facts_side_port(side, cable->node, cable->num),
				  kind == FACTS_CABLE_GONE ? peer : NULL,
				  kind == FACTS_CABLE_NEW ? peer : NULL);
	}
}

/* NULL where one of them is not known, or both are the same. */
static void compare_names(enum facts_kind kind, const char *a, const char *b, uint64_t guid,
			  const char *at, struct facts_changes *changes)
{
	if (a && b && !g_str_equal(a, b))
		facts_changes_add(changes, kind, guid, g_strdup(at), g_strdup(a), g_strdup(b));
}

static void compare_rate(const struct facts_pair *pair, int node, unsigned int num,
			 struct facts_changes *changes)
{
	const struct topology_port *a = port_at(&pair->a, node, num);
	const struct topology_port *b = port_at(&pair->b, pair->a.same[node], num);
	uint64_t guid = facts_side_node(&pair->a, node)->node_guid;
	g_autofree char *from = facts_side_port(&pair->a, node, num);
	g_autofree char *to = peer_name(&pair->a, node, num);
	g_autofree char *at = g_strdup_printf("%s - %s", from, to);

	compare_names(FACTS_WIDTH, topology_width_name(a), topology_width_name(b), guid, at,
		      changes);
	compare_names(FACTS_SPEED, topology_speed_name(a), topology_speed_name(b), guid, at,
		      changes);
}

static void compare_rates(const struct facts_pair *pair, struct facts_changes *changes)
{
	for (int i = 0; i < facts_side_count(&pair->a); i++) {
		for (unsigned int num = 1; num <= facts_side_node(&pair->a, i)->port_count; num++) {
			if (port_at(&pair->a, i, num)->peer_node >= 0 &&
			    names_cable(&pair->a, i, num) &&
			    is_in_other(&pair->a, &pair->b, i, num))
				compare_rate(pair, i, num, changes);
		}
	}
}

void facts_compare_cables(const struct facts_pair *pair, struct facts_changes *changes)
{
	struct loose a, b;

	gather(&pair->a, &pair->b, &a, &changes->cables_a);
	gather(&pair->b, &pair->a, &b, &changes->cables_b);
	for (guint i = 0; i < a.cables->len; i++) {
		struct cable *cable = &g_array_index(a.cables, struct cable, i);
		const struct topology_port *port = port_at(&pair->a, cable->node, cable->num);

		if (!take_moved(&a, &b, cable, cable->node, cable->num, changes))
			take_moved(&a, &b, cable, port->peer_node, port->peer_port, changes);
	}
	take_rest(&a, FACTS_CABLE_GONE, changes);
	take_rest(&b, FACTS_CABLE_NEW, changes);
	loose_clear(&a);
	loose_clear(&b);
	compare_rates(pair, changes);
}

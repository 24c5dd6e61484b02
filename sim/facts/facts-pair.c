/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Which node of a fabric is which of another: see sim/facts/facts-pair.h. */
#include "sim/facts/facts-pair.h"

static void side_make(const struct fabric_facts *facts, struct facts_side *ret)
{
	int count = (int)facts->topology->nodes->len;

	ret->facts = facts;
	ret->same = g_new(int, (size_t)MAX(count, 1));
	ret->names = g_hash_table_new(g_str_hash, g_str_equal);
	for (int i = 0; i < count; i++) {
		char *name = topology_node(facts->topology, i)->description;
		unsigned int others = GPOINTER_TO_UINT(g_hash_table_lookup(ret->names, name));

		ret->same[i] = -1;
		g_hash_table_insert(ret->names, name, GUINT_TO_POINTER(others + 1));
	}
}

static void match(struct facts_pair *pair, int a, int b)
{
	pair->a.same[a] = b;
	pair->b.same[b] = a;
}

static void match_by_guid(struct facts_pair *pair)
{
	GHashTable *guids = g_hash_table_new(g_int64_hash, g_int64_equal);

	for (int i = 0; i < facts_side_count(&pair->b); i++)
		g_hash_table_insert(guids, &facts_side_node(&pair->b, i)->node_guid,
				    GINT_TO_POINTER(i + 1));
	for (int i = 0; i < facts_side_count(&pair->a); i++) {
		int b = GPOINTER_TO_INT(g_hash_table_lookup(guids,
					&facts_side_node(&pair->a, i)->node_guid)) - 1;

		if (b >= 0)
			match(pair, i, b);
	}
	g_hash_table_unref(guids);
}

/* The other side's node that has a cable where the node at 'index' has one; -1: none. */
static int other_at_cable(const struct facts_side *side, const struct facts_side *other, int index)
{
	const struct topology_node *node = facts_side_node(side, index);

	for (unsigned int num = 1; num <= node->port_count; num++) {
		const struct topology_port *port = &node->ports[num];
		const struct topology_node *peer;
		int there = port->peer_node < 0 ? -1 : side->same[port->peer_node];

		if (there < 0)
			continue;
		peer = facts_side_node(other, there);
		if (port->peer_port > peer->port_count)
			continue;
		there = peer->ports[port->peer_port].peer_node;
		if (there >= 0 && other->same[there] < 0)
			return there;
	}
	return -1;
}

/* What is known of both by GUIDs alone is known already. */
static void match_made_up(struct facts_pair *pair)
{
	for (int i = 0; i < facts_side_count(&pair->a); i++) {
		int b = facts_node(pair->a.facts, i)->is_made_up && pair->a.same[i] < 0 ?
			other_at_cable(&pair->a, &pair->b, i) : -1;

		if (b >= 0)
			match(pair, i, b);
	}
	for (int i = 0; i < facts_side_count(&pair->b); i++) {
		int a = facts_node(pair->b.facts, i)->is_made_up && pair->b.same[i] < 0 ?
			other_at_cable(&pair->b, &pair->a, i) : -1;

		if (a >= 0)
			match(pair, a, i);
	}
}

void facts_pair_make(const struct fabric_facts *a, const struct fabric_facts *b,
		     struct facts_pair *ret)
{
	side_make(a, &ret->a);
	side_make(b, &ret->b);
	match_by_guid(ret);
	match_made_up(ret);
}

void facts_pair_clear(struct facts_pair *pair)
{
	struct facts_side *sides[] = { &pair->a, &pair->b };

	for (unsigned int i = 0; i < G_N_ELEMENTS(sides); i++) {
		g_free(sides[i]->same);
		g_hash_table_unref(sides[i]->names);
	}
}

/* ---- names ---- */

char *facts_side_name(const struct facts_side *side, int index)
{
	const struct topology_node *node = facts_side_node(side, index);

	if (GPOINTER_TO_UINT(g_hash_table_lookup(side->names, node->description)) < 2)
		return g_strdup(node->description);
	return g_strdup_printf("%s (0x%016" G_GINT64_MODIFIER "x)", node->description,
			       node->node_guid);
}

char *facts_side_port(const struct facts_side *side, int index, unsigned int num)
{
	g_autofree char *name = facts_side_name(side, index);

	return g_strdup_printf("%s[%u]", name, num);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * GUIDs: every node ends up with one that no other node has, every port with one or none.
 *
 * When two nodes claim a GUID, almost always a record was copied; the second node gets another
 * GUID, because discovery tools would take the two for one.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/format.h"
#include "sim/topology/planes.h"
#include "sim/topology/reader.h"

/* The first made-up GUID of each kind: ibsim's numbers, which cannot be taken for a vendor's. */
static const uint64_t made_up_first[TOPOLOGY_KIND_COUNT] = {
	[TOPOLOGY_CA] = 0x100000, [TOPOLOGY_SWITCH] = 0x200000, [TOPOLOGY_ROUTER] = 0x300000,
};

/* Keys point into the nodes, which do not move. */
static bool guid_take(GHashTable *taken, uint64_t *guid, gpointer owner)
{
	if (g_hash_table_contains(taken, guid))
		return false;
	g_hash_table_insert(taken, guid, owner);
	return true;
}

static void take_said(struct topology_reader *reader, GHashTable *taken, struct topology_node *node)
{
	if (!node->node_guid || guid_take(taken, &node->node_guid, node))
		return;

	const struct topology_node *owner = g_hash_table_lookup(taken, &node->node_guid);

	topology_diagnose_at(reader, TOPOLOGY_WARNING, node->file_number, node->line,
			     "'%s' has the GUID " GUID_FORMAT " of '%s' (line %u); it gets "
			     "another one; correct one of the two",
			     node->id, node->node_guid, owner->id, owner->line);
	if (node->kind == TOPOLOGY_SWITCH && node->ports[0].guid == node->node_guid)
		node->ports[0].guid = 0;
	node->node_guid = 0;
}

/* switchguid=SYS(NODE): does the id repeat the GUID in parentheses? */
static bool is_system_guid(const struct topology_node *node)
{
	uint64_t guid;

	return node->kind == TOPOLOGY_SWITCH && node->ports[0].guid != node->node_guid &&
	       topology_record_id_guid((struct span){ node->id, node->id + strlen(node->id) },
				       &guid) &&
	       guid == node->ports[0].guid;
}

/* Do two nodes have the same GUID, and is it the system's? */
static bool systems_are_shared(const GPtrArray *nodes)
{
	GHashTable *first = g_hash_table_new(g_int64_hash, g_int64_equal);
	bool shared = false;

	for (unsigned int i = 0; i < nodes->len && !shared; i++) {
		struct topology_node *node = nodes->pdata[i];
		const struct topology_node *owner = g_hash_table_lookup(first, &node->node_guid);

		if (owner)
			shared = is_system_guid(node) || is_system_guid(owner);
		else
			g_hash_table_insert(first, &node->node_guid, node);
	}
	g_hash_table_unref(first);
	return shared;
}

/*
 * The switches of a director, where the line has the GUID of their system: a node's GUID is in the
 * parentheses, in its id, and in the ids by which its peers know it.
 */
static void settle_systems(struct topology_reader *reader)
{
	GPtrArray *nodes = reader->topology->nodes;
	const struct topology_node *first = NULL;
	unsigned int count = 0;

	if (reader->format->counts_guids || !systems_are_shared(nodes))
		return;
	for (unsigned int i = 0; i < nodes->len; i++) {
		struct topology_node *node = nodes->pdata[i];

		if (!is_system_guid(node))
			continue;
		if (!node->sys_image_guid)
			node->sys_image_guid = node->node_guid;
		node->node_guid = node->ports[0].guid;
		first = first ? first : node;
		count++;
	}
	topology_diagnose_at(reader, TOPOLOGY_WARNING, first->file_number, first->line,
			     "%u switches have their system's GUID in switchguid=SYSTEM(NODE), as "
			     "several share one; the GUIDs in parentheses are used, which the ids "
			     "repeat", count);
}

static void make_up(GHashTable *taken, uint64_t next[TOPOLOGY_KIND_COUNT],
		    struct topology_node *node)
{
	if (node->node_guid)
		return;
	do {
		node->node_guid = next[node->kind];
		next[node->kind] += node->kind == TOPOLOGY_SWITCH ? 1 : node->port_count + 1U;
	} while (!guid_take(taken, &node->node_guid, node));
	if (node->kind == TOPOLOGY_SWITCH && !node->ports[0].guid)
		node->ports[0].guid = node->node_guid;
}

static void take_port(struct topology_reader *reader, GHashTable *taken,
		      struct topology_node *node, unsigned int num)
{
	struct topology_port *port = &node->ports[num];

	if (topology_is_further_plane(node, num))
		port->guid = node->ports[1].guid;
	if (!port->guid || topology_is_further_plane(node, num) ||
	    guid_take(taken, &port->guid, node))
		return;

	const struct topology_node *owner = g_hash_table_lookup(taken, &port->guid);

	topology_diagnose_at(reader, TOPOLOGY_WARNING, node->file_number, port->line,
			     "port %u of '%s' has the port GUID " GUID_FORMAT " of a port of '%s' "
			     "(line %u); it gets another one; correct one of the two",
			     num, node->id, port->guid, owner->id, owner->line);
	port->guid = 0;
}

void topology_finish_guids(struct topology_reader *reader)
{
	GPtrArray *nodes = reader->topology->nodes;
	GHashTable *taken = g_hash_table_new(g_int64_hash, g_int64_equal);
	GHashTable *ports = g_hash_table_new(g_int64_hash, g_int64_equal);
	uint64_t next[TOPOLOGY_KIND_COUNT];

	settle_systems(reader);
	for (unsigned int i = 0; i < TOPOLOGY_KIND_COUNT; i++)
		next[i] = made_up_first[i];
	for (unsigned int i = 0; i < nodes->len; i++)
		take_said(reader, taken, nodes->pdata[i]);
	for (unsigned int i = 0; i < nodes->len; i++)
		make_up(taken, next, nodes->pdata[i]);
	for (unsigned int i = 0; i < nodes->len; i++) {
		struct topology_node *node = nodes->pdata[i];

		if (node->kind == TOPOLOGY_SWITCH)
			take_port(reader, ports, node, 0);
		else
			for (unsigned int num = 1; num <= node->port_count; num++)
				take_port(reader, ports, node, num);
	}
	g_hash_table_unref(ports);
	g_hash_table_unref(taken);
}

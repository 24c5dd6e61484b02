/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Nodes, end ports and subnet managers of two fabrics: see sim/facts/facts-part.h. */
#include "sim/facts/facts-part.h"

#include <string.h>

static void gap(struct facts_changes *changes, const char *what, bool is_in_a, bool is_in_b)
{
	if (is_in_a && is_in_b)
		return;
	g_ptr_array_add(changes->gaps, g_strdup_printf("%s (%s)", what, is_in_a ? "not in B" :
			is_in_b ? "not in A" : "in neither"));
}

/* ---- nodes ---- */

/* Where it was: "at leaf-0[4], leaf-1[4]"; "without a cable". To be freed. */
static char *place_of(const struct facts_side *side, int index)
{
	const struct topology_node *node = facts_side_node(side, index);
	GString *out = g_string_new(NULL);

	for (unsigned int num = 1; num <= node->port_count; num++) {
		const struct topology_port *port = &node->ports[num];
		g_autofree char *peer = port->peer_node < 0 ? NULL :
			facts_side_port(side, port->peer_node, port->peer_port);

		if (peer)
			g_string_append_printf(out, "%s%s", out->len ? ", " : "at ", peer);
	}
	if (!out->len)
		g_string_append(out, "without a cable");
	return g_string_free(out, false);
}

static void list_alone(const struct facts_side *side, enum facts_kind kind,
		       struct facts_changes *changes)
{
	for (int i = 0; i < facts_side_count(side); i++) {
		char *place = side->same[i] < 0 ? place_of(side, i) : NULL;

		if (place)
			facts_changes_add(changes, kind, facts_side_node(side, i)->node_guid,
					  facts_side_name(side, i),
					  kind == FACTS_NODE_GONE ? place : NULL,
					  kind == FACTS_NODE_NEW ? place : NULL);
	}
}

/* "vendor 0x2c9, device 0xd2f0, revision 0"; NULL: not given. */
static char *device_of(const struct topology_node *node)
{
	if (!node->vendor_id && !node->device_id)
		return NULL;
	return g_strdup_printf("vendor 0x%x, device 0x%x, revision %u", node->vendor_id,
			       node->device_id, node->revision);
}

/* "16.35.2000, PSID MT_0000000223"; NULL: not known. */
static char *firmware_of(const struct facts_node *node)
{
	if (!node->has_firmware)
		return NULL;
	return g_strdup_printf("%u.%u.%u%s%s", node->firmware[0], node->firmware[1],
			       node->firmware[2], *node->psid ? ", PSID " : "", node->psid);
}

/* Frees 'a' and 'b', of which one may be NULL: it is not known. */
static void compare(struct facts_changes *changes, enum facts_kind kind, uint64_t guid,
		    const char *at, char *a, char *b)
{
	if (a && b && strcmp(a, b) != 0) {
		facts_changes_add(changes, kind, guid, g_strdup(at), a, b);
		return;
	}
	g_free(a);
	g_free(b);
}

void facts_compare_nodes(const struct facts_pair *pair, struct facts_changes *changes)
{
	bool has_a = false, has_b = false;

	changes->nodes_a = (uint64_t)facts_side_count(&pair->a);
	changes->nodes_b = (uint64_t)facts_side_count(&pair->b);
	list_alone(&pair->a, FACTS_NODE_GONE, changes);
	list_alone(&pair->b, FACTS_NODE_NEW, changes);
	for (int i = 0; i < facts_side_count(&pair->b); i++)
		has_b |= facts_node(pair->b.facts, i)->has_firmware;
	for (int i = 0; i < facts_side_count(&pair->a); i++) {
		const struct topology_node *a = facts_side_node(&pair->a, i), *b;
		g_autofree char *at = facts_side_name(&pair->a, i);
		int there = pair->a.same[i];

		has_a |= facts_node(pair->a.facts, i)->has_firmware;
		if (there < 0)
			continue;
		b = facts_side_node(&pair->b, there);
		compare(changes, FACTS_FIRMWARE, a->node_guid, at,
			firmware_of(facts_node(pair->a.facts, i)),
			firmware_of(facts_node(pair->b.facts, there)));
		if (facts_node(pair->a.facts, i)->is_made_up ||
		    facts_node(pair->b.facts, there)->is_made_up)
			continue;
		compare(changes, FACTS_NODE_RENAMED, a->node_guid, at, g_strdup(a->description),
			g_strdup(b->description));
		compare(changes, FACTS_NODE_DEVICE, a->node_guid, at, device_of(a), device_of(b));
	}
	gap(changes, "firmware", has_a, has_b);
}

/* ---- end ports ---- */

/* "7", "8..11"; NULL: not given. */
static char *lids_of(const struct topology_port *port)
{
	if (!port->lid)
		return NULL;
	return port->lmc ? g_strdup_printf("%u..%u", port->lid, port->lid + (1U << port->lmc) - 1) :
	       g_strdup_printf("%u", port->lid);
}

static void look_at_side(const struct facts_side *side, bool *ret_has_lids, bool *ret_has_pkeys)
{
	for (int i = 0; i < facts_side_count(side); i++) {
		const struct topology_node *node = facts_side_node(side, i);

		for (unsigned int num = 0; num <= node->port_count; num++)
			*ret_has_lids |= node->ports[num].lid != 0;
		*ret_has_pkeys |= facts_node(side->facts, i)->pkeys != NULL;
	}
}

void facts_compare_ports(const struct facts_pair *pair, struct facts_changes *changes)
{
	bool lids_a = false, lids_b = false, pkeys_a = false, pkeys_b = false;

	look_at_side(&pair->a, &lids_a, &pkeys_a);
	look_at_side(&pair->b, &lids_b, &pkeys_b);
	for (int i = 0; i < facts_side_count(&pair->a); i++) {
		const struct topology_node *a = facts_side_node(&pair->a, i), *b;
		int there = pair->a.same[i];

		if (there < 0)
			continue;
		b = facts_side_node(&pair->b, there);
		for (unsigned int num = 0; num <= MIN(a->port_count, b->port_count); num++) {
			g_autofree char *at = facts_side_port(&pair->a, i, num);

			compare(changes, FACTS_LID, a->node_guid, at, lids_of(&a->ports[num]),
				lids_of(&b->ports[num]));
			compare(changes, FACTS_PKEYS, a->node_guid, at,
				facts_node_pkeys(facts_node(pair->a.facts, i), num),
				facts_node_pkeys(facts_node(pair->b.facts, there), num));
		}
	}
	gap(changes, "LIDs", lids_a, lids_b);
	gap(changes, "P_Keys", pkeys_a, pkeys_b);
}

/* ---- subnet managers ---- */

/* The index of the node that has the LID, and its port; -1: none. */
static int owner_of(const struct facts_side *side, uint16_t lid, unsigned int *ret_port)
{
	for (int i = 0; i < facts_side_count(side); i++) {
		const struct topology_node *node = facts_side_node(side, i);

		for (unsigned int num = 0; num <= node->port_count; num++) {
			const struct topology_port *port = &node->ports[num];

			if (port->lid && lid >= port->lid && lid < port->lid + (1U << port->lmc)) {
				*ret_port = num;
				return i;
			}
		}
	}
	return -1;
}

/* The port of the master; NULL: not known. */
static char *master_of(const struct facts_side *side)
{
	uint16_t lid = side->facts->sm_lid;
	unsigned int num;
	int node = lid ? owner_of(side, lid, &num) : -1;

	if (node >= 0)
		return facts_side_port(side, node, num);
	return lid ? g_strdup_printf("LID %u", lid) : NULL;
}

/* "standby, priority 3"; NULL: it has not said so. */
static char *sm_of(const struct facts_node *node)
{
	static const char *const states[] = { "not active", "discovering", "standby", "master" };

	if (!node->has_sm)
		return NULL;
	return g_strdup_printf("%s, priority %u", node->sm_state < G_N_ELEMENTS(states) ?
			       states[node->sm_state] : "in no known state", node->sm_priority);
}

/*
 * Whether both may have the same master: a capture of an SM that begins before it has a LID lacks
 * that of its own port, which it sets without a packet. The LID is all that is known then.
 */
static bool may_be_same_master(const struct facts_pair *pair)
{
	uint16_t lid = pair->a.facts->sm_lid;
	unsigned int num;

	return lid == pair->b.facts->sm_lid &&
	       (owner_of(&pair->a, lid, &num) < 0 || owner_of(&pair->b, lid, &num) < 0);
}

void facts_compare_sm(const struct facts_pair *pair, struct facts_changes *changes)
{
	gap(changes, "subnet manager", pair->a.facts->sm_lid, pair->b.facts->sm_lid);
	if (!may_be_same_master(pair))
		compare(changes, FACTS_SM, 0, "master", master_of(&pair->a), master_of(&pair->b));
	for (int i = 0; i < facts_side_count(&pair->a); i++) {
		g_autofree char *at = facts_side_name(&pair->a, i);
		int there = pair->a.same[i];

		if (there >= 0)
			compare(changes, FACTS_SM, facts_side_node(&pair->a, i)->node_guid, at,
				sm_of(facts_node(pair->a.facts, i)),
				sm_of(facts_node(pair->b.facts, there)));
	}
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Planarized HCAs in files: the ports of such a CA are the planes of one port, so that they share
 * its GUID and LIDs. See sim/topology/planes.h.
 */
#include "config.h"

#include "sim/topology/planes.h"
#include "sim/topology/reader.h"

/*
 * ibnetdiscover prints such a CA without a word about it, but with one GUID and one LID for several
 * ports, which no other CA has. One GUID with different LIDs is a line that was copied.
 */
static bool is_planarized(const struct topology_node *node)
{
	const struct topology_port *first = NULL;
	unsigned int alike = 0;

	if (node->kind != TOPOLOGY_CA)
		return false;
	for (unsigned int num = 1; num <= node->port_count; num++) {
		const struct topology_port *port = &node->ports[num];

		if (!port->guid)
			continue;
		first = first ? first : port;
		if (port->guid != first->guid || port->lid != first->lid || !port->lid)
			return false;
		alike++;
	}
	return alike >= 2;
}

/* Gives all planes the GUID and the LIDs of the first one that has any. */
static void share_port(struct topology_node *node)
{
	struct topology_port shared = { 0 };

	if (!node->planarized)
		return;
	for (unsigned int num = 1; num <= node->port_count; num++) {
		const struct topology_port *port = &node->ports[num];

		if (!shared.guid)
			shared.guid = port->guid;
		if (!shared.lid) {
			shared.lid = port->lid;
			shared.lmc = port->lmc;
		}
	}
	for (unsigned int num = 1; num <= node->port_count; num++) {
		node->ports[num].guid = shared.guid;
		node->ports[num].lid = shared.lid;
		node->ports[num].lmc = shared.lmc;
	}
}

void topology_find_planes(struct topology_reader *reader)
{
	for (unsigned int i = 0; i < reader->topology->nodes->len; i++) {
		struct topology_node *node = topology_node(reader->topology, (int)i);

		node->planarized |= is_planarized(node);
		share_port(node);
	}
}

void topology_share_lid(struct topology_node *node)
{
	for (unsigned int num = 2; node->planarized && num <= node->port_count; num++) {
		node->ports[num].lid = node->ports[1].lid;
		node->ports[num].lmc = node->ports[1].lmc;
	}
}

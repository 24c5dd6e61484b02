/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever a file contains, what is loaded from it is a fabric.
 *
 * Links lead both ways, nodes have GUIDs of their own, end ports have LIDs of their own, and every
 * diagnostic is one line. What is written from it is read back, node by node and link by link, and
 * the other formats are UTF-8.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "sim/topology/lid.h"
#include "sim/topology/load.h"
#include "sim/topology/topology-subnet.h"
#include "sim/topology/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

static void check_port(const struct topology *topology, int index, unsigned int num)
{
	const struct topology_node *node = topology_node(topology, index);
	const struct topology_port *port = &node->ports[num];

	if (port->peer_node < 0)
		return;
	CHECK(num && port->peer_node < (int)topology->nodes->len);

	const struct topology_node *peer = topology_node(topology, port->peer_node);

	CHECK(port->peer_port >= 1 && port->peer_port <= peer->port_count);
	CHECK(peer->ports[port->peer_port].peer_node == index);
	CHECK(peer->ports[port->peer_port].peer_port == num);
}

static void check_planes(const struct topology_node *node)
{
	const struct topology_port *first = &node->ports[1];

	for (unsigned int num = 2; node->planarized && num <= node->port_count; num++)
		CHECK(node->ports[num].lid == first->lid && node->ports[num].lmc == first->lmc &&
		      node->ports[num].subnet == first->subnet);
}

/* No LID of a subnet is two ports'; 'owners': the subnet that had each LID last, plus 1. */
static void check_lids(const struct topology_end *end, int subnet, int *owners)
{
	const struct topology_port *port = topology_end_port(end);
	unsigned int count = 1U << port->lmc;

	CHECK(port->lmc <= TOPOLOGY_LMC_MAX && port->subnet == subnet);
	check_planes(end->node);
	if (!port->lid)
		return;
	CHECK(port->lid % count == 0 && port->lid + count <= TOPOLOGY_LID_MAX + 1);
	for (unsigned int i = 0; i < count; i++) {
		CHECK(owners[port->lid + i] != subnet + 1);
		owners[port->lid + i] = subnet + 1;
	}
}

static void check_subnets(struct topology *topology)
{
	static int owners[TOPOLOGY_LID_MAX + 1];
	struct topology_subnets subnets;

	topology_subnets_find(topology, &subnets);
	memset(owners, 0, sizeof(owners));
	for (unsigned int subnet = 0; subnet < subnets.count; subnet++) {
		CHECK(subnets.first[subnet] < subnets.first[subnet + 1]);
		for (unsigned int i = subnets.first[subnet]; i < subnets.first[subnet + 1]; i++)
			check_lids(&subnets.ends[i], (int)subnet, owners);
	}
	topology_subnets_clear(&subnets);
}

static void check_topology(struct topology *topology)
{
	GHashTable *guids = g_hash_table_new(g_int64_hash, g_int64_equal);

	CHECK(topology->nodes->len);
	topology_assign_lids(topology);
	for (int i = 0; i < (int)topology->nodes->len; i++) {
		struct topology_node *node = topology_node(topology, i);

		CHECK(node->port_count >= 1 && node->port_count <= TOPOLOGY_PORT_MAX);
		CHECK(*node->id && strlen(node->description) <= TOPOLOGY_DESCRIPTION_MAX);
		CHECK(node->node_guid && g_hash_table_add(guids, &node->node_guid));
		CHECK(topology_find(topology, node->id) == i);
		for (unsigned int num = 0; num <= node->port_count; num++)
			check_port(topology, i, num);
	}
	check_subnets(topology);
	g_hash_table_unref(guids);
}

static unsigned int count_ends(const struct topology *topology)
{
	unsigned int ends = 0;

	for (int i = 0; i < (int)topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, i);

		for (unsigned int num = 1; num <= node->port_count; num++)
			ends += node->ports[num].peer_node >= 0;
	}
	return ends;
}

static void check_written(const struct topology *topology)
{
	GString *out = g_string_new(NULL);

	topology_write_ibnetdiscover(topology, out);

	struct topology *again = topology_parse(out->str, out->len, "written", NULL);

	CHECK(again && again->nodes->len == topology->nodes->len);
	CHECK(count_ends(again) == count_ends(topology));
	topology_free(again);
	g_string_truncate(out, 0);
	topology_write_json(topology, out);
	topology_write_dot(topology, out);
	CHECK(g_utf8_validate(out->str, (gssize)out->len, NULL));
	g_string_free(out, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	GArray *diagnostics;
	struct topology *topology = topology_parse((const char *)data, size, "fuzz", &diagnostics);

	if (topology) {
		check_topology(topology);
		check_written(topology);
	} else {
		CHECK(diagnostics->len);
	}
	for (unsigned int i = 0; i < diagnostics->len; i++) {
		char *text = topology_diagnostic_format(
			&g_array_index(diagnostics, struct topology_diagnostic, i));

		CHECK(!strchr(text, '\n') && g_utf8_validate(text, -1, NULL));
		g_free(text);
	}
	topology_diagnostics_free(diagnostics);
	topology_free(topology);
	return 0;
}

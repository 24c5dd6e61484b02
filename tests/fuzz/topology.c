/*
 * Fuzz target: whatever a file says, what is loaded of it is a fabric.
 *
 * Links lead both ways, nodes have GUIDs of their own, end ports have LIDs of their own, and every
 * diagnostic is one line.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "topology-reader.h"

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

static void check_lids(const struct topology_node *node, bool *taken)
{
	unsigned int first = node->kind == TOPOLOGY_SWITCH ? 0 : 1;
	unsigned int last = node->kind == TOPOLOGY_SWITCH ? 0 : node->port_count;

	for (unsigned int num = first; num <= last; num++) {
		const struct topology_port *port = &node->ports[num];
		unsigned int count = 1U << port->lmc;

		CHECK(port->lmc <= TOPOLOGY_LMC_MAX);
		if (!port->lid)
			continue;
		CHECK(port->lid % count == 0 && port->lid + count <= TOPOLOGY_LID_MAX + 1);
		for (unsigned int i = 0; i < count; i++) {
			CHECK(!taken[port->lid + i]);
			taken[port->lid + i] = true;
		}
	}
}

static void check_topology(struct topology *topology)
{
	static bool taken[TOPOLOGY_LID_MAX + 1];
	GHashTable *guids = g_hash_table_new(g_int64_hash, g_int64_equal);

	CHECK(topology->nodes->len);
	topology_assign_lids(topology);
	memset(taken, 0, sizeof(taken));
	for (int i = 0; i < (int)topology->nodes->len; i++) {
		struct topology_node *node = topology_node(topology, i);

		CHECK(node->port_count >= 1 && node->port_count <= TOPOLOGY_PORT_MAX);
		CHECK(*node->id && strlen(node->description) <= TOPOLOGY_DESCRIPTION_MAX);
		CHECK(node->node_guid && g_hash_table_add(guids, &node->node_guid));
		CHECK(topology_find(topology, node->id) == i);
		for (unsigned int num = 0; num <= node->port_count; num++)
			check_port(topology, i, num);
		check_lids(node, taken);
	}
	g_hash_table_unref(guids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	GArray *diagnostics;
	struct topology *topology = topology_parse((const char *)data, size, "fuzz", &diagnostics);

	if (topology)
		check_topology(topology);
	else
		CHECK(diagnostics->len);
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

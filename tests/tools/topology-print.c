/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Prints the fabric that a file describes as ibnetdiscover would, every node and end whether
 * connected or not, so that a comparison independent of our reader can judge it.
 *
 * 	topology-print FILE
 */
#include "config.h"

#include <stdio.h>

#include "sim/topology/load.h"
#include "sim/topology/reader.h"

static const char letters[] = {
	[TOPOLOGY_CA] = 'H', [TOPOLOGY_SWITCH] = 'S', [TOPOLOGY_ROUTER] = 'R'
};

static void print_port(const struct topology *topology, const struct topology_node *node,
		       unsigned int num)
{
	const struct topology_port *port = &node->ports[num];
	char rate[16];

	if (port->peer_node < 0)
		return;

	const struct topology_node *peer = topology_node(topology, port->peer_node);

	printf("[%u]", num);
	if (node->kind != TOPOLOGY_SWITCH)
		printf("(%" G_GINT64_MODIFIER "x) ", port->guid);
	printf("\t\"%c-%016" G_GINT64_MODIFIER "x\"[%u]\t\t# ", letters[peer->kind],
	       peer->node_guid, port->peer_port);
	if (node->kind != TOPOLOGY_SWITCH)
		printf("lid %u lmc %u ", port->lid, port->lmc);
	printf("\"%s\" lid 0 %s\n", peer->description, topology_rate_name(port, rate));
}

static void print_node(const struct topology *topology, const struct topology_node *node)
{
	static const char *const guids[] = {
		[TOPOLOGY_CA] = "ca", [TOPOLOGY_SWITCH] = "switch", [TOPOLOGY_ROUTER] = "rt",
	};
	static const char *const kinds[] = {
		[TOPOLOGY_CA] = "Ca", [TOPOLOGY_SWITCH] = "Switch", [TOPOLOGY_ROUTER] = "Rt",
	};

	printf("\nvendid=0x%x\ndevid=0x%x\nsysimgguid=0x%" G_GINT64_MODIFIER "x\n", node->vendor_id,
	       node->device_id, node->sys_image_guid);
	printf("%sguid=0x%" G_GINT64_MODIFIER "x", guids[node->kind], node->node_guid);
	if (node->kind == TOPOLOGY_SWITCH)
		printf("(%" G_GINT64_MODIFIER "x)", node->ports[0].guid);
	printf("\n%s\t%u \"%c-%016" G_GINT64_MODIFIER "x\"\t\t# \"%s\"", kinds[node->kind],
	       node->port_count, letters[node->kind], node->node_guid, node->description);
	if (node->kind == TOPOLOGY_SWITCH)
		printf(" %s port 0 lid %u lmc %u", node->enhanced_port0 ? "enhanced" : "base",
		       node->ports[0].lid, node->ports[0].lmc);
	printf("\n");
	for (unsigned int num = 1; num <= node->port_count; num++)
		print_port(topology, node, num);
}

int main(int argc, char **argv)
{
	GArray *diagnostics;

	if (argc != 2) {
		fprintf(stderr, "usage: topology-print FILE\n");
		return 2;
	}

	struct topology *topology = topology_load(argv[1], &diagnostics);

	for (unsigned int i = 0; i < diagnostics->len; i++) {
		char *text = topology_diagnostic_format(
			&g_array_index(diagnostics, struct topology_diagnostic, i));

		fprintf(stderr, "%s\n", text);
		g_free(text);
	}
	topology_diagnostics_free(diagnostics);
	if (!topology)
		return 1;
	for (unsigned int i = 0; i < topology->nodes->len; i++)
		print_node(topology, topology_node(topology, (int)i));
	topology_free(topology);
	return 0;
}

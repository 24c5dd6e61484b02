/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever a model contains, the box made from it has ports that lead somewhere and
 * back, and nothing is endless.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/topology/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

static const char given[] = "Box X CFG: leaf2=12x,leaf3=R\n L1/P1 -> MTS800 S P1\n"
	" P1 -4x-5G-> MTS800 S P2\n L2/P1-12x -12x-> MTS800 S P3\n\nMTS800 S\n";

/* One directory for all inputs; it is removed when the program ends. */
static const char *model_path(void)
{
	static char *directory;
	static char path[200];

	if (directory)
		return path;
	directory = g_dir_make_tmp("umadrig-ibnl-XXXXXX", NULL);
	CHECK(directory);
	g_snprintf(path, sizeof(path), "%s/box.ibnl", directory);
	g_setenv("UMADRIG_IBNL", directory, true);
	return path;
}

static void model_remove(void)
{
	const char *path = model_path();
	char *directory = g_path_get_dirname(path);

	remove(path);
	remove(directory);
	g_free(directory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool once;
	struct topology *topology;
	FILE *file = fopen(model_path(), "w");

	if (!once)
		atexit(model_remove);
	once = true;
	CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
	topology = topology_parse(given, strlen(given), "nowhere/given", NULL);
	CHECK(topology);
	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		CHECK(node->node_guid && strlen(node->description) <= TOPOLOGY_DESCRIPTION_MAX);
		for (unsigned int num = 1; num <= node->port_count; num++) {
			const struct topology_port *port = &node->ports[num], *peer;

			if (port->peer_node < 0)
				continue;
			peer = &topology_node(topology, port->peer_node)->ports[port->peer_port];
			CHECK(peer->peer_node == (int)i && peer->peer_port == num);
		}
	}
	topology_free(topology);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Generated fabrics with planes: every HCA has a port for each plane, and every switch is a box
 * with a chip for each, which have nothing to do with each other: a plane is a fabric of its own
 * that all HCAs are on.
 *
 * A shape makes the first plane; the others are copies of it, behind the HCAs.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/shape.h"

/* "MF0;leaf-1:Q3400/U1" becomes "MF0;leaf-1:Q3400/U2", "leaf-1 plane-1" "leaf-1 plane-2". */
static char *plane_description(const char *first, unsigned int plane)
{
	size_t size = strlen(first) - 1;	/* without the 1 */

	return g_strdup_printf("%.*s%u", (int)size, first, plane);
}

/* The chip of another plane in the box of switch 'first'; its ports are not cabled yet. */
static int copy_switch(struct generate *generate, int first, unsigned int plane)
{
	g_autofree char *description =
		plane_description(topology_node(generate->topology, first)->description, plane);

	return generate_chip(generate, first, description);
}

/* The cables of the first plane's switch 'first' to other switches and to HCAs. */
static void copy_cables(struct generate *generate, const int *chips, int first, unsigned int plane)
{
	const struct topology_node *sw = topology_node(generate->topology, first);

	for (unsigned int num = 1; num <= sw->port_count; num++) {
		int peer = sw->ports[num].peer_node;
		unsigned int peer_port = sw->ports[num].peer_port;

		if (peer < 0)
			continue;
		if (topology_node(generate->topology, peer)->kind == TOPOLOGY_CA)
			generate_cable(generate, chips[first], num, peer, plane);
		else if (peer > first || (peer == first && peer_port > num))
			generate_cable(generate, chips[first], num, chips[peer], peer_port);
	}
}

void generate_planes(struct generate *generate)
{
	unsigned int count = generate->topology->nodes->len;
	g_autofree int *chips = g_new(int, count);

	for (unsigned int plane = 2; plane <= generate->style.planes; plane++) {
		for (unsigned int i = 0; i < count; i++) {
			if (topology_node(generate->topology, (int)i)->kind == TOPOLOGY_SWITCH)
				chips[i] = copy_switch(generate, (int)i, plane);
		}
		for (unsigned int i = 0; i < count; i++) {
			if (topology_node(generate->topology, (int)i)->kind == TOPOLOGY_SWITCH)
				copy_cables(generate, chips, (int)i, plane);
		}
	}
}

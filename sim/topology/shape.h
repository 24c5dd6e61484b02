/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the generators of each shape share.
 *
 * A generator checks its numbers before it makes anything; then it makes all switches, then the
 * hosts, and cables them. Of what make all that is, and how much each host has, is in the style
 * (sim/topology/style.h).
 */
#ifndef UMADRIG_SIM_TOPOLOGY_SHAPE_H
#define UMADRIG_SIM_TOPOLOGY_SHAPE_H

#include "sim/topology/style.h"
#include "sim/topology/topology.h"

enum { GENERATE_NUMBERS_MAX = 5 };

/* A fabric that is being made. */
struct generate {
	struct topology *topology;
	struct generate_style style;
	unsigned int count;			/* of the numbers after the shape's name */
	unsigned int at[GENERATE_NUMBERS_MAX];
};

/*
 * Each shape, in a file of its own: fills an empty topology, without aggregation nodes and LIDs. 0,
 * or -EINVAL with a message in '*reterr', to be freed with g_free(); the topology is then still
 * empty.
 */
typedef int generate_fn(struct generate *generate, char **reterr);
generate_fn topology_generate_fat_tree, topology_generate_torus, topology_generate_dragonfly,
	topology_generate_rail;

/*
 * A new node's index; 'format' makes its name, of which the style makes the description. All
 * switches come before the first host. There may be one more port than 'port_count', for the
 * aggregation node.
 */
int generate_switch(struct generate *generate, unsigned int port_count, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
/* A switch like 'first', in the same box: its index. */
int generate_chip(struct generate *generate, int first, const char *description);
/* A host with 'adapters' HCAs: the index of the first, which the others follow. */
int generate_host(struct generate *generate, unsigned int adapters, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Both ports must be free. */
void generate_cable(struct generate *generate, int a, unsigned int a_port, int b,
		    unsigned int b_port);
/*
 * Cables all ports of the host that begins at 'host' with 'adapters' HCAs, adapter by adapter, to
 * the ports of a switch from 'first_port' on. Returns the next port.
 */
unsigned int generate_plug_host(struct generate *generate, int host, unsigned int adapters,
				int at_switch, unsigned int first_port);

/* The ports of one host, if it has all adapters. */
static inline unsigned int generate_host_ports(const struct generate *generate)
{
	return generate->style.adapters * generate->style.adapter_ports;
}

/* The other planes, behind the hosts: sim/topology/generate-planes.c. */
void generate_planes(struct generate *generate);

/*
 * The other subnets, copies of the first, and the routers, behind all else. -EINVAL and a message
 * if no port is left for a router. In sim/topology/generate-subnets.c.
 */
int generate_subnets(struct generate *generate, char **reterr);

/* A copy of a node, with GUIDs of its own, without cables; its index. */
int generate_copy(struct generate *generate, int first);

/* A new router's index. */
int generate_router(struct generate *generate, unsigned int port_count, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Is it what generate_aggregation_nodes() makes? */
bool generate_is_aggregation_node(const struct topology_node *node);

/* The aggregation nodes of all switches, behind the planes. */
void generate_aggregation_nodes(struct generate *generate);

/*
 * -EINVAL and a message unless there are LIDs for so many switches and adapters, and switches with
 * so many ports.
 */
int generate_check_size(const struct generate *generate, uint64_t switches, uint64_t adapters,
			uint64_t ports, char **reterr);

#endif

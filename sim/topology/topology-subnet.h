/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnets of a topology: what one subnet manager could reach. Cables and switches join end
 * ports; a router, and an HCA with ports in several subnets, does not (IBA vol 1, 3.2.1.2). All
 * planes of an HCA are one end port, so they join the switches that they lead to.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_TOPOLOGY_SUBNET_H
#define UMADRIG_SIM_TOPOLOGY_TOPOLOGY_SUBNET_H

#include "sim/topology/topology.h"

/* An end port: port 0 of a switch, any port of others; of planes the first. */
struct topology_end {
	struct topology_node *node;
	uint8_t num;
};

struct topology_subnets {
	struct topology_end *ends;	/* all, by subnet; those of one in order of nodes */
	unsigned int *first;	/* by subnet: its first one in 'ends'; then how many there are */
	unsigned int count;	/* of subnets */
};

/*
 * Numbers the subnets from 0, in the order of their first end ports, and sets 'subnet' of each end
 * port. To be cleared with topology_subnets_clear().
 */
void topology_subnets_find(struct topology *topology, struct topology_subnets *ret_subnets);
void topology_subnets_clear(struct topology_subnets *subnets);

/* The port of an end. */
static inline struct topology_port *topology_end_port(const struct topology_end *end)
{
	return &end->node->ports[end->num];
}

#endif

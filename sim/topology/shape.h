/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the generators of each shape share.
 *
 * A generator checks its numbers before it makes anything; then it makes all switches, then the
 * hosts, and cables them. All nodes are of one make: HDR switches and ConnectX-6 adapters with one
 * port.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_SHAPE_H
#define UMADRIG_SIM_TOPOLOGY_SHAPE_H

#include "sim/topology/topology.h"

enum { GENERATE_NUMBERS_MAX = 5 };

/* The numbers after a shape's name. */
struct generate_numbers {
	unsigned int count;
	unsigned int at[GENERATE_NUMBERS_MAX];
};

/*
 * Each shape, in a file of its own: fills an empty topology, without LIDs. 0, or -EINVAL with a
 * message in '*reterr', to be freed with g_free(); the topology is then still empty.
 */
int topology_generate_fat_tree(struct topology *topology, const struct generate_numbers *numbers,
			       char **reterr);
int topology_generate_torus(struct topology *topology, const struct generate_numbers *numbers,
			    char **reterr);
int topology_generate_dragonfly(struct topology *topology, const struct generate_numbers *numbers,
				char **reterr);

/* A new node's index; 'format' makes its description. All switches come before the first host. */
int generate_switch(struct topology *topology, unsigned int port_count, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
/* A host with one adapter: the description is "HOST HCA-1". */
int generate_host(struct topology *topology, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Both ports must be free. */
void generate_cable(struct topology *topology, int a, unsigned int a_port, int b,
		    unsigned int b_port);

/*
 * -EINVAL and a message unless there are LIDs for so many nodes, and switches with so many ports.
 */
int generate_check_size(uint64_t switches, uint64_t hosts, uint64_t ports, char **reterr);

#endif

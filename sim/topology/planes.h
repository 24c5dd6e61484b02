/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Planarized HCAs, whose ports are the planes of one port (sim/fabric/plane.h), in topologies.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_PLANES_H
#define UMADRIG_SIM_TOPOLOGY_PLANES_H

#include "sim/topology/topology.h"

struct topology_reader;

/*
 * To be called once a file is read: a CA several of whose ports have one GUID and one LID is
 * planarized, whether the file says so or not. Lets the planes share them.
 */
void topology_find_planes(struct topology_reader *reader);

/* Gives all planes the first one's LIDs. */
void topology_share_lid(struct topology_node *node);

/* Is it a plane that has its GUID and LIDs from another one? */
static inline bool topology_is_further_plane(const struct topology_node *node, unsigned int num)
{
	return node->planarized && num > 1;
}

#endif

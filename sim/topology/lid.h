/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* LIDs that a file does not give. */
#ifndef UMADRIG_SIM_TOPOLOGY_LID_H
#define UMADRIG_SIM_TOPOLOGY_LID_H

#include "sim/topology/topology.h"

/*
 * Assigns a free LID to every end port that needs one: ports of a subnet (topology-subnet.h) in
 * node order, lowest free LID (aligned to the port's LMC). The file's LIDs stay. A diagnostic says
 * if a subnet's 49,151 LIDs run out.
 */
void topology_assign_lids(struct topology *topology);

#endif

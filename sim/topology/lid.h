/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* LIDs that a file does not give. */
#ifndef UMADRIG_SIM_TOPOLOGY_LID_H
#define UMADRIG_SIM_TOPOLOGY_LID_H

#include "sim/topology/topology.h"

/*
 * Gives every end port that needs one a LID that nobody has: ports in node order, lowest free LID
 * (aligned to the port's LMC). LIDs the file gave stay. Diagnoses when the 49,151 run out.
 */
void topology_assign_lids(struct topology *topology);

#endif

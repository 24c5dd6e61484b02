/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Generated fabrics. A new shape is a file (sim/topology/shape.h says what shapes share) and a row
 * of the table in sim/topology/generate.c.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_GENERATE_H
#define UMADRIG_SIM_TOPOLOGY_GENERATE_H

#include "sim/topology/topology.h"

/*
 * Fills an empty topology with the fabric of 'spec' ("fat-tree:100,36,2,names=vendor"; options:
 * sim/topology/style.h), LIDs included. 0, or
 * -EINVAL with a message in '*reterr', to be freed; the topology is then still empty.
 */
int topology_generate(struct topology *topology, const char *spec, char **reterr);

/* Does the text begin with the name of a shape and a colon, "fat-tree:"? */
bool topology_begins_with_shape(const char *text);

#endif

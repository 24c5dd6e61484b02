/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parts of two fabrics: nodes, their end ports, and who is the subnet manager.
 */
#ifndef UMADRIG_SIM_FACTS_FACTS_PART_H
#define UMADRIG_SIM_FACTS_FACTS_PART_H

#include "sim/facts/facts-change.h"
#include "sim/facts/facts-pair.h"

/* Gone, new, renamed, of another device, with other firmware. */
void facts_compare_nodes(const struct facts_pair *pair, struct facts_changes *changes);
/* LIDs and P_Keys. */
void facts_compare_ports(const struct facts_pair *pair, struct facts_changes *changes);
void facts_compare_sm(const struct facts_pair *pair, struct facts_changes *changes);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ways of packets in two fabrics, by their forwarding tables: which pairs of end ports have
 * another one. A way is another one where a switch sends by another port, or its cable leads
 * elsewhere.
 */
#ifndef UMADRIG_SIM_FACTS_FACTS_WAY_H
#define UMADRIG_SIM_FACTS_FACTS_WAY_H

#include "sim/facts/facts-change.h"
#include "sim/facts/facts-pair.h"

void facts_compare_ways(const struct facts_pair *pair, struct facts_changes *changes);

#endif

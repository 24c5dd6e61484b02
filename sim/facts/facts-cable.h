/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The cables of two fabrics: moved, gone, new, or of another width or speed.
 */
#ifndef UMADRIG_SIM_FACTS_FACTS_CABLE_H
#define UMADRIG_SIM_FACTS_FACTS_CABLE_H

#include "sim/facts/facts-change.h"
#include "sim/facts/facts-pair.h"

void facts_compare_cables(const struct facts_pair *pair, struct facts_changes *changes);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Two fabrics, compared: what is known of both, by node, cable, port and route.
 */
#ifndef UMADRIG_SIM_FACTS_FACTS_COMPARE_H
#define UMADRIG_SIM_FACTS_FACTS_COMPARE_H

#include "sim/facts/facts-change.h"
#include "sim/facts/facts.h"

/* All changes. 'routes_max': of so many changed routes the list has the way. Never NULL. */
struct facts_changes *facts_compare(const struct fabric_facts *a, const struct fabric_facts *b,
				    size_t routes_max);

#endif

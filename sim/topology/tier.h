/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tiers of switches that shapes with a tree of them share: half of each switch's ports go down,
 * half up, so that nothing is oversubscribed.
 *
 * Two levels: leaves, and spines; every leaf has cables to every spine. Three levels: pods of half
 * a radix of edge switches and as many aggregation switches, each joined to each; aggregation
 * switch J of each pod is cabled to the J-th group of cores, by several cables to each where there
 * is room. There are no more cores than the pods keep busy.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_TIER_H
#define UMADRIG_SIM_TOPOLOGY_TIER_H

#include "sim/topology/shape.h"

struct tiers {
	unsigned int radix, levels;	/* 2 or 3 */
	unsigned int edges;		/* switches with hosts, made before: the first indices */
	unsigned int spines;		/* two levels: they divide half the radix */
	const char *pod;		/* three levels: "pod" in "pod-0 aggregation-1" */
	const char *aggregation;	/* and "aggregation" */
};

/* How many edge switches so many levels join. */
uint64_t tiers_edges_max(unsigned int radix, unsigned int levels);

/* How many switches there are, with the edges. */
uint64_t tiers_switches(const struct tiers *tiers);

/* Makes the switches above the edges, and their cables. */
void tiers_make(struct generate *generate, const struct tiers *tiers);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Tiers of switches above those with hosts. See sim/topology/tier.h. */
#include "config.h"

#include "sim/topology/tier.h"

static unsigned int quotient_up(unsigned int a, unsigned int b)
{
	return (a + b - 1) / b;
}

static unsigned int pod_count(const struct tiers *tiers)
{
	return quotient_up(tiers->edges, tiers->radix / 2);
}

/* Cores that one aggregation switch of a pod reaches. */
static unsigned int group_size(const struct tiers *tiers)
{
	return quotient_up(pod_count(tiers) * (tiers->radix / 2), tiers->radix);
}

uint64_t tiers_edges_max(unsigned int radix, unsigned int levels)
{
	return levels == 2 ? radix : (uint64_t)radix * (radix / 2);
}

uint64_t tiers_switches(const struct tiers *tiers)
{
	uint64_t half = tiers->radix / 2;

	if (tiers->levels == 2)
		return (uint64_t)tiers->edges + tiers->spines;
	return tiers->edges + pod_count(tiers) * half + half * group_size(tiers);
}

/* Up-ports follow the down-ports. */
static void two_levels(struct generate *generate, const struct tiers *tiers)
{
	unsigned int half = tiers->radix / 2, cables = half / tiers->spines;

	for (unsigned int spine = 0; spine < tiers->spines; spine++) {
		int index = generate_switch(generate, tiers->radix, "spine-%u", spine);

		for (unsigned int leaf = 0; leaf < tiers->edges; leaf++)
			for (unsigned int i = 0; i < cables; i++)
				generate_cable(generate, (int)leaf, half + 1 + spine * cables + i,
					       index, leaf * cables + i + 1);
	}
}

/* Those of a pod to its edges, and then to the cores. */
static void cable_aggregation(struct generate *generate, const struct tiers *tiers,
			      unsigned int number, unsigned int *used)
{
	unsigned int half = tiers->radix / 2, pod = number / half, j = number % half;
	unsigned int group = group_size(tiers);
	unsigned int first_core = tiers->edges + pod_count(tiers) * half;
	int aggregation = (int)(tiers->edges + number);

	for (unsigned int e = 0; e < half && pod * half + e < tiers->edges; e++)
		generate_cable(generate, (int)(pod * half + e), half + 1 + j, aggregation, e + 1);
	for (unsigned int up = 0; up < half; up++) {
		unsigned int core = j * group + (pod * half + up) % group;

		generate_cable(generate, aggregation, half + 1 + up, (int)(first_core + core),
			       ++used[core]);
	}
}

static void three_levels(struct generate *generate, const struct tiers *tiers)
{
	unsigned int half = tiers->radix / 2, group = group_size(tiers);
	unsigned int aggregations = pod_count(tiers) * half, core_count = half * group;
	unsigned int *used = g_new0(unsigned int, core_count);	/* ports of each core */

	for (unsigned int i = 0; i < aggregations; i++)
		generate_switch(generate, tiers->radix, "%s-%u %s-%u", tiers->pod, i / half,
				tiers->aggregation, i % half);
	for (unsigned int i = 0; i < core_count; i++)
		generate_switch(generate, tiers->radix, "core-%u-%u", i / group, i % group);
	for (unsigned int i = 0; i < aggregations; i++)
		cable_aggregation(generate, tiers, i, used);
	g_free(used);
}

void tiers_make(struct generate *generate, const struct tiers *tiers)
{
	if (tiers->levels == 2)
		two_levels(generate, tiers);
	else
		three_levels(generate, tiers);
}

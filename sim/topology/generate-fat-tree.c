/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fat trees without oversubscription: half of each switch's ports go down, half up.
 *
 * Two levels: leaves, and spines; every leaf has cables to every spine. Three levels: pods of edge
 * and aggregation switches; aggregation switch J of each pod is cabled to the J-th group of cores,
 * by several cables to each where there is room. Only what the hosts need is made: pods and leaves
 * are filled one after the other, and there are no more cores than the pods keep busy.
 */
#include "config.h"

#include <errno.h>

#include "sim/topology/shape.h"

#define RADIX_USUAL 36

struct fat_tree {
	unsigned int hosts, radix, levels;
	unsigned int half;		/* of a switch's ports */
	unsigned int edges;		/* switches with hosts */
	unsigned int pods;		/* three levels */
	unsigned int group;		/* cores that one aggregation switch of a pod reaches */
};

static unsigned int quotient_up(unsigned int a, unsigned int b)
{
	return (a + b - 1) / b;
}

static uint64_t hosts_max(const struct fat_tree *tree)
{
	uint64_t two_levels = (uint64_t)tree->half * tree->radix;

	return tree->levels == 2 ? two_levels : two_levels * tree->half;
}

static int check(const struct fat_tree *tree, char **reterr)
{
	uint64_t switches = tree->levels == 2 ? (uint64_t)tree->edges + tree->half :
		(uint64_t)tree->edges + (uint64_t)tree->pods * tree->half +
		(uint64_t)tree->half * tree->group;

	if (!tree->hosts || tree->levels < 2 || tree->levels > 3) {
		*reterr = g_strdup("a fat tree has at least 1 HCA, and 2 or 3 levels");
		return -EINVAL;
	}
	if (tree->hosts > hosts_max(tree)) {
		*reterr = g_strdup_printf("%u levels of switches with %u ports hold %"
					  G_GUINT64_FORMAT " HCAs, not %u", tree->levels,
					  tree->radix, hosts_max(tree), tree->hosts);
		return -EINVAL;
	}
	return generate_check_size(switches, tree->hosts, tree->radix, reterr);
}

/* Up-ports follow the down-ports. */
static void two_levels(struct topology *topology, const struct fat_tree *tree)
{
	for (unsigned int leaf = 0; leaf < tree->edges; leaf++)
		generate_switch(topology, tree->radix, "leaf-%u", leaf);
	for (unsigned int spine = 0; spine < tree->half; spine++) {
		int index = generate_switch(topology, tree->radix, "spine-%u", spine);

		for (unsigned int leaf = 0; leaf < tree->edges; leaf++)
			generate_cable(topology, (int)leaf, tree->half + 1 + spine, index,
				       leaf + 1);
	}
}

/* Edge switches have the first indices, so that hosts find them in the same way in both shapes. */
static void three_levels(struct topology *topology, const struct fat_tree *tree)
{
	unsigned int half = tree->half, first_core = tree->edges + tree->pods * half;
	unsigned int core_count = half * tree->group;
	unsigned int *used = g_new0(unsigned int, core_count);	/* ports of each core */

	for (unsigned int edge = 0; edge < tree->edges; edge++)
		generate_switch(topology, tree->radix, "pod-%u edge-%u", edge / half, edge % half);
	for (unsigned int i = 0; i < tree->pods * half; i++)
		generate_switch(topology, tree->radix, "pod-%u aggregation-%u", i / half, i % half);
	for (unsigned int i = 0; i < core_count; i++)
		generate_switch(topology, tree->radix, "core-%u-%u", i / tree->group,
				i % tree->group);
	for (unsigned int i = 0; i < tree->pods * half; i++) {
		unsigned int pod = i / half, j = i % half;
		int aggregation = (int)(tree->edges + i);

		for (unsigned int e = 0; e < half && pod * half + e < tree->edges; e++)
			generate_cable(topology, (int)(pod * half + e), half + 1 + j, aggregation,
				       e + 1);
		for (unsigned int up = 0; up < half; up++) {
			unsigned int core = j * tree->group + (pod * half + up) % tree->group;

			generate_cable(topology, aggregation, half + 1 + up,
				       (int)(first_core + core), ++used[core]);
		}
	}
	g_free(used);
}

int topology_generate_fat_tree(struct topology *topology, const struct generate_numbers *numbers,
			       char **reterr)
{
	struct fat_tree tree = {
		.hosts = numbers->at[0],
		.radix = numbers->count > 1 ? numbers->at[1] : RADIX_USUAL,
		.levels = 2,
	};

	if (tree.radix < 4 || tree.radix % 2) {
		*reterr = g_strdup_printf("switches with %u ports: half go up, half down, so RADIX "
					  "is even and at least 4", tree.radix);
		return -EINVAL;
	}
	tree.half = tree.radix / 2;
	if (numbers->count > 2)
		tree.levels = numbers->at[2];
	else if (tree.hosts > hosts_max(&tree))
		tree.levels = 3;
	tree.edges = quotient_up(tree.hosts, tree.half);
	tree.pods = quotient_up(tree.edges, tree.half);
	tree.group = quotient_up(tree.pods * tree.half, tree.radix);

	int ret = check(&tree, reterr);

	if (ret < 0)
		return ret;
	if (tree.levels == 2)
		two_levels(topology, &tree);
	else
		three_levels(topology, &tree);
	for (unsigned int i = 0; i < tree.hosts; i++)
		generate_cable(topology, generate_host(topology, "host-%u", i), 1,
			       (int)(i / tree.half), i % tree.half + 1);
	return 0;
}

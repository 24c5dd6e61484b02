/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fat trees without oversubscription (sim/topology/tier.h), of two or three levels. Only what the
 * hosts need is made: pods and leaves are filled one after the other.
 *
 * The ports of a host's adapters are cabled to one port of a leaf after the other.
 */
#include "config.h"

#include <errno.h>

#include "sim/topology/tier.h"

#define RADIX_USUAL 36

struct fat_tree {
	unsigned int adapters;
	unsigned int half;		/* of a switch's ports */
	struct tiers tiers;
};

static uint64_t adapters_max(const struct generate *generate, const struct fat_tree *tree)
{
	return tiers_edges_max(tree->tiers.radix, tree->tiers.levels) * tree->half /
	       generate->style.adapter_ports;
}

static int check(const struct generate *generate, const struct fat_tree *tree, char **reterr)
{
	const struct tiers *tiers = &tree->tiers;

	if (!tree->adapters || tiers->levels < 2 || tiers->levels > 3) {
		*reterr = g_strdup("a fat tree has at least 1 HCA, and 2 or 3 levels");
		return -EINVAL;
	}
	if (tree->adapters > adapters_max(generate, tree)) {
		*reterr = g_strdup_printf("%u levels of switches with %u ports hold %"
					  G_GUINT64_FORMAT " HCAs, not %u", tiers->levels,
					  tiers->radix, adapters_max(generate, tree),
					  tree->adapters);
		return -EINVAL;
	}
	return generate_check_size(generate, tiers_switches(tiers), tree->adapters, tiers->radix,
				   reterr);
}

static void make_edges(struct generate *generate, const struct fat_tree *tree)
{
	const struct tiers *tiers = &tree->tiers;

	for (unsigned int edge = 0; edge < tiers->edges; edge++) {
		if (tiers->levels == 2)
			generate_switch(generate, tiers->radix, "leaf-%u", edge);
		else
			generate_switch(generate, tiers->radix, "pod-%u edge-%u",
					edge / tree->half, edge % tree->half);
	}
}

static void make_hosts(struct generate *generate, const struct fat_tree *tree)
{
	unsigned int each = generate->style.adapters, ports = generate->style.adapter_ports;
	unsigned int end = 0;		/* counts the ports of edges that hosts may have */

	for (unsigned int i = 0; i < tree->adapters; i += each) {
		unsigned int adapters = MIN(each, tree->adapters - i);
		int host = generate_host(generate, adapters, "host-%u", i / each);

		for (unsigned int at = 0; at < adapters * ports; at++, end++)
			generate_cable(generate, host + (int)(at / ports), at % ports + 1,
				       (int)(end / tree->half), end % tree->half + 1);
	}
}

int topology_generate_fat_tree(struct generate *generate, char **reterr)
{
	struct fat_tree tree = {
		.adapters = generate->at[0],
		.tiers = {
			.radix = generate->count > 1 ? generate->at[1] : RADIX_USUAL,
			.levels = 2, .pod = "pod", .aggregation = "aggregation",
		},
	};
	struct tiers *tiers = &tree.tiers;
	uint64_t ends = (uint64_t)tree.adapters * generate->style.adapter_ports;
	int ret;

	if (tiers->radix < 4 || tiers->radix % 2) {
		*reterr = g_strdup_printf("switches with %u ports: half go up, half down, so RADIX "
					  "is even and at least 4", tiers->radix);
		return -EINVAL;
	}
	tree.half = tiers->spines = tiers->radix / 2;
	if (generate->count > 2)
		tiers->levels = generate->at[2];
	else if (tree.adapters > adapters_max(generate, &tree))
		tiers->levels = 3;
	tiers->edges = (unsigned int)((ends + tree.half - 1) / tree.half);
	ret = check(generate, &tree, reterr);
	if (ret < 0)
		return ret;
	make_edges(generate, &tree);
	tiers_make(generate, tiers);
	make_hosts(generate, &tree);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rail-optimized fat trees: every host has an HCA for each rail, and the HCAs of one rail share a
 * leaf, so that GPUs of the same number are one switch apart in whatever host of a pod they are.
 *
 * A pod, or scalable unit, has a leaf for each rail and as many hosts as those have room for, half
 * a radix; hosts are dealt to the pods evenly. HCA R of each host of pod P is cabled to the leaf
 * of rail R in that pod.
 *
 * Above the leaves is a fat tree without oversubscription (sim/topology/tier.h). Up to as many
 * leaves as a switch has ports are joined by spines, of which there are as few as have the ports
 * for all cables upwards, and as divide those of a leaf evenly: with 64 ports and 8 rails 4 spines
 * for one pod, 16 for four, 32 for eight. More leaves are joined in groups of half a radix leaves
 * and spines, and those by cores.
 */
#include "config.h"

#include <errno.h>

#include "sim/topology/tier.h"

struct rails {
	unsigned int hosts, rails, pods;
	unsigned int room;		/* hosts that a leaf has ports for */
	struct tiers tiers;
};

static unsigned int quotient_up(unsigned int a, unsigned int b)
{
	return (a + b - 1) / b;
}

static unsigned int spines_least(const struct tiers *tiers)
{
	unsigned int half = tiers->radix / 2, spines = 1;

	while (half % spines || tiers->edges * (half / spines) > tiers->radix)
		spines++;
	return spines;
}

static int check_numbers(const struct rails *rails, char **reterr)
{
	unsigned int radix = rails->tiers.radix;

	if (radix < 4 || radix % 2) {
		*reterr = g_strdup_printf("switches with %u ports: half go up, half down, so RADIX "
					  "is even and at least 4", radix);
		return -EINVAL;
	}
	if (!rails->hosts || !rails->rails || rails->rails > GENERATE_ADAPTERS_MAX) {
		*reterr = g_strdup_printf("a host has 1 to %d rails, and there is at least 1 host",
					  GENERATE_ADAPTERS_MAX);
		return -EINVAL;
	}
	return 0;
}

static int check_pods(const struct rails *rails, char **reterr)
{
	const struct tiers *tiers = &rails->tiers;
	uint64_t leaves = (uint64_t)rails->pods * rails->rails;

	if (!rails->pods || rails->pods > rails->hosts) {
		*reterr = g_strdup_printf("%u hosts make 1 to %u pods, not %u", rails->hosts,
					  rails->hosts, rails->pods);
		return -EINVAL;
	}
	if (quotient_up(rails->hosts, rails->pods) > rails->room) {
		*reterr = g_strdup_printf("%u hosts in %u pod%s: a pod of switches with %u ports "
					  "has room for %u hosts; write more PODS, or none",
					  rails->hosts, rails->pods, rails->pods == 1 ? "" : "s",
					  tiers->radix, rails->room);
		return -EINVAL;
	}
	if (leaves > tiers_edges_max(tiers->radix, 3)) {
		*reterr = g_strdup_printf("%" G_GUINT64_FORMAT " leaves: 3 levels of switches with "
					  "%u ports join %" G_GUINT64_FORMAT, leaves, tiers->radix,
					  tiers_edges_max(tiers->radix, 3));
		return -EINVAL;
	}
	return 0;
}

static void make_leaves(struct generate *generate, const struct rails *rails)
{
	for (unsigned int pod = 0; pod < rails->pods; pod++)
		for (unsigned int rail = 0; rail < rails->rails; rail++)
			generate_switch(generate, rails->tiers.radix, "pod-%u leaf-%u", pod, rail);
}

/* The first pods have one host more where the number does not divide evenly. */
static void make_hosts(struct generate *generate, const struct rails *rails)
{
	unsigned int number = 0, ports = generate->style.adapter_ports;

	for (unsigned int pod = 0; pod < rails->pods; pod++) {
		unsigned int count = rails->hosts / rails->pods +
				     (pod < rails->hosts % rails->pods);

		for (unsigned int h = 0; h < count; h++) {
			int host = generate_host(generate, rails->rails, "host-%u", number++);

			for (unsigned int rail = 0; rail < rails->rails; rail++)
				generate_plug_host(generate, host + (int)rail, 1,
						   (int)(pod * rails->rails + rail),
						   h * ports + 1);
		}
	}
}

int topology_generate_rail(struct generate *generate, char **reterr)
{
	struct rails rails = {
		.hosts = generate->at[0], .rails = generate->at[1],
		.tiers = {
			.radix = generate->at[2], .levels = 2, .pod = "group",
			.aggregation = "spine",
		},
	};
	struct tiers *tiers = &rails.tiers;
	int ret = check_numbers(&rails, reterr);

	if (ret < 0)
		return ret;
	rails.room = tiers->radix / 2 / generate->style.adapter_ports;
	rails.pods = generate->count > 3 ? generate->at[3] : quotient_up(rails.hosts, rails.room);
	ret = check_pods(&rails, reterr);
	if (ret < 0)
		return ret;
	tiers->edges = rails.pods * rails.rails;
	if (tiers->edges > tiers->radix)
		tiers->levels = 3;
	else
		tiers->spines = spines_least(tiers);
	ret = generate_check_size(generate, tiers_switches(tiers),
				  (uint64_t)rails.hosts * rails.rails, tiers->radix, reterr);
	if (ret < 0)
		return ret;
	make_leaves(generate, &rails);
	tiers_make(generate, tiers);
	make_hosts(generate, &rails);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Dragonfly+: groups of leaves and spines. Every leaf of a group is cabled to each of its spines,
 * and every two groups are joined by the same number of cables, dealt out to the spines in turn.
 *
 * Ports: a leaf has its hosts first, then its spines; a spine its leaves, then other groups.
 */
#include "config.h"

#include <errno.h>

#include "sim/topology/shape.h"

struct dragonfly {
	unsigned int groups, leaves, spines;		/* leaves and spines in a group */
	unsigned int hosts;				/* at a leaf */
	unsigned int host_ports;			/* of each */
	unsigned int cables;				/* between two groups */
	unsigned int leaf_ports, spine_ports;
};

static int leaf_index(const struct dragonfly *fly, unsigned int group, unsigned int leaf)
{
	return (int)(group * (fly->leaves + fly->spines) + leaf);
}

static int spine_index(const struct dragonfly *fly, unsigned int group, unsigned int spine)
{
	return leaf_index(fly, group, fly->leaves + spine);
}

static void make_group(struct generate *generate, const struct dragonfly *fly, unsigned int group)
{
	for (unsigned int leaf = 0; leaf < fly->leaves; leaf++)
		generate_switch(generate, fly->leaf_ports, "group-%u leaf-%u", group, leaf);
	for (unsigned int spine = 0; spine < fly->spines; spine++)
		generate_switch(generate, fly->spine_ports, "group-%u spine-%u", group, spine);
	for (unsigned int leaf = 0; leaf < fly->leaves; leaf++)
		for (unsigned int spine = 0; spine < fly->spines; spine++)
			generate_cable(generate, leaf_index(fly, group, leaf),
				       fly->hosts * fly->host_ports + 1 + spine,
				       spine_index(fly, group, spine), leaf + 1);
}

/* The end in 'group' of cable 'i' to 'other': returns its spine, and the port in '*ret_port'. */
static int global_end(const struct dragonfly *fly, unsigned int group, unsigned int other,
		      unsigned int i, unsigned int *ret_port)
{
	/* The cable's number among all that leave the group. */
	unsigned int number = (other < group ? other : other - 1) * fly->cables + i;

	*ret_port = fly->leaves + 1 + number / fly->spines;
	return spine_index(fly, group, number % fly->spines);
}

static void join_groups(struct generate *generate, const struct dragonfly *fly, unsigned int a,
			unsigned int b)
{
	for (unsigned int i = 0; i < fly->cables; i++) {
		unsigned int a_port, b_port;
		int a_spine = global_end(fly, a, b, i, &a_port);
		int b_spine = global_end(fly, b, a, i, &b_port);

		generate_cable(generate, a_spine, a_port, b_spine, b_port);
	}
}

static void make_hosts(struct generate *generate, const struct dragonfly *fly, unsigned int group)
{
	unsigned int adapters = generate->style.adapters;

	for (unsigned int leaf = 0; leaf < fly->leaves; leaf++) {
		for (unsigned int h = 0; h < fly->hosts; h++)
			generate_plug_host(generate,
					   generate_host(generate, adapters, "host-%u-%u-%u",
							 group, leaf, h),
					   adapters, leaf_index(fly, group, leaf),
					   h * fly->host_ports + 1);
	}
}

int topology_generate_dragonfly(struct generate *generate, char **reterr)
{
	struct dragonfly fly = {
		.groups = generate->at[0], .leaves = generate->at[1], .spines = generate->at[2],
		.hosts = generate->at[3], .host_ports = generate_host_ports(generate),
		.cables = generate->count > 4 ? generate->at[4] : generate->at[2],
	};

	if (!fly.groups || !fly.leaves || !fly.spines || !fly.cables) {
		*reterr = g_strdup("a dragonfly+ has at least 1 group, leaf, spine and cable");
		return -EINVAL;
	}

	uint64_t global = (uint64_t)(fly.groups - 1) * fly.cables;
	uint64_t leaf_ports = (uint64_t)fly.hosts * fly.host_ports + fly.spines;
	uint64_t spine_ports = fly.leaves + (global + fly.spines - 1) / fly.spines;
	uint64_t hosts = (uint64_t)fly.groups * fly.leaves * fly.hosts;
	int ret = generate_check_size(generate,
				      (uint64_t)fly.groups * (fly.leaves + fly.spines),
				      hosts * generate->style.adapters,
				      MAX(leaf_ports, spine_ports), reterr);

	if (ret < 0)
		return ret;
	fly.leaf_ports = (unsigned int)leaf_ports;
	fly.spine_ports = (unsigned int)spine_ports;
	for (unsigned int group = 0; group < fly.groups; group++)
		make_group(generate, &fly, group);
	for (unsigned int a = 0; a < fly.groups; a++)
		for (unsigned int b = a + 1; b < fly.groups; b++)
			join_groups(generate, &fly, a, b);
	for (unsigned int group = 0; group < fly.groups; group++)
		make_hosts(generate, &fly, group);
	return 0;
}

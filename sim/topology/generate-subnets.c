/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Generated fabrics of several subnets: each is a copy of what a shape makes, behind the one before
 * it, and routers have a port in each.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "sim/topology/shape.h"

#define VENDOR_PREFIX "MF0;"

/* ---- copies ---- */

/* "leaf-0" becomes "s2-leaf-0", "MF0;leaf-0:MQM9700/U1" "MF0;s2-leaf-0:MQM9700/U1". */
static char *own_description(const char *first, unsigned int subnet)
{
	const char *vendor = g_str_has_prefix(first, VENDOR_PREFIX) ? VENDOR_PREFIX : "";

	return g_strdup_printf("%ss%u-%s", vendor, subnet, first + strlen(vendor));
}

static void rename_node(struct generate *generate, struct topology_node *node,
			unsigned int subnet)
{
	g_autofree char *name = NULL;

	/* All of those call themselves alike. */
	if (generate_is_aggregation_node(node))
		return;
	name = own_description(node->description, subnet);
	node->description = g_string_chunk_insert(generate->topology->strings, name);
}

/* Copies nodes [0, count) behind all that there are. */
static void copy_subnet(struct generate *generate, unsigned int count)
{
	int first = (int)generate->topology->nodes->len;

	for (unsigned int i = 0; i < count; i++)
		generate_copy(generate, (int)i);
	for (unsigned int i = 0; i < count; i++) {
		const struct topology_node *from = topology_node(generate->topology, (int)i);

		for (unsigned int num = 1; num <= from->port_count; num++) {
			int peer = from->ports[num].peer_node;
			unsigned int peer_port = from->ports[num].peer_port;

			if (peer > (int)i || (peer == (int)i && peer_port > num))
				generate_cable(generate, first + (int)i, num, first + peer,
					       peer_port);
		}
	}
}

/* ---- routers ---- */

/* The first port of a switch of the subnet that has no cable. False: there is none. */
static bool find_port(const struct generate *generate, unsigned int first, unsigned int count,
		      int *ret_switch, unsigned int *ret_port)
{
	for (unsigned int i = first; i < first + count; i++) {
		const struct topology_node *node = topology_node(generate->topology, (int)i);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			if (node->kind != TOPOLOGY_SWITCH || node->ports[num].peer_node >= 0)
				continue;
			*ret_switch = (int)i;
			*ret_port = num;
			return true;
		}
	}
	return false;
}

/* Each router has a port in each subnet, which have 'count' nodes each. */
static int add_routers(struct generate *generate, unsigned int count, char **reterr)
{
	for (unsigned int i = 0; i < generate->style.routers; i++) {
		int router = generate_router(generate, generate->style.subnets, "router-%u", i);

		for (unsigned int subnet = 0; subnet < generate->style.subnets; subnet++) {
			unsigned int port;
			int at_switch;

			if (!find_port(generate, subnet * count, count, &at_switch, &port)) {
				*reterr = g_strdup("routers=: all ports of its switches have "
						   "cables; make the switches larger, or take "
						   "fewer hosts or routers");
				return -EINVAL;
			}
			generate_cable(generate, router, subnet + 1, at_switch, port);
		}
	}
	return 0;
}

int generate_subnets(struct generate *generate, char **reterr)
{
	unsigned int count = generate->topology->nodes->len, subnets = generate->style.subnets;
	GPtrArray *nodes = generate->topology->nodes;

	for (unsigned int subnet = 1; subnet < subnets; subnet++)
		copy_subnet(generate, count);
	for (unsigned int i = 0; subnets > 1 && i < nodes->len; i++)
		rename_node(generate, nodes->pdata[i], i / count + 1);
	return add_routers(generate, count, reterr);
}

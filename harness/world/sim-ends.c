/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which ports of a simulated fabric A and B are, and the addresses of ports.
 */
#include "harness/world/sim-world.h"

#include <errno.h>
#include <string.h>

#include "harness/world/sm-address.h"
#include "sim/topology/load.h"

static int port_address(struct umadrig_port *port, struct world_address *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->lid = umadrig_port_lid(port);
	ret->lmc = umadrig_port_lmc(port);
	ret->has_gid = umadrig_port_gid(port, 0, ret->gid) == 0;
	return 0;
}

int sim_address(struct world *world, const char *name, struct world_address *ret)
{
	struct world_sim *sim = sim_of(world);
	g_autofree char *node = NULL;
	struct umadrig_port *port;
	int number;

	if (strcmp(name, "self") == 0)
		return port_address(sim->ports[WORLD_SELF], ret);
	if (strcmp(name, "peer") == 0)
		return port_address(sim->ports[WORLD_PEER], ret);
	if (strcmp(name, "sm") == 0)
		return world_sm_address(world, ret);
	if (!world_port_parse(name, &node, &number))
		return -ENOENT;
	port = umadrig_port(sim->fabric, node, (unsigned int)number);
	return port ? port_address(port, ret) : -ENOENT;
}

/* The first port of a CA with a cable, or its first port. */
static int first_port(const struct topology_node *node)
{
	for (int i = 1; i <= node->port_count; i++) {
		if (node->ports[i].peer_node >= 0)
			return i;
	}
	return 1;
}

bool sim_choose_ports(const struct world_setup *setup, char *ret_ports[WORLD_ENDS],
		      char **reterr)
{
	GArray *diagnostics = NULL;
	struct topology *topology = topology_load(setup->topology, &diagnostics);
	bool is_lost;
	int found = 0;

	if (!topology) {
		const struct topology_diagnostic *last = &g_array_index(
			diagnostics, struct topology_diagnostic, diagnostics->len - 1);

		*reterr = topology_diagnostic_format(last);
		topology_diagnostics_free(diagnostics);
		return false;
	}
	for (guint i = 0; i < topology->nodes->len && found < WORLD_ENDS; i++) {
		const struct topology_node *node = topology->nodes->pdata[i];

		if (node->kind == TOPOLOGY_CA)
			ret_ports[found++] = g_strdup_printf("%s[%d]", node->id, first_port(node));
	}
	/* Adapters that are lost are missed where the fabric is made, which says why. */
	is_lost = topology_loss_is_great(&topology->loss) && !setup->partial;
	topology_free(topology);
	topology_diagnostics_free(diagnostics);
	if (found == WORLD_ENDS || is_lost)
		return true;
	*reterr = g_strdup_printf("%s: a scenario needs two channel adapters, and there are %d",
				  setup->topology, found);
	return false;
}

void sim_replayed_ports(struct umadrig_fabric *fabric, char *ret_ports[WORLD_ENDS])
{
	unsigned int num = 1;

	while (num < 255 && umadrig_port(fabric, "H1", num + 1))
		num++;
	ret_ports[WORLD_SELF] = g_strdup_printf("H1[%u]", num);
	ret_ports[WORLD_PEER] = g_strdup("captured[0]");
}

bool sim_take_port(struct world_sim *sim, enum world_end end, const char *name,
		   char **reterr)
{
	struct world *world = &sim->world;

	world->label[end] = g_strdup(name);
	if (!world_port_parse(name, &sim->nodes[end], &world->port[end])) {
		*reterr = g_strdup_printf("'%s' is not a port: expected \"NODE[N]\"", name);
		return false;
	}
	sim->ports[end] =
		umadrig_port(sim->fabric, sim->nodes[end], (unsigned int)world->port[end]);
	if (!sim->ports[end]) {
		*reterr = g_strdup_printf("the fabric has no port %s", name);
		return false;
	}
	world->ca[end] = g_strdup(umadrig_port_device(sim->ports[end]));
	return true;
}

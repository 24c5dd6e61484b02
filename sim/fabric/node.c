/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Making nodes of a topology, and their descriptions. See sim/fabric/node.h.
 */
#include "sim/fabric/node.h"

#include <glib.h>
#include <string.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/trap.h"
#include "sim/fabric/virtual-function.h"

static const struct topology_port *said_peer(const struct topology *topology,
					     const struct topology_port *said)
{
	const struct topology_node *node;

	if (said->peer_node < 0 || (unsigned int)said->peer_node >= topology->nodes->len)
		return NULL;
	node = g_ptr_array_index(topology->nodes, (unsigned int)said->peer_node);
	return said->peer_port <= node->port_count ? &node->ports[said->peer_port] : NULL;
}

static void node_init_ends(struct node *node, const struct topology_node *said)
{
	unsigned int first = node->sw ? 0 : 1, last = node->sw ? 0 : node->port_count;
	uint8_t ext_speeds = 0, widths = 0;

	for (unsigned int num = 1; num <= node->port_count; num++) {
		ext_speeds |= node->ports[num].speed_ext_supported;
		widths |= node->ports[num].width_supported;
	}
	node->ends = g_new0(struct end_port, last - first + 1);
	for (unsigned int num = first; num <= last; num++) {
		struct topology_port port = said->ports[num];

		/* A switch's only GUID is the node's. */
		if (node->sw && !port.guid)
			port.guid = node->node_guid;
		end_port_init(&node->ends[num - first], &node->ports[num], &port);
		end_port_set_speeds(&node->ends[num - first], widths, ext_speeds);
	}
}

struct node *node_new(struct umadrig_fabric *fabric, const struct topology *topology,
			     const struct topology_node *said)
{
	static const struct topology_port unsaid = { .peer_node = -1 };
	struct node *node = g_new0(struct node, 1);

	node->fabric = fabric;
	node->index = fabric->nodes->len;
	node->kind = said->kind;
	node->id = g_strdup(said->id);
	node->description = g_strdup(said->description ? said->description : said->id);
	node->device_name = g_strdup(said->device_name);
	node->node_guid = said->node_guid;
	node->sys_image_guid = said->sys_image_guid ? said->sys_image_guid : said->node_guid;
	node->vendor_id = said->vendor_id;
	node->device_id = said->device_id;
	node->revision = said->revision;
	node->port_count = said->port_count;
	node->enhanced_port0 = said->enhanced_port0;
	node->ports = g_new0(struct port, said->port_count + 1U);
	if (node->kind == TOPOLOGY_SWITCH)
		switch_init(node);
	port_init(node, 0, &unsaid, NULL);
	for (unsigned int num = 1; num <= node->port_count; num++)
		port_init(node, num, &said->ports[num], said_peer(topology, &said->ports[num]));
	node_init_ends(node, said);
	return node;
}

void node_free(struct node *node)
{
	for (unsigned int num = 0; num <= node->port_count; num++)
		port_free(&node->ports[num]);
	switch_free(node);
	if (node->planes && node->planes->hca == node) {
		node_free(node->planes->gsi);
		g_free(node->planes);
	}
	if (node->functions && !node->vport) {
		for (unsigned int i = 0; i < node->functions->count; i++)
			node_free(node->functions->at[i].node);
		g_free(node->functions->at);
		g_free(node->functions);
	}
	g_free(node->sampler);
	g_free(node->commands);
	g_free(node->ends);
	g_free(node->ports);
	g_free(node->id);
	g_free(node->description);
	g_free(node->description_set);
	g_free(node->device_name);
	g_free(node);
}

struct end_port *node_end_port(struct node *node, unsigned int num)
{
	return num <= node->port_count ? node->ports[num].end : NULL;
}

void node_set_description(struct node *node, const char *description)
{
	if (strcmp(node_description(node), description) == 0)
		return;
	g_free(node->description_set);
	node->description_set = g_strdup(description);
	node_changed(node);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			trap_local_change(node->ports[num].end, TRAP_CHANGE_NODE_DESCRIPTION);
	}
}

void node_set_sys_image_guid(struct node *node, uint64_t guid)
{
	if (node->sys_image_guid == guid)
		return;
	node->sys_image_guid = guid;
	node_changed(node);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			trap_system_guid(node->ports[num].end);
	}
}

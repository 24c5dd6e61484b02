/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric as a topology: its present state. See sim/console/console.h.
 */
#include <glib.h>
#include <string.h>

#include "sim/console/console.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/virtual-function.h"
#include "sim/topology/topology.h"

static struct topology_port port_now(const struct port *port, const int *index)
{
	struct topology_port now = { .peer_node = -1 };

	if (port->end) {
		now.guid = port_speaker(port)->guid;
		now.lid = port->end->attr.lid;
		now.lmc = port->end->attr.lmc;
	}
	if (port->num == 0 || !port_is_linked(port))
		return now;
	now.peer_node = index[port->peer->node->index];
	now.peer_port = port->peer->num;
	now.width_active = port->width_active;
	now.speed_active = port->speed_active;
	now.speed_ext_active = port->speed_ext_active;
	now.fdr10 = port->fdr10;
	return now;
}

static struct topology_node *node_now(const struct node *node, GStringChunk *strings,
				      const int *index)
{
	struct topology_node *now = g_new0(struct topology_node, 1);

	now->kind = node->kind;
	now->id = g_string_chunk_insert(strings, node->id);
	now->description = g_string_chunk_insert(strings, node->description);
	now->node_guid = node->node_guid;
	now->sys_image_guid = node->sys_image_guid;
	now->vendor_id = node->vendor_id;
	now->device_id = node->device_id;
	now->revision = node->revision;
	now->port_count = node->port_count;
	now->enhanced_port0 = node->enhanced_port0;
	now->planarized = node->planes;
	now->vfs = node->functions ? (uint16_t)node->functions->count : 0;
	now->ports = g_new(struct topology_port, node->port_count + 1U);
	for (unsigned int num = 0; num <= node->port_count; num++)
		now->ports[num] = port_now(&node->ports[num], index);
	return now;
}

struct topology *fabric_topology(struct umadrig_fabric *fabric)
{
	struct topology *topology = topology_new(fabric->name);
	g_autofree int *index = g_new(int, fabric->nodes->len);
	int count = 0;

	for (unsigned int i = 0; i < fabric->nodes->len; i++)
		index[i] = ((const struct node *)g_ptr_array_index(fabric->nodes, i))->removed ?
			   -1 : count++;
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		if (index[i] >= 0)
			g_ptr_array_add(topology->nodes,
					node_now(g_ptr_array_index(fabric->nodes, i),
						 topology->strings, index));
	}
	return topology;
}

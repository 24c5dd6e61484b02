/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tree of a multicast group: see sim/sa/group-tree.h.
 */
#include "sim/sa/group-tree.h"

#include <glib.h>

#include "sim/agents/sma.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "sim/fabric/subnet.h"
#include "sim/sa/path-walk.h"

enum {
	MULTICAST_LID_FIRST = 0xc000,
	LIDS_PER_BLOCK = 32,
	PORTS_PER_POSITION = 16,
	POSITION_SHIFT = 28,
};

struct node *group_tree_leaf(const struct end_port *end)
{
	const struct port *port = end->port;

	if (port->node->removed)
		return NULL;
	if (port->node->sw)
		return port->node;
	return port_is_linked(port) && port->peer->node->sw ? port->peer->node : NULL;
}

/* Changes a mask of 16 ports of the LID, as an SM does: a block is read, and written. */
static void change(struct node *sw, uint16_t mlid, unsigned int position, uint16_t clear,
		   uint16_t set)
{
	unsigned int lid = mlid - MULTICAST_LID_FIRST;
	const struct sma_request request = {
		.port = &sw->ports[0],
		.modifier = position << POSITION_SHIFT | lid / LIDS_PER_BLOCK,
	};
	uint8_t data[SMP_DATA_SIZE];
	uint8_t *mask = data + lid % LIDS_PER_BLOCK * 2;

	if (sma_read_modified(request.port, ATTR_MULTICAST_TABLE, request.modifier, data) < 0)
		return;
	put_be16(mask, (uint16_t)((get_be16(mask) & ~clear) | set));
	if (sma_set_multicast_table(&request, data) == MAD_STATUS_OK)
		node_changed(sw);
}

static void add_port(struct node *sw, uint16_t mlid, unsigned int num)
{
	change(sw, mlid, num / PORTS_PER_POSITION, 0, (uint16_t)(1U << num % PORTS_PER_POSITION));
}

void group_tree_add(struct node *root, uint16_t mlid, const struct end_port *end, bool receives)
{
	struct node *sw = group_tree_leaf(end);

	if (sw && receives)
		add_port(sw, mlid, end->port->node == sw ? 0 : end->port->peer->num);
	for (unsigned int hops = 0; sw && sw != root && hops < PATH_HOPS_MAX; hops++) {
		unsigned int num = switch_egress(sw, root->ports[0].end->attr.lid);
		const struct port *port = num && num <= sw->port_count ? &sw->ports[num] : NULL;

		if (!port || !port_is_linked(port) || !port->peer->node->sw)
			return;
		add_port(sw, mlid, num);
		sw = port->peer->node;
		add_port(sw, mlid, port->peer->num);
	}
}

void group_tree_clear(const struct subnet *subnet, uint16_t mlid)
{
	for (unsigned int i = 0; i < subnet->ends->len; i++) {
		const struct end_port *end = g_ptr_array_index(subnet->ends, i);
		struct node *node = end->port->node;

		for (unsigned int n = 0; node->sw && node->sw->mft &&
		     n <= node->port_count / PORTS_PER_POSITION; n++)
			change(node, mlid, n, UINT16_MAX, 0);
	}
}

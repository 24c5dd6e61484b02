/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about cables and power: see sim/fabric/cable.h and
 * sim/host/power.h.
 */
#include "sim/fabric/cable.h"

#include <errno.h>
#include <glib.h>

#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/power.h"

static int set_all(struct node *node, bool up)
{
	int ret = -ENXIO;

	for (unsigned int num = 1; num <= node->port_count; num++) {
		struct port *port = &node->ports[num];

		if (port->peer)
			ret = up ? cable_plug(port) : cable_pull(port);
	}
	return ret;
}

int umadrig_link_set(struct umadrig_fabric *fabric, const char *node_name, unsigned int port,
		     bool up)
{
	int ret = fabric_enter(fabric);
	struct node *node;

	if (ret < 0)
		return ret;
	node = fabric_node(fabric, node_name);
	if (!node || port > node->port_count)
		ret = -ENOENT;
	else if (port == 0)
		ret = set_all(node, up);
	else
		ret = up ? cable_plug(&node->ports[port]) : cable_pull(&node->ports[port]);
	fabric_leave(fabric);
	return ret;
}

int umadrig_node_set(struct umadrig_fabric *fabric, const char *name, bool up)
{
	int ret = fabric_enter(fabric);
	struct node *node;

	if (ret < 0)
		return ret;
	node = fabric_node(fabric, name);
	if (!node)
		ret = -ENOENT;
	else
		node_power(node, up);
	fabric_leave(fabric);
	return ret;
}

int umadrig_sm_lose(struct umadrig_fabric *fabric)
{
	g_autoptr(GPtrArray) nodes = g_ptr_array_new();
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	sm_lose(fabric, nodes);
	fabric_leave(fabric);
	return (int)nodes->len;
}

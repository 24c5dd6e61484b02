/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Cables and power: see sim/fabric/cable.h.
 */
#include "sim/fabric/cable.h"

#include <errno.h>

#include "sim/api/issm-path.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/link.h"

bool cable_is_plugged(const struct port *port)
{
	return port->peer && !port->unplugged;
}

static void set_unplugged(struct port *port, bool unplugged)
{
	port->unplugged = port->peer->unplugged = unplugged;
}

int cable_pull(struct port *port)
{
	if (!port->peer)
		return -ENXIO;
	if (port->unplugged)
		return 0;
	link_lose(port);
	set_unplugged(port, true);
	return 0;
}

int cable_plug(struct port *port)
{
	if (!port->peer)
		return -ENXIO;
	if (!port->unplugged)
		return 0;
	set_unplugged(port, false);
	link_train(port);
	return 0;
}

/* Whatever was on the cable when it was pulled never arrives anywhere. */
static void take_away(struct port *port)
{
	struct port *ends[] = { port, port->peer };

	if (!port->peer)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		fault_hold_lose(ends[i]);
		ends[i]->peer = NULL;
		ends[i]->unplugged = false;
	}
}

int cable_lay(struct port *a, struct port *b)
{
	if (a == b || a->num == 0 || b->num == 0)
		return -EINVAL;
	if (cable_is_plugged(a) || cable_is_plugged(b))
		return -EBUSY;
	take_away(a);
	take_away(b);
	a->peer = b;
	b->peer = a;
	link_train(a);
	return 0;
}

void sm_lose(struct umadrig_fabric *fabric, GPtrArray *nodes)
{
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);
		bool has_sm = false;

		for (unsigned int num = 0; num <= node->port_count && !node->removed; num++) {
			struct end_port *end = node->ports[num].end;

			if (!end)
				continue;
			issm_path_look(end);
			has_sm = has_sm || (end->cap_mask & CAP_IS_SM);
		}
		if (!has_sm)
			continue;
		node_remove(node);
		g_ptr_array_add(nodes, node);
	}
}

/* ---- sim/api/umadrig.h ---- */

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
	else if (up)
		node_return(node);
	else
		node_remove(node);
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

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about nodes by name: their list, their descriptions and GUIDs, and
 * the states of their ports.
 */
#include "sim/api/umadrig.h"

#include <errno.h>
#include <glib.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/link-error.h"
#include "sim/fabric/node.h"

const char *umadrig_node(struct umadrig_fabric *fabric, unsigned int index)
{
	const struct node *node = NULL;

	if (fabric_enter(fabric) < 0)
		return NULL;
	if (index < fabric->nodes->len)
		node = g_ptr_array_index(fabric->nodes, index);
	fabric_leave(fabric);
	return node ? node->id : NULL;
}

/*
 * Takes the fabric's lock and finds the node; -ENOENT: there is none, and the lock is free again.
 */
static int enter_node(struct umadrig_fabric *fabric, const char *name, struct node **ret_node)
{
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	*ret_node = fabric_node(fabric, name);
	if (*ret_node)
		return 0;
	fabric_leave(fabric);
	return -ENOENT;
}

int umadrig_node_ports(struct umadrig_fabric *fabric, const char *name)
{
	struct node *node;
	int ret = enter_node(fabric, name, &node);

	if (ret < 0)
		return ret;
	ret = node->port_count;
	fabric_leave(fabric);
	return ret;
}

int umadrig_port_state(struct umadrig_fabric *fabric, const char *name, unsigned int num)
{
	struct node *node;
	int ret = enter_node(fabric, name, &node);

	if (ret < 0)
		return ret;
	ret = num > node->port_count || (num == 0 && !node->sw) ? -ENOENT : node->ports[num].state;
	fabric_leave(fabric);
	return ret;
}

int umadrig_node_set_description(struct umadrig_fabric *fabric, const char *name,
				 const char *description)
{
	struct node *node;
	int ret = enter_node(fabric, name, &node);

	if (ret < 0)
		return ret;
	node_set_description(node, description);
	fabric_leave(fabric);
	return 0;
}

int umadrig_node_set_system_guid(struct umadrig_fabric *fabric, const char *name, uint64_t guid)
{
	struct node *node;
	int ret = enter_node(fabric, name, &node);

	if (ret < 0)
		return ret;
	node_set_sys_image_guid(node, guid);
	fabric_leave(fabric);
	return 0;
}

int umadrig_port_set_capability(struct umadrig_fabric *fabric, const char *name, unsigned int num,
				uint32_t bits, bool set)
{
	struct node *node;
	int ret;

	if (bits & ~CAP_SERVED)
		return -EINVAL;
	ret = enter_node(fabric, name, &node);
	if (ret < 0)
		return ret;
	if (num > node->port_count || !node->ports[num].end)
		ret = -ENOENT;
	else
		end_port_set_capability(node->ports[num].end, bits, set);
	fabric_leave(fabric);
	return ret;
}

int umadrig_link_error(struct umadrig_fabric *fabric, const char *name, unsigned int num,
		       enum umadrig_link_error error)
{
	struct node *node;
	int ret;

	if (error < UMADRIG_LINK_INTEGRITY || error > UMADRIG_FLOW_CONTROL_WATCHDOG)
		return -EINVAL;
	ret = enter_node(fabric, name, &node);
	if (ret < 0)
		return ret;
	if (num < 1 || num > node->port_count)
		ret = -ENOENT;
	else
		link_error_report(&node->ports[num], error);
	fabric_leave(fabric);
	return ret;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's function about attributes of nodes and ports.
 */
#include <errno.h>

#include "sim/agents/sma.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

/* Where the node receives SMPs that ask about port 'num'; NULL: there is no such port. */
static struct port *receiver(struct node *node, unsigned int num)
{
	if (num > node->port_count)
		return NULL;
	return node->sw ? &node->ports[0] : &node->ports[num > 0 ? num : 1];
}

int umadrig_attribute(struct umadrig_fabric *fabric, const char *node_name, unsigned int port,
		      unsigned int attribute, uint8_t ret_data[64])
{
	int ret = fabric_enter(fabric);
	struct port *at;
	struct node *node;

	if (ret < 0)
		return ret;
	node = fabric_node(fabric, node_name);
	at = node ? receiver(node, port) : NULL;
	ret = at ? sma_read(at, attribute, port, ret_data) : -ENOENT;
	fabric_leave(fabric);
	return ret;
}

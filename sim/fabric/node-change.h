/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Notification of changes for views of /sys/class, so that they need not compare everything.
 */
#ifndef UMADRIG_SIM_FABRIC_NODE_CHANGE_H
#define UMADRIG_SIM_FABRIC_NODE_CHANGE_H

#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/observer.h"
#include "sim/fabric/virtual-function.h"

/*
 * To be called when something of a node, its ports or its end ports has changed that Linux shows in
 * /sys/class/infiniband, except counters. Lock held.
 */
static inline void node_changed(struct node *node)
{
	node->changed = ++node->fabric->changes;
	if (node->planes)
		node->planes->gsi->changed = node->planes->hca->changed = node->changed;
	if (node->functions && !node->vport)
		functions_share(node);
	if (node->fabric->observer)
		node->fabric->observer->change(node->fabric);
}

#endif

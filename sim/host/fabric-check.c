/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/host/fabric-check.h. */
#include "sim/host/fabric-check.h"

#include "lib/base/invariant.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/subnet.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/handle.h"

static const char *node_check(const struct node *node, size_t *work)
{
	for (unsigned int num = 0; num <= node->port_count; num++) {
		const struct port *port = &node->ports[num];

		MUST(port->node == node, "node: its ports are its own");
		MUST_HOLD(port_check(port));
		MUST_HOLD(cable_check(port));
		MUST_HOLD(link_check(port));
		if (port->end && port->end->kmod)
			MUST_HOLD(kmod_port_check(port->end->kmod, work));
	}
	*work += node->port_count;
	return NULL;
}

static const char *functions_check(const struct node *pf, size_t *work)
{
	const struct functions *functions = pf->functions;

	MUST(functions->pf == pf, "functions: they are of the node that has them");
	for (unsigned int i = 0; i < functions->count; i++) {
		const struct virtual_function *function = &functions->at[i];

		MUST(function->node->vport == i + 1 && function->node->functions == functions,
		     "function: its node has its index");
		MUST(function->lid_of <= functions->count,
		     "function: the vport whose LID it has is there");
		MUST(function->node->removed || !pf->removed,
		     "function: there is no device without that of its HCA");
		MUST_HOLD(node_check(function->node, work));
	}
	return NULL;
}

static const char *nodes_check(const struct umadrig_fabric *fabric, size_t *work)
{
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		const struct node *node = g_ptr_array_index(fabric->nodes, i);

		MUST(node->fabric == fabric && node->index == i,
		     "node: its fabric has it under its number");
		MUST_HOLD(node_check(node, work));
		if (node->planes)
			MUST_HOLD(node_check(node->planes->gsi, work));
		if (node->functions)
			MUST_HOLD(functions_check(node, work));
	}
	return NULL;
}

const char *fabric_check(const struct umadrig_fabric *fabric, size_t *work)
{
	MUST(fabric->is_watched == fabric_looks_out(fabric),
	     "fabric: it knows whether somebody looks on");
	MUST_HOLD(event_queue_check(&fabric->queue));
	MUST_HOLD(nodes_check(fabric, work));
	for (unsigned int i = 0; i < fabric->subnets->len; i++)
		MUST_HOLD(subnet_check(fabric_subnet(fabric, i)));
	for (unsigned int i = 0; i < fabric->hosts->len; i++) {
		const struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		if (host->kmod)
			MUST_HOLD(kmod_host_check(host->kmod, work));
	}
	*work += fabric->queue.count + (size_t)fabric->lid_top;
	return handles_check(fabric);
}

size_t fabric_check_event(struct event_queue *queue)
{
	const struct umadrig_fabric *fabric = container_of(queue, struct umadrig_fabric, queue);
	size_t work = 0;

	invariant_hold(fabric_check(fabric, &work), fabric->name);
	return work;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Power of nodes: see sim/host/power.h.
 */
#include "sim/host/power.h"

#include <errno.h>
#include <glib.h>

#include "sim/agents/cc.h"
#include "sim/agents/config-space.h"
#include "sim/agents/pma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/function-make.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/switch.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/issm-path.h"
#include "sim/host/kernel.h"

/*
 * Resets a node to its state after power-up: links down, in Polling; no LIDs, empty tables,
 * counters at zero. For a node that is removed, and thus has no kernel.
 */
static void node_reset(struct node *node)
{
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			cc_reset(node->ports[num].end);
		port_clear(&node->ports[num]);
	}
	pma_samples_reset(node);
	config_space_reset(node);
	if (node->sw)
		switch_reset(node);
	if (node->functions)
		functions_reset(node->functions);
}

/*
 * Programs hear of devices by what has changed since they heard of them last: one that goes and
 * comes back at one instant would have done neither.
 */
static void catch_up(const struct umadrig_fabric *fabric)
{
	if (fabric->catch_up)
		fabric->catch_up(fabric->catch_up_ctx);
}

/* ---- virtual functions ---- */

static void functions_remove(const struct functions *functions)
{
	for (unsigned int i = 0; i < functions->count; i++) {
		issm_path_close(functions->at[i].node->ends);
		end_port_remove_kmod(functions->at[i].node->ends);
	}
}

/* As by the driver's bind and unbind: the vport stays. */
static void function_bind(struct node *node, bool is_bound)
{
	struct virtual_function *function = node_function(node);

	if (function->is_unbound == !is_bound)
		return;
	catch_up(node->fabric);
	function->is_unbound = !is_bound;
	node_changed(node);
	functions_share(node->functions->pf);
	if (is_bound)
		return;
	issm_path_close(node->ends);
	end_port_remove_kmod(node->ends);
}

int functions_set_enabled(struct functions *functions, unsigned int enabled)
{
	if (enabled > functions->count)
		return -ERANGE;
	if (enabled == functions->enabled)
		return 0;
	if (enabled && functions->enabled)
		return -EBUSY;
	catch_up(functions->pf->fabric);
	functions_enable(functions, enabled);
	if (enabled == 0)
		functions_remove(functions);
	return 0;
}

/* ---- nodes ---- */

static void end_port_remove(struct end_port *end)
{
	end_port_remove_kmod(end);
	if (fabric_sa_is_on(port_speaker(end->port)))
		fabric_sa_give_way(end->subnet);
	issm_path_close(end);
	end_port_set_is_sm(end);
}

void node_remove(struct node *node)
{
	if (node->vport) {
		function_bind(node, false);
		return;
	}
	if (node->planes)
		node = node->planes->hca;
	if (node->removed)
		return;
	catch_up(node->fabric);
	node->removed = true;
	node_changed(node);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		struct port *port = &node->ports[num];

		if (port->end)
			end_port_remove(port->end);
		if (port->num == 0 && port->end)
			fabric_sa_lose(port->end);
		if (port->num == 0)
			port->state = PORT_DOWN;
		else
			link_lose(port);
	}
	if (node->planes) {
		node->planes->gsi->removed = true;
		end_port_remove_kmod(node->planes->gsi->ends);
	}
	if (node->functions)
		functions_remove(node->functions);
}

void node_return(struct node *node)
{
	if (node->vport) {
		function_bind(node, true);
		return;
	}
	if (node->planes)
		node = node->planes->hca;
	if (!node->removed)
		return;
	catch_up(node->fabric);
	node_reset(node);
	node->removed = false;
	if (node->planes)
		node->planes->gsi->removed = false;
	node_changed(node);
	for (unsigned int num = 1; num <= node->port_count; num++)
		link_train(&node->ports[num]);
}

void node_power(struct node *node, bool on)
{
	struct umadrig_host *host = node->host;

	if (host && host->power)
		host->power(host, on);
	else if (on)
		node_return(node);
	else
		node_remove(node);
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
			/* The fabric's own SA is no program, and no reason to go. */
			has_sm = has_sm || (end->cap_mask & CAP_IS_SM && !fabric_sa_is_on(end));
		}
		if (!has_sm)
			continue;
		node_power(node, false);
		g_ptr_array_add(nodes, node);
	}
}

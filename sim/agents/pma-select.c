/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PortSelect: which ports of a node it selects, and what they count. See sim/agents/pma.h.
 */
#include "sim/agents/pma.h"

#include "sim/fabric/load-touch.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port-counters.h"

bool pma_has_port(const struct node *node, unsigned int num)
{
	if (node_is_gsi(node))
		node = node->planes->hca;
	return num == PMA_ALL_PORTS || (num <= node->port_count && (num > 0 || node->sw));
}

bool pma_is_among(const struct node *node, unsigned int select, unsigned int num)
{
	/* Linux (mlx5): the GSI device has one set of counters, whatever PortSelect says. */
	if (node_is_gsi(node))
		return num == 1;
	if (select != PMA_ALL_PORTS)
		return num == select;
	return num > 0 || (node->sw && node->enhanced_port0);
}

uint64_t pma_total(const struct port *port, unsigned int what)
{
	const struct node *hca = node_is_gsi(port->node) ? port->node->planes->hca : NULL;
	uint64_t total = 0;

	load_refresh(port->node->fabric);
	if (!hca)
		return port_counters_total(&port->counters, what);
	for (unsigned int num = 1; num <= hca->port_count; num++)
		total += port_counters_total(&hca->ports[num].counters, what);
	return total;
}

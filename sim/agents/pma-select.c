/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PortSelect: which ports of a node it selects. See sim/agents/pma.h.
 */
#include "sim/agents/pma.h"

#include "sim/fabric/node.h"

bool pma_has_port(const struct node *node, unsigned int num)
{
	return num == PMA_ALL_PORTS || (num <= node->port_count && (num > 0 || node->sw));
}

bool pma_is_among(const struct node *node, unsigned int select, unsigned int num)
{
	if (select != PMA_ALL_PORTS)
		return num == select;
	return num > 0 || (node->sw && node->enhanced_port0);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about counters by name: see sim/agents/pma.h.
 */
#include <errno.h>
#include <glib.h>

#include "sim/agents/pma.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"

int64_t umadrig_counter(struct umadrig_fabric *fabric, const char *node_name, unsigned int port,
			const char *name)
{
	int ret = fabric_enter(fabric);
	const struct node *node;
	uint64_t value = 0;

	if (ret < 0)
		return ret;
	node = fabric_node(fabric, node_name);
	ret = node && pma_has_port(node, port) ? pma_counter_get(node, port, name, &value) :
						 -ENOENT;
	fabric_leave(fabric);
	return ret < 0 ? ret : (int64_t)MIN(value, (uint64_t)INT64_MAX);
}

int umadrig_counter_set(struct umadrig_fabric *fabric, const char *node_name, unsigned int port,
			const char *name, uint64_t value)
{
	int ret = fabric_enter(fabric);
	struct node *node;

	if (ret < 0)
		return ret;
	node = fabric_node(fabric, node_name);
	ret = node && pma_has_port(node, port) ? pma_counter_set(node, port, name, value) :
						 -ENOENT;
	fabric_leave(fabric);
	return ret;
}

static int move(struct node *node, unsigned int port, const char *name, uint64_t numerator,
		int64_t per_ns, int64_t for_ns)
{
	if (!node || !pma_has_port(node, port))
		return -ENOENT;
	if (per_ns <= 0 || for_ns <= 0)
		return -EINVAL;
	if (numerator == 0)
		return MIN(pma_counter_stop(node, port, name), 0);
	return pma_counter_drift(node, port, name, numerator, (uint64_t)per_ns, for_ns);
}

int umadrig_counter_move(struct umadrig_fabric *fabric, const char *node_name, unsigned int port,
			 const char *name, uint64_t numerator, int64_t per_ns, int64_t for_ns)
{
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	ret = move(fabric_node(fabric, node_name), port, name, numerator, per_ns, for_ns);
	fabric_leave(fabric);
	return ret;
}

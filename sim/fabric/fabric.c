/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Nodes by name: see sim/fabric/fabric.h.
 */
#include "sim/fabric/fabric.h"

#include <glib.h>

#include "sim/fabric/host.h"
#include "sim/fabric/node.h"

/* Ids first, so that no description hides an id; of two equal descriptions the first counts. */
static void enter_names(struct umadrig_fabric *fabric)
{
	fabric->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		g_hash_table_insert(fabric->by_name, node->id, node);
	}
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		if (!g_hash_table_contains(fabric->by_name, node->description))
			g_hash_table_insert(fabric->by_name, node->description, node);
	}
}

struct node *fabric_find(struct umadrig_fabric *fabric, const char *name)
{
	if (!fabric->by_name)
		enter_names(fabric);
	return g_hash_table_lookup(fabric->by_name, name);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The cables of switches: see sim/fabric/route-map.h. */
#include "sim/fabric/route-map.h"

#include <glib.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/switch.h"

static void add_place(struct route_map *map, struct node *sw, GArray *cables, GArray *exits)
{
	map->places[sw->sw->place] = (struct route_place){ sw, cables->len, exits->len };
	for (unsigned int num = 0; num <= sw->port_count; num++) {
		const struct port *port = &sw->ports[num];
		const struct end_port *end = num ? port->peer ? port->peer->end : NULL : port->end;

		if (end) {
			struct route_exit at_end = { end, (uint8_t)num };

			g_array_append_val(exits, at_end);
		}
		if (num && port->peer && port->peer->node->sw) {
			struct route_cable cable = { port->peer->node->sw->place, (uint8_t)num };

			g_array_append_val(cables, cable);
		}
	}
}

static struct route_map *make(const struct umadrig_fabric *fabric)
{
	struct route_map *map = g_new0(struct route_map, 1);
	GArray *cables = g_array_new(false, false, sizeof(struct route_cable));
	GArray *exits = g_array_new(false, false, sizeof(struct route_exit));

	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		if (node->sw)
			node->sw->place = map->count++;
	}
	map->places = g_new0(struct route_place, map->count + 1);
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		if (node->sw)
			add_place(map, node, cables, exits);
	}
	map->places[map->count] = (struct route_place){ NULL, cables->len, exits->len };
	map->cables = (struct route_cable *)(void *)g_array_free(cables, false);
	map->exits = (struct route_exit *)(void *)g_array_free(exits, false);
	return map;
}

const struct route_map *route_map_of(struct umadrig_fabric *fabric)
{
	if (!fabric->route_map)
		fabric->route_map = make(fabric);
	return fabric->route_map;
}

void route_map_forget(struct umadrig_fabric *fabric)
{
	struct route_map *map = fabric->route_map;

	fabric->route_map = NULL;
	if (!map)
		return;
	g_free(map->places);
	g_free(map->cables);
	g_free(map->exits);
	g_free(map);
}

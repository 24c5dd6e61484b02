/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What both kinds of worlds share.
 */
#include "harness/world/world.h"

#include <errno.h>
#include <string.h>

#include "lib/words/node-place.h"

struct world_packet *world_leaves(struct world *world, int64_t at_ns,
				  const struct packet_addr *addr, const uint8_t mad[MAD_SIZE])
{
	struct world_packet *packet = g_new0(struct world_packet, 1);

	packet->at_ns = at_ns;
	packet->leaves = true;
	packet->sequence = ++world->sequence;
	packet->has_addr = addr != NULL;
	if (addr)
		packet->addr = *addr;
	memcpy(packet->mad, mad, MAD_SIZE);
	g_queue_push_tail(&world->leaves, packet);
	return packet;
}

void world_arrives(struct world *world, int64_t at_ns, const uint8_t *mad)
{
	struct world_arrival *arrival;

	if (world->is_arriving) {
		world->is_arriving = false;
		return;
	}
	if (world->arrivals.length == WORLD_ARRIVALS_MAX) {
		arrival = g_queue_pop_head(&world->arrivals);
		world->arrivals_lost++;
	} else {
		arrival = g_new(struct world_arrival, 1);
	}
	arrival->at_ns = at_ns;
	arrival->sequence = ++world->sequence;
	arrival->is_mad = mad != NULL;
	if (mad)
		memcpy(arrival->mad, mad, MAD_SIZE);
	g_queue_push_tail(&world->arrivals, arrival);
}

void world_clear(struct world *world)
{
	g_queue_clear_full(&world->arrivals, g_free);
	g_queue_clear_full(&world->leaves, g_free);
	g_clear_pointer(&world->crossed, g_ptr_array_unref);
	for (int end = 0; end < WORLD_ENDS; end++) {
		g_clear_pointer(&world->ca[end], g_free);
		g_clear_pointer(&world->label[end], g_free);
	}
}

bool world_port_parse(const char *text, char **ret_dev, int *ret_port)
{
	struct node_place place;

	if (node_place_parse_port(text, &place) < 0)
		return false;
	*ret_dev = g_strndup(place.name, place.name_size);
	*ret_port = (int)place.port;
	return true;
}

int world_end_named(const struct world *world, const char *node, unsigned int port)
{
	for (int end = 0; node && end < WORLD_ENDS; end++) {
		bool has_port = port == 0 || (int)port == world->port[end];

		if ((g_strcmp0(node, world->label[end]) == 0 ||
		     g_strcmp0(node, world->ca[end]) == 0) && has_port)
			return end;
	}
	return -ENOENT;
}

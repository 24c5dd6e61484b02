/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What crosses the wire of a simulated world at A, and what scripts have arrive there.
 */
#include "harness/world/sim-world.h"

#include <string.h>

/* A packet that has arrived at A, or a copy of one that has left it. */
static void note_crossing(struct world_sim *sim, int64_t at_ns, const struct world_packet *left,
			  const uint8_t *bytes, size_t size)
{
	struct world_packet *crossed = g_new0(struct world_packet, 1);
	struct packet packet = { .next = NULL };

	if (left) {
		*crossed = *left;
	} else {
		crossed->at_ns = at_ns;
		crossed->sequence = ++sim->world.sequence;
		memcpy(packet.bytes, bytes, size);
		crossed->has_addr = packet_parse(&packet, size, &crossed->addr);
		crossed->sealed = packet.sealed || !crossed->has_addr;
		if (crossed->has_addr)
			memcpy(crossed->mad, packet_mad(&packet), MAD_SIZE);
		crossed->wire_size = size;
		memcpy(crossed->wire, bytes, size);
	}
	g_ptr_array_add(sim->world.crossed, crossed);
}

/*
 * A whole kernel asks the SA for itself what that can do, a second after a port has come up, and
 * may hear that nobody knows. No program has an agent number (the upper half of the TID) as low as
 * ib_sa's.
 */
static bool is_of_kernel(const uint8_t *mad)
{
	enum { OF_KERNEL = 3, CLASS_PORT_INFO = 0x0001 };

	return mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM &&
	       (mad[MAD_METHOD] == MAD_METHOD_GET || mad[MAD_METHOD] == MAD_METHOD_GET_RESP) &&
	       get_be16(mad + MAD_ATTR_ID) == CLASS_PORT_INFO &&
	       get_be32(mad + MAD_TID) <= OF_KERNEL;
}

void sim_tap(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct world_sim *sim = ctx;
	struct packet packet = { .next = NULL };
	struct packet_addr addr;
	struct world_packet *left;
	bool is_mad;

	if (size > sizeof(packet.bytes))
		return;
	memcpy(packet.bytes, bytes, size);
	is_mad = packet_parse(&packet, size, &addr);
	if (is_mad && sim->has_guests && is_of_kernel(packet_mad(&packet)))
		return;
	if (!outbound) {
		/* Programs have conversations of their own. */
		if (!sim->server)
			world_arrives(&sim->world, at_ns, is_mad ? packet_mad(&packet) : NULL);
		if (sim->world.crossed)
			note_crossing(sim, at_ns, NULL, bytes, size);
		return;
	}
	if (!is_mad)
		return;
	left = world_leaves(&sim->world, at_ns, &addr, packet_mad(&packet));
	left->wire_size = size;
	memcpy(left->wire, bytes, size);
	if (sim->world.crossed)
		note_crossing(sim, at_ns, left, bytes, size);
}

/* umadrig_trace_fn: keeps why a packet was dropped. */
static void note_drop(void *ctx, int64_t at_ns, const char *who, const char *text)
{
	char **why = ctx;

	(void)at_ns;
	(void)who;
	if (!*why && g_str_has_prefix(text, "drop"))
		*why = g_strchug(g_strdup(text + strlen("drop")));
}

int sim_arrive_packet(struct world *world, const uint8_t *bytes, size_t size, char **ret_why)
{
	struct world_sim *sim = sim_of(world);
	char *why = NULL;
	int status;

	umadrig_trace(sim->fabric, note_drop, &why);
	status = umadrig_deliver(sim->ports[WORLD_SELF], sim->ports[WORLD_PEER], bytes, size);
	umadrig_trace(sim->fabric, NULL, NULL);
	*ret_why = why;
	return status;
}

int sim_arrive(struct world *world, const struct packet_addr *addr,
	       const uint8_t mad[MAD_SIZE])
{
	struct world_sim *sim = sim_of(world);
	struct packet packet = { .next = NULL };

	packet_build(&packet, addr);
	memcpy(packet_mad(&packet), mad, MAD_SIZE);
	return umadrig_deliver(sim->ports[WORLD_SELF], sim->ports[WORLD_PEER], packet.bytes,
			       packet.mad_at + MAD_SIZE);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What crosses the wire of a simulated world at A, and what scripts have arrive there.
 */
#include "harness/world/sim-world.h"

#include <string.h>

#include "sim/api/inside.h"
#include "sim/guests/guest-set.h"

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

/* ---- what a whole kernel asks for itself ---- */

struct question {
	enum world_end who;
	uint64_t tid;
};

static struct question *find_question(const struct world_sim *sim, const struct question *like)
{
	for (guint i = 0; sim->questions && i < sim->questions->len; i++) {
		struct question *one = &g_array_index(sim->questions, struct question, i);

		if (one->who == like->who && one->tid == like->tid)
			return one;
	}
	return NULL;
}

/* No agent of a program has a number (the upper half of the TID) as low as those of its kernel. */
static bool asks_for_itself(const struct world_sim *sim, const struct question *question)
{
	uint32_t agent = question->tid >> 32;

	return agent > 0 && agent <= guest_set_kernel_agents(inside(sim->ports[question->who]));
}

/*
 * A whole kernel asks the SA what that can do, a second after a port has come up, and may hear that
 * nobody knows. That is none of a script's MADs; but what a script has arrive is, and so is its
 * answer, whatever their TID.
 */
static bool is_of_kernel(struct world_sim *sim, bool outbound, const uint8_t *mad)
{
	enum { CLASS_PORT_INFO = 0x0001 };
	bool asks = mad[MAD_METHOD] == MAD_METHOD_GET;
	const struct question question = {
		outbound == asks ? WORLD_SELF : WORLD_PEER, get_be64(mad + MAD_TID),
	};
	struct question *known;

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_ADM ||
	    (!asks && mad[MAD_METHOD] != MAD_METHOD_GET_RESP) ||
	    get_be16(mad + MAD_ATTR_ID) != CLASS_PORT_INFO)
		return false;
	known = find_question(sim, &question);
	if (sim->is_delivering) {
		if (asks && known)
			known->tid = 0;
		return false;
	}
	if (!asks || known)
		return known != NULL;
	if (!asks_for_itself(sim, &question))
		return false;
	if (!sim->questions)
		sim->questions = g_array_new(false, false, sizeof(question));
	g_array_append_val(sim->questions, question);
	return true;
}

/* ---- the wire ---- */

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
	if (is_mad && sim->has_guests && is_of_kernel(sim, outbound, packet_mad(&packet)))
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

static int deliver(struct world_sim *sim, const uint8_t *bytes, size_t size)
{
	int ret;

	sim->is_delivering = true;
	ret = umadrig_deliver(sim->ports[WORLD_SELF], sim->ports[WORLD_PEER], bytes, size);
	sim->is_delivering = false;
	return ret;
}

int sim_arrive_packet(struct world *world, const uint8_t *bytes, size_t size, char **ret_why)
{
	struct world_sim *sim = sim_of(world);
	char *why = NULL;
	int status;

	umadrig_trace(sim->fabric, note_drop, &why);
	status = deliver(sim, bytes, size);
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
	return deliver(sim, packet.bytes, packet.mad_at + MAD_SIZE);
}

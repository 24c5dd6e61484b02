/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Credit loops: see sim/fabric/credit-loop.h.
 */
#include "sim/fabric/credit-loop.h"

#include <glib.h>
#include <stdbool.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/lane.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "sim/fabric/subnet.h"

enum {
	LANES = 16,
	NAMED_MAX = 12,			/* channels of a loop that are named */
};

#define NO_CHANNEL UINT32_MAX

enum mark { NOT_MET, ON_THE_WAY, DONE };

struct channel {
	GArray *next;			/* of uint32_t: what packets in it wait for; or NULL */
	uint64_t walk;			/* the last one that came by: those that meet go on alike */
	enum mark mark;
	unsigned int tried;		/* of 'next' */
};

struct graph {
	struct umadrig_fabric *fabric;
	struct port **ports;		/* by number */
	uint32_t *first;		/* the number of port 0, by node */
	struct channel *channels;	/* LANES of each port that a packet leaves by */
	uint32_t count;
	uint64_t walk;
};

/* ---- the graph ---- */

static struct graph graph_new(struct umadrig_fabric *fabric)
{
	struct graph graph = { .fabric = fabric, .first = g_new0(uint32_t, fabric->nodes->len) };
	uint32_t ports = 0;

	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		const struct node *node = g_ptr_array_index(fabric->nodes, i);

		graph.first[node->index] = ports;
		ports += node->port_count + 1U;
	}
	graph.count = ports * LANES;
	graph.ports = g_new0(struct port *, ports);
	graph.channels = g_new0(struct channel, graph.count);
	return graph;
}

static void graph_clear(struct graph *graph)
{
	for (uint32_t i = 0; i < graph->count; i++)
		g_clear_pointer(&graph->channels[i].next, g_array_unref);
	g_free(graph->channels);
	g_free(graph->ports);
	g_free(graph->first);
}

static bool is_open(const struct port *out)
{
	return port_is_linked(out) && out->state == PORT_ACTIVE &&
	       out->peer->state == PORT_ACTIVE && !out->node->removed && !out->peer->node->removed;
}

/* By which a packet leaves; NO_CHANNEL: it does not. */
static uint32_t channel_of(const struct graph *graph, struct port *out, unsigned int ingress,
			   unsigned int sl)
{
	uint32_t number = graph->first[out->node->index] + out->num;
	unsigned int lane = is_open(out) ? lane_find(out, ingress, sl) : LANE_SMP;

	graph->ports[number] = out;
	return lane == LANE_SMP ? NO_CHANNEL : number * LANES + lane;
}

static struct port *port_of(const struct graph *graph, uint32_t channel)
{
	return graph->ports[channel / LANES];
}

static void add_wait(struct channel *channel, uint32_t next)
{
	if (!channel->next)
		channel->next = g_array_new(false, false, sizeof(uint32_t));
	for (unsigned int i = 0; i < channel->next->len; i++) {
		if (g_array_index(channel->next, uint32_t, i) == next)
			return;
	}
	g_array_append_val(channel->next, next);
}

/* Where packets to 'dlid' that come in by 'in' go on. */
static uint32_t next_channel(const struct graph *graph, const struct port *in, uint16_t dlid,
			     unsigned int sl)
{
	struct node *sw = in->node;
	unsigned int egress = sw->sw ? switch_egress(sw, dlid) : 0;

	if (egress == 0 || egress > sw->port_count || egress == in->num)
		return NO_CHANNEL;
	return channel_of(graph, &sw->ports[egress], in->num, sl);
}

/* Walks that go to the same LID with the same SL are one from where they meet. */
static void walk(struct graph *graph, const struct end_port *from, uint16_t dlid, unsigned int sl)
{
	uint64_t number = graph->walk * LANES + sl + 1;
	uint32_t at = channel_of(graph, from->port, 0, sl);

	while (at != NO_CHANNEL && graph->channels[at].walk != number) {
		uint32_t next = next_channel(graph, port_of(graph, at)->peer, dlid, sl);

		graph->channels[at].walk = number;
		if (next != NO_CHANNEL)
			add_wait(&graph->channels[at], next);
		at = next;
	}
}

static void walk_to(struct graph *graph, const struct subnet *subnet, const struct end_port *to,
		    uint16_t dlid, credit_sl_fn *sl_of, const void *ctx)
{
	graph->walk++;
	for (unsigned int i = 0; i < subnet->ends->len; i++) {
		const struct end_port *from = g_ptr_array_index(subnet->ends, i);
		unsigned int sl = from == to || from->attr.is_switch || from->attr.lid == 0 ?
				  CREDIT_NO_WAY : sl_of(ctx, from, dlid);

		if (sl < CREDIT_NO_WAY)
			walk(graph, from, dlid, sl);
	}
}

static void walk_all(struct graph *graph, const struct subnet *subnet, credit_sl_fn *sl_of,
		     const void *ctx)
{
	for (unsigned int i = 0; subnet->ends && i < subnet->ends->len; i++) {
		const struct end_port *to = g_ptr_array_index(subnet->ends, i);

		if (to->attr.is_switch || to->attr.lid == 0)
			continue;
		for (unsigned int path = 0; path < 1U << to->attr.lmc; path++)
			walk_to(graph, subnet, to, (uint16_t)(to->attr.lid + path), sl_of, ctx);
	}
}

/* ---- its circles ---- */

/* The next channel that 'at' waits for; NO_CHANNEL: all have been tried. */
static uint32_t try_next(struct channel *at)
{
	if (!at->next || at->tried == at->next->len)
		return NO_CHANNEL;
	return g_array_index(at->next, uint32_t, at->tried++);
}

/* Depth first, from 'first'. True: 'way' ends with a circle, which begins at '*ret_from'. */
static bool search(struct graph *graph, uint32_t first, GArray *way, unsigned int *ret_from)
{
	g_array_set_size(way, 0);
	g_array_append_val(way, first);
	graph->channels[first].mark = ON_THE_WAY;
	while (way->len > 0) {
		struct channel *at =
			&graph->channels[g_array_index(way, uint32_t, way->len - 1)];
		uint32_t next = try_next(at);

		if (next == NO_CHANNEL) {
			at->mark = DONE;
			g_array_set_size(way, way->len - 1);
		} else if (graph->channels[next].mark == ON_THE_WAY) {
			for (*ret_from = 0; g_array_index(way, uint32_t, *ret_from) != next; )
				++*ret_from;
			return true;
		} else if (graph->channels[next].mark == NOT_MET) {
			graph->channels[next].mark = ON_THE_WAY;
			g_array_append_val(way, next);
		}
	}
	return false;
}

static char *describe(const struct graph *graph, const GArray *way, unsigned int from)
{
	GString *text = g_string_new(NULL);
	char name[PORT_NAME_SIZE];

	for (unsigned int i = from; i < way->len && i < from + NAMED_MAX; i++) {
		uint32_t channel = g_array_index(way, uint32_t, i);

		g_string_append_printf(text, "%s%s VL %u", i > from ? ", " : "",
				       port_format(port_of(graph, channel), name),
				       channel % LANES);
	}
	if (way->len > from + NAMED_MAX)
		g_string_append_printf(text, " and %u more", way->len - from - NAMED_MAX);
	g_string_append(text, " wait for each other");
	return g_string_free(text, false);
}

char *credit_loop_find(struct umadrig_fabric *fabric, credit_sl_fn *sl_of, const void *ctx)
{
	struct graph graph = graph_new(fabric);
	g_autoptr(GArray) way = g_array_new(false, false, sizeof(uint32_t));
	unsigned int from = 0;
	char *found = NULL;

	for (unsigned int i = 0; i < fabric->subnets->len; i++)
		walk_all(&graph, g_ptr_array_index(fabric->subnets, i), sl_of, ctx);
	for (uint32_t i = 0; !found && i < graph.count; i++) {
		if (graph.channels[i].mark == NOT_MET && graph.channels[i].next &&
		    search(&graph, i, way, &from))
			found = describe(&graph, way, from);
	}
	graph_clear(&graph);
	return found;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Loads: see sim/fabric/fabric-load.h.
 */
#include "sim/fabric/fabric-load.h"

#include <errno.h>
#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/node-place.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/host.h"
#include "sim/fabric/load-share.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum { FLOWS_MAX = 1000000 };

/* The words that stand for more than one port. */
static const char all[] = "all", next[] = "next";

struct load {
	GArray *flows;		/* of struct flow */
	GPtrArray *ports;	/* struct port *: those with rates */
	int last_id;
	/*
	 * The rates since 'since_ns' are not worked out. Nothing has changed since then on which
	 * they depend, so that can be done later.
	 */
	bool is_stale;
	int64_t since_ns;
};

/* ---- rates ---- */

static void update(struct umadrig_fabric *fabric)
{
	struct load *load = fabric->load;

	if (!load->is_stale)
		return;
	load->is_stale = false;
	/* All were settled at 'since_ns'. */
	for (guint i = 0; i < load->ports->len; i++) {
		struct port *port = g_ptr_array_index(load->ports, i);

		memset(port->counters.motion->rate, 0, sizeof(port->counters.motion->rate));
	}
	g_ptr_array_set_size(load->ports, 0);
	load_share((struct flow *)(void *)load->flows->data, load->flows->len, load->ports);
	for (guint i = 0; i < load->ports->len; i++) {
		struct port *port = g_ptr_array_index(load->ports, i);

		port->counters.motion->since_ns = load->since_ns;
	}
}

static void change(struct umadrig_fabric *fabric)
{
	struct load *load = fabric->load;
	int64_t now_ns = fabric->queue.now_ns;

	/* The first change of this instant has settled everything. */
	if (load->is_stale && load->since_ns == now_ns)
		return;
	update(fabric);
	for (guint i = 0; i < load->ports->len; i++)
		motion_settle(g_ptr_array_index(load->ports, i));
	load->is_stale = true;
	load->since_ns = now_ns;
}

static struct load *load_of(struct umadrig_fabric *fabric)
{
	static const struct load_calls calls = { change, update };

	if (!fabric->load) {
		fabric->load_calls = &calls;
		fabric->load = g_new0(struct load, 1);
		fabric->load->flows = g_array_new(false, false, sizeof(struct flow));
		fabric->load->ports = g_ptr_array_new();
	}
	return fabric->load;
}

const struct flow *load_flow(struct umadrig_fabric *fabric, size_t at)
{
	if (!fabric->load || at >= fabric->load->flows->len)
		return NULL;
	update(fabric);
	return &g_array_index(fabric->load->flows, struct flow, at);
}

/* ---- orders ---- */

static int fail(char *reterr, size_t reterr_size, int err, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

static int fail(char *reterr, size_t reterr_size, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_vsnprintf(reterr, reterr_size, format, args);
	va_end(args);
	return err;
}

/* "S1[3]", "H1": an end port of the fabric. 0, or a negative errno with a message. */
static int find_end(struct umadrig_fabric *fabric, const char *text, struct end_port **ret_end,
		    char *reterr, size_t reterr_size)
{
	g_autofree char *name = NULL;
	struct node_place place;
	struct end_port *end;
	struct node *node;
	int err = node_place_parse(text, &place);

	if (err < 0)
		return fail(reterr, reterr_size, -EINVAL, "load: '%s': expected %s", text,
			    node_place_expected(err));
	name = g_strndup(place.name, place.name_size);
	node = fabric_node(fabric, name);
	if (!node)
		return fail(reterr, reterr_size, -ENOENT, "load: there is no node '%s'", name);
	if (!place.has_port && !node->sw && node->port_count > 1 && !node->planes)
		return fail(reterr, reterr_size, -ENOENT, "load: which port of %s? Write %s[1]",
			    node->id, node->id);
	end = node_end_port(node, place.has_port ? place.port : !node->sw);
	if (!end)
		return fail(reterr, reterr_size, -ENOENT, "load: '%s': flows begin and end at "
			    "ports with a LID: %s", text,
			    node->sw ? "a switch's is port 0" : "the adapter has fewer");
	*ret_end = end;
	return 0;
}

/* The CA ports that have a cable, in the order of the file. */
static GPtrArray *every_end(const struct umadrig_fabric *fabric)
{
	GPtrArray *ends = g_ptr_array_new();

	for (guint i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		for (unsigned int num = 1; num <= node->port_count && !node->sw; num++) {
			struct port *port = &node->ports[num];

			/* Of a planarized HCA the first plane stands for all. */
			if (node->planes ? num == 1 : port->peer && port->end)
				g_ptr_array_add(ends, port->end);
		}
	}
	return ends;
}

static void append(GArray *flows, const struct load_order *order, struct end_port *from,
		   struct end_port *to)
{
	const struct planes *planes = from->port->node->planes;
	struct node_place place;
	bool is_spread = planes && node_place_parse(order->from, &place) == 0 && !place.has_port;
	unsigned int parts = is_spread ? planes->hca->port_count : 1;
	struct flow flow = {
		.packet_size = order->packet_size,
		.from = from,
		.to = to,
		.wanted = order->bits_per_s / parts,
	};

	if (port_speaker(from->port) == port_speaker(to->port))
		return;
	/* What an HCA sends goes by all its planes alike, unless one of them is named. */
	for (unsigned int plane = 1; plane <= parts; plane++) {
		if (is_spread)
			flow.from = planes->hca->ports[plane].end;
		g_array_append_val(flows, flow);
	}
}

/* One end of the order is "all". 0 or -errno with a message. */
static int append_all(struct umadrig_fabric *fabric, const struct load_order *order, GArray *flows,
		      char *reterr, size_t reterr_size)
{
	bool from_all = strcmp(order->from, all) == 0, to_all = strcmp(order->to, all) == 0;
	bool to_next = strcmp(order->to, next) == 0;
	g_autoptr(GPtrArray) ends = every_end(fabric);
	struct end_port *one = NULL;

	if (from_all && to_all && (uint64_t)ends->len * ends->len > FLOWS_MAX)
		return fail(reterr, reterr_size, -E2BIG, "load: %u ports to each other are more "
			    "than %d flows; 'all:next' has one for each port", ends->len,
			    FLOWS_MAX);
	if (!from_all || (!to_all && !to_next)) {
		int err = find_end(fabric, from_all ? order->to : order->from, &one, reterr,
				   reterr_size);

		if (err < 0)
			return err;
	}
	for (guint i = 0; i < ends->len; i++) {
		struct end_port *end = g_ptr_array_index(ends, i);

		if (to_next)
			append(flows, order, end, g_ptr_array_index(ends, (i + 1) % ends->len));
		else if (one)
			append(flows, order, from_all ? end : one, from_all ? one : end);
		for (guint j = 0; j < ends->len && !to_next && !one; j++)
			append(flows, order, end, g_ptr_array_index(ends, j));
	}
	return 0;
}

static int append_flows(struct umadrig_fabric *fabric, const struct load_order *order,
			GArray *flows, char *reterr, size_t reterr_size)
{
	struct end_port *from, *to;
	int err;

	if (strcmp(order->from, all) == 0 || strcmp(order->to, all) == 0)
		return append_all(fabric, order, flows, reterr, reterr_size);
	err = find_end(fabric, order->from, &from, reterr, reterr_size);
	if (err == 0)
		err = find_end(fabric, order->to, &to, reterr, reterr_size);
	if (err < 0)
		return err;
	append(flows, order, from, to);
	return 0;
}

int load_add(struct umadrig_fabric *fabric, const char *text, char *reterr, size_t reterr_size)
{
	g_autoptr(GArray) flows = g_array_new(false, false, sizeof(struct flow));
	struct load *load = load_of(fabric);
	struct load_order order;
	int ret = load_order_parse(text, &order, reterr, reterr_size);

	if (ret < 0)
		return ret;
	ret = append_flows(fabric, &order, flows, reterr, reterr_size);
	if (ret == 0 && flows->len == 0)
		ret = fail(reterr, reterr_size, -EINVAL, "load %s: a flow from a port to itself "
			   "crosses no cable", text);
	if (ret == 0 && load->flows->len + flows->len > FLOWS_MAX)
		ret = fail(reterr, reterr_size, -E2BIG, "load: more than %d flows", FLOWS_MAX);
	load_order_clear(&order);
	if (ret < 0)
		return ret;
	change(fabric);
	load->last_id++;
	for (guint i = 0; i < flows->len; i++)
		g_array_index(flows, struct flow, i).id = load->last_id;
	g_array_append_vals(load->flows, flows->data, flows->len);
	return load->last_id;
}

int load_remove(struct umadrig_fabric *fabric, int id)
{
	GArray *flows = fabric->load ? fabric->load->flows : NULL;
	guint kept = 0;

	if (id == 0 && !flows)
		return 0;
	if (!flows)
		return -ENOENT;
	change(fabric);
	for (guint i = 0; i < flows->len; i++) {
		const struct flow *flow = &g_array_index(flows, struct flow, i);

		if (id != 0 && flow->id != id)
			g_array_index(flows, struct flow, kept++) = *flow;
	}
	if (kept == flows->len && id != 0)
		return -ENOENT;
	g_array_set_size(flows, kept);
	return 0;
}

void load_clear(struct umadrig_fabric *fabric)
{
	if (!fabric->load)
		return;
	g_array_unref(fabric->load->flows);
	g_ptr_array_unref(fabric->load->ports);
	fabric->load_calls = NULL;
	g_clear_pointer(&fabric->load, g_free);
}

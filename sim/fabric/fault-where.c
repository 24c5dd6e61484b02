/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Filters in rules of faults: see sim/fabric/fault-where.h. */
#include "sim/fabric/fault-where.h"

#include <glib.h>
#include <string.h>

#include "kmod-stub/packet.h"
#include "lib/words/node-place.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/subnet.h"
#include "sim/filter/filter-test.h"

/* Whom a test means that names an end, or has its GUID. */
struct meant {
	const struct filter_test *test;
	const struct node *node;	/* by its name */
	const struct end_port *end;	/* by its GUID: of one of its ports ('node' is NULL) */
	unsigned int port;
	bool has_port;
};

struct fault_where {
	struct mad_filter *filter;
	GArray *meant;			/* of struct meant */
};

/* ---- names ---- */

struct finder {
	struct umadrig_fabric *fabric;
	struct fault_where *where;
	char *reterr;
	size_t reterr_size;
	bool failed;
};

static bool find_guid(struct finder *finder, struct meant *meant)
{
	uint64_t guid = meant->test->value;

	for (unsigned int i = 0; i < finder->fabric->nodes->len; i++) {
		const struct node *node = g_ptr_array_index(finder->fabric->nodes, i);

		if (node->node_guid == guid)
			meant->node = node;
		for (unsigned int port = 0; port <= node->port_count && !meant->node; port++) {
			if (node->ports[port].end && node->ports[port].end->guid == guid)
				meant->end = node->ports[port].end;
		}
		if (meant->node || meant->end)
			return true;
	}
	return false;
}

static bool find_name(struct finder *finder, struct meant *meant)
{
	struct node_place place;
	g_autofree char *name = NULL;

	/* A node may be called as a port is. */
	meant->node = fabric_node(finder->fabric, meant->test->text);
	if (meant->node || node_place_parse(meant->test->text, &place) < 0)
		return meant->node != NULL;
	name = g_strndup(place.name, place.name_size);
	meant->node = fabric_node(finder->fabric, name);
	meant->has_port = place.has_port;
	meant->port = place.port;
	return meant->node && place.port <= meant->node->port_count;
}

/* A filter_test_fn: finds whom the test means. */
static bool find_end(const struct filter_test *test, void *ctx)
{
	struct finder *finder = ctx;
	struct meant meant = { .test = test };

	if (!test->text || filter_test_is_address(test))
		return true;
	if (!(test->is_guid ? find_guid(finder, &meant) : find_name(finder, &meant))) {
		g_snprintf(finder->reterr, (gulong)finder->reterr_size,
			   "where: there is no node or port %s", test->text);
		finder->failed = true;
		return false;
	}
	g_array_append_val(finder->where->meant, meant);
	return true;
}

struct fault_where *fault_where_new(struct umadrig_fabric *fabric,
				    const struct umadrig_fault *fault, char *reterr,
				    size_t reterr_size)
{
	struct mad_filter *filter = fault_where_of(fault, reterr, reterr_size);
	struct finder finder = { .fabric = fabric, .reterr = reterr, .reterr_size = reterr_size };

	if (!filter)
		return NULL;
	finder.where = g_new0(struct fault_where, 1);
	finder.where->filter = filter;
	finder.where->meant = g_array_new(false, false, sizeof(struct meant));
	mad_filter_each(filter, find_end, &finder);
	if (!finder.failed)
		return finder.where;
	fault_where_free(finder.where);
	return NULL;
}

void fault_where_free(struct fault_where *where)
{
	if (!where)
		return;
	mad_filter_free(where->filter);
	g_array_unref(where->meant);
	g_free(where);
}

/* ---- ends of packets ---- */

struct crossing {
	const struct fault_where *where;
	const struct port *out;
	const uint8_t *mad;
	struct packet_addr addr;
};

/* The port at the other end of the cable at 'number'; NULL: there is none. */
static const struct port *across(const struct port *at, unsigned int number)
{
	return at && number > 0 && number <= at->node->port_count ?
	       at->node->ports[number].peer : NULL;
}

/*
 * One end of a directed route (IBA vol 1, 14.2.2), from the cable that the packet is on. The hop
 * pointer is the number of that cable on the way out and, of the same route, on the way back.
 */
static const struct port *route_end(const struct crossing *crossing, bool requester)
{
	const uint8_t *mad = crossing->mad;
	unsigned int hop = mad[SMP_HOP_PTR], hops = mad[SMP_HOP_CNT];
	bool is_returning = get_be16(mad + MAD_STATUS) & SMP_DIRECTION;
	const struct port *near = is_returning ? crossing->out->peer : crossing->out;
	const struct port *far = is_returning ? crossing->out : crossing->out->peer;

	/* Where an answer leaves, the pointer may still be that of its node. */
	if (is_returning)
		hop = MIN(hop, hops);
	if (hop == 0 || hops >= SMP_PATH_SIZE || hop > hops)
		return NULL;
	if (requester) {
		while (--hop > 0)
			near = across(near, mad[SMP_RETURN_PATH + hop]);
		return near;
	}
	while (++hop <= hops)
		far = across(far, mad[SMP_INITIAL_PATH + hop]);
	return far;
}

/* Behind a router the LRH has its LID: the GID is that of the port itself. */
static const struct port *behind_router(const struct crossing *crossing, const uint8_t gid[16])
{
	const GPtrArray *nodes = crossing->out->node->fabric->nodes;
	uint64_t guid = get_be64(gid + 8);

	for (unsigned int i = 0; i < nodes->len; i++) {
		const struct node *node = g_ptr_array_index(nodes, i);

		for (unsigned int port = 0; port <= node->port_count; port++) {
			if (node->ports[port].end && node->ports[port].end->guid == guid)
				return &node->ports[port];
		}
	}
	return NULL;
}

static const struct port *lid_end(const struct crossing *crossing, bool source)
{
	const struct port *out = crossing->out;
	const struct end_port *here = out->end ? out->end : out->node->ends;
	const struct end_port *end =
		subnet_end_by_lid(here->subnet, source ? crossing->addr.slid : crossing->addr.dlid);

	if (!end || end->port->node->kind != TOPOLOGY_ROUTER || !crossing->addr.has_grh)
		return end ? end->port : NULL;
	return behind_router(crossing, source ? crossing->addr.sgid : crossing->addr.dgid);
}

/* The port that sent the packet, or that it is for; NULL: not known. */
static const struct port *end_of(const struct crossing *crossing, bool source)
{
	bool is_returning = get_be16(crossing->mad + MAD_STATUS) & SMP_DIRECTION;

	return crossing->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR &&
	       crossing->addr.slid == LID_PERMISSIVE ?
	       route_end(crossing, source != is_returning) : lid_end(crossing, source);
}

static bool is_meant(const struct meant *meant, const struct port *port)
{
	/* A switch has one end port for all of its cables. */
	unsigned int number = port && port->node->sw ? 0 : port ? port->num : 0;

	if (!port)
		return false;
	if (meant->end)
		return port->node == meant->end->port->node && number == meant->end->port->num;
	return port->node == meant->node && (!meant->has_port || number == meant->port);
}

static const struct meant *meant_by(const struct crossing *crossing,
				    const struct filter_test *test)
{
	const GArray *all = crossing->where->meant;

	for (guint i = 0; i < all->len; i++) {
		if (g_array_index(all, struct meant, i).test == test)
			return &g_array_index(all, struct meant, i);
	}
	return NULL;
}

/* A filter_more_fn: ends that are no addresses; all else has been refused. */
static bool fits_end(const struct filter_test *test, void *ctx)
{
	const struct crossing *crossing = ctx;
	const struct meant *meant = meant_by(crossing, test);

	if (!meant)
		return false;
	return (test->what != FILTER_TO && is_meant(meant, end_of(crossing, true))) ||
	       (test->what != FILTER_FROM && is_meant(meant, end_of(crossing, false)));
}

bool fault_where_fits(const struct fault_where *where, const struct port *out,
		      const struct packet *packet)
{
	struct packet copy = *packet;
	struct crossing crossing = { .where = where, .out = out, .mad = packet_mad_const(packet) };
	struct filter_subject subject = { .mad = crossing.mad, .addr = &crossing.addr,
					  .has_lrh = true };

	/* What carries no MAD has no fields. */
	if (!packet_parse(&copy, (size_t)packet->mad_at + packet->mad_size, &crossing.addr))
		return false;
	if (packet->raw && crossing.addr.dest_qp > 1)
		return false;
	subject.has_grh = crossing.addr.has_grh;
	return mad_filter_keeps(where->filter, &subject, fits_end, &crossing);
}

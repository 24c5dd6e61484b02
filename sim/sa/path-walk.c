/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The way from an end port to a LID: see sim/sa/path-walk.h.
 */
#include "sim/sa/path-walk.h"

#include <glib.h>

#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"

/* ---- rates ---- */

struct rate {
	unsigned int mbps_100;		/* in 100 Mb/s */
	uint8_t code;
};

/* Rank 1 is the first. */
static const struct rate rates[] = {
	{ 25, 2 }, { 50, 5 }, { 100, 3 }, { 140, 11 }, { 200, 6 }, { 250, 15 }, { 280, 19 },
	{ 300, 4 }, { 400, 7 }, { 500, 20 }, { 560, 12 }, { 600, 8 }, { 800, 9 }, { 1000, 16 },
	{ 1120, 13 }, { 1200, 10 }, { 1680, 14 }, { 2000, 17 }, { 3000, 18 }, { 4000, 21 },
	{ 6000, 22 }, { 8000, 23 }, { 12000, 24 },
};

uint8_t path_rate_code(unsigned int rank)
{
	return rank >= 1 && rank <= G_N_ELEMENTS(rates) ? rates[rank - 1].code : 0;
}

unsigned int path_rate_rank(uint8_t code)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(rates); i++) {
		if (rates[i].code == code)
			return i + 1;
	}
	return 0;
}

/* Of one lane, in 100 Mb/s. FDR10 counts as the QDR that it is in PortInfo. */
static unsigned int lane_rate(const struct port *port)
{
	uint8_t ext = port->speed_ext_active;

	if (ext)
		return ext & LINK_SPEED_XDR ? 2000 : ext & LINK_SPEED_NDR ? 1000 :
		       ext & LINK_SPEED_HDR ? 500 : ext & LINK_SPEED_EDR ? 250 : 140;
	return port->speed_active & 4 ? 100 : port->speed_active & 2 ? 50 : 25;
}

unsigned int path_port_rate(const struct port *port)
{
	unsigned int rate = link_lanes(port->width_active) * lane_rate(port);
	unsigned int rank = G_N_ELEMENTS(rates);

	while (rank > 1 && rates[rank - 1].mbps_100 > rate)
		rank--;
	return rank;
}

/* ---- the way ---- */

static bool cross(const struct port *port, struct path *path)
{
	if (!port_is_linked(port) || port->state != PORT_ACTIVE || port->peer->state != PORT_ACTIVE)
		return false;
	path->mtu = MIN(path->mtu, MIN(port->neighbor_mtu, port->peer->neighbor_mtu));
	path->rate = MIN(path->rate, MIN(path_port_rate(port), path_port_rate(port->peer)));
	return true;
}

/* The port by which a switch sends what is for 'dlid'; NULL: none. Port 0 is the switch itself. */
static const struct port *egress(struct node *sw, uint16_t dlid)
{
	unsigned int num = switch_egress(sw, dlid);

	return num <= sw->port_count ? &sw->ports[num] : NULL;
}

/* Between two planarized HCAs all planes that both have up carry data, each at the rate 'rank'. */
static unsigned int rate_of_planes(const struct end_port *from, const struct end_port *to,
				   unsigned int rank)
{
	const struct planes *a = from->port->node->planes, *b = to->port->node->planes;
	unsigned int all, higher = rank;

	if (!a || !b || a == b)
		return rank;
	all = rates[rank - 1].mbps_100 * MIN(planes_count_up(a), planes_count_up(b));
	while (higher < G_N_ELEMENTS(rates) && rates[higher].mbps_100 <= all)
		higher++;
	return higher;
}

bool path_walk(const struct end_port *from, const struct end_port *to, uint16_t dlid,
	       struct path *ret_path)
{
	struct path path = {
		.mtu = MIN(from->port->mtu_cap, to->port->mtu_cap),
		.rate = MIN(path_port_rate(from->port), path_port_rate(to->port)),
	};
	const struct port *port = from->port;

	if (from != to && port->node->sw)
		port = egress(port->node, dlid);
	else if (port->node->planes)
		port = planes_toward(port->node->planes, dlid);
	while (from != to) {
		if (!port || port->num == 0 || !cross(port, &path))
			return false;
		port = port->peer;
		if (port == to->port || (!port->node->sw && port_speaker(port) == to))
			break;
		if (!port->node->sw)
			return false;
		port = egress(port->node, dlid);
		if (port == to->port)
			break;
		if (++path.hops > PATH_HOPS_MAX)
			return false;
	}
	path.rate = rate_of_planes(from, to, path.rate);
	*ret_path = path;
	return true;
}

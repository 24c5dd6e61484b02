/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Cables: see sim/fabric/cable.h.
 */
#include "sim/fabric/cable.h"

#include <errno.h>
#include <glib.h>

#include "lib/base/invariant.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/kernel-message.h"
#include "sim/fabric/link.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route-map.h"
#include "sim/fabric/subnet.h"

bool cable_is_plugged(const struct port *port)
{
	return port->peer && !port->unplugged;
}

static void say_modules(const struct port *port, bool is_plugged)
{
	kernel_say_module(port->node, port->num, is_plugged);
	kernel_say_module(port->peer->node, port->peer->num, is_plugged);
}

static void set_unplugged(struct port *port, bool unplugged)
{
	port->unplugged = port->peer->unplugged = unplugged;
	say_modules(port, !unplugged);
}

int cable_pull(struct port *port)
{
	if (!port->peer)
		return -ENXIO;
	if (port->unplugged)
		return 0;
	link_lose(port);
	set_unplugged(port, true);
	return 0;
}

int cable_plug(struct port *port)
{
	if (!port->peer)
		return -ENXIO;
	if (!port->unplugged)
		return 0;
	set_unplugged(port, false);
	link_train(port);
	return 0;
}

/* Packets that were on the cable when it was pulled never arrive. */
static void take_away(struct port *port)
{
	struct port *ends[] = { port, port->peer };

	if (!port->peer)
		return;
	route_map_forget(port->node->fabric);
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		fault_hold_lose(ends[i]);
		ends[i]->peer = NULL;
		ends[i]->unplugged = false;
		ends[i]->widths_left = ends[i]->speed_left = 0;
	}
}

void cable_remove(struct port *port)
{
	if (cable_is_plugged(port)) {
		link_lose(port);
		say_modules(port, false);
	}
	take_away(port);
}

int cable_lay(struct port *a, struct port *b)
{
	if (a == b || a->num == 0 || b->num == 0)
		return -EINVAL;
	if (cable_is_plugged(a) || cable_is_plugged(b))
		return -EBUSY;
	load_touch(a->node->fabric);
	take_away(a);
	take_away(b);
	route_map_forget(a->node->fabric);
	subnet_join(a, b);
	a->peer = b;
	b->peer = a;
	say_modules(a, true);
	link_train(a);
	return 0;
}

const char *cable_check(const struct port *port)
{
	const struct port *peer = port->peer;

	NEVER(!peer && (port->unplugged || port->widths_left || port->speed_left),
	      "cable: never pulled, or bad, without being there");
	if (!peer)
		return NULL;
	MUST(peer->peer == port, "cable: its ends know each other");
	NEVER(peer == port, "cable: never with both ends in one port");
	NEVER(port->num == 0, "cable: never at port 0");
	MUST(peer->node->fabric == port->node->fabric, "cable: its ends are of one fabric");
	MUST(port->unplugged == peer->unplugged, "cable: it is pulled at both ends");
	MUST(port->widths_left == peer->widths_left && port->speed_left == peer->speed_left,
	     "cable: it is as bad at both ends");
	MUST(port_speaker(port)->subnet == port_speaker(peer)->subnet,
	     "cable: its ends are in one subnet");
	return NULL;
}

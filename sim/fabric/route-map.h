/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The cables of a fabric's switches in one piece, for what looks at all of them again and again:
 * sim/fabric/route.c. It is made when it is first asked for, and has every cable, whether its link
 * is up or not.
 */
#ifndef UMADRIG_SIM_FABRIC_ROUTE_MAP_H
#define UMADRIG_SIM_FABRIC_ROUTE_MAP_H

#include <stdint.h>

struct end_port;
struct node;
struct umadrig_fabric;

/* A cable to another switch (or back), by its place in the map. */
struct route_cable {
	uint32_t to;
	uint8_t num;			/* the port that it begins at */
};

/* An end port at a switch: behind a port, or the switch's own, which is behind port 0. */
struct route_exit {
	const struct end_port *end;
	uint8_t num;
};

struct route_place {
	struct node *sw;
	uint32_t cable, exit;		/* its first ones; the next place's end them */
};

struct route_map {
	uint32_t count;			/* switches, in the order of the fabric's nodes */
	struct route_place *places;	/* and one more, which ends the last one's */
	struct route_cable *cables;
	struct route_exit *exits;
};

/* That of the fabric, which owns it; it is good until route_map_forget(). */
const struct route_map *route_map_of(struct umadrig_fabric *fabric);

/* Cables have changed, or the fabric ends. */
void route_map_forget(struct umadrig_fabric *fabric);

#endif

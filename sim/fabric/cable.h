/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Cables: pulled, plugged in again, moved to other ports. The effect on links is in
 * sim/fabric/link.c.
 *
 * A cable that was pulled is remembered at both ends, so that it can be plugged in again as it was.
 */
#ifndef UMADRIG_SIM_FABRIC_CABLE_H
#define UMADRIG_SIM_FABRIC_CABLE_H

#include <stdbool.h>

struct port;

/* Is there a cable, and is it plugged in? */
bool cable_is_plugged(const struct port *port);

/* The invariants of the cable at 'port', if there is one: lib/base/invariant.h. */
const char *cable_check(const struct port *port);

/*
 * Pulls the cable at 'port', or plugs it in again. The link goes down now; or it trains, and its
 * ports are then in Init, as after power-up. -ENXIO: the port has no cable. 0, also if nothing
 * changes.
 */
int cable_pull(struct port *port);
int cable_plug(struct port *port);

/* Takes the cable at 'port' away, if there is one, as if it had never been there. */
void cable_remove(struct port *port);

/*
 * Connects two ports by a new cable; unplugged cables there are removed. -EBUSY: a port has one
 * that is plugged in; -EINVAL: both are the same port, or one is port 0 of a switch.
 */
int cable_lay(struct port *a, struct port *b);

#endif

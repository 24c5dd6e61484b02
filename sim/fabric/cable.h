/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Cables: pulled, plugged in again, moved to other ports. What that does to links is
 * sim/fabric/link.c's affair.
 *
 * A cable that was pulled is remembered at both ends, so that it can be plugged in again as it was.
 */
#ifndef UMADRIG_SIM_FABRIC_CABLE_H
#define UMADRIG_SIM_FABRIC_CABLE_H

#include <stdbool.h>

struct port;

/* Is there a cable, and is it plugged in? */
bool cable_is_plugged(const struct port *port);

/*
 * Pulls the cable at 'port', or plugs it in again. The link falls now; or it trains, and its ports
 * are then in Init, as after power-up. -ENXIO: the port has no cable. 0 where it was so already.
 */
int cable_pull(struct port *port);
int cable_plug(struct port *port);

/*
 * A cable between two ports that have none that is plugged in; those that hang loose there are
 * taken away. -EBUSY: one has; -EINVAL: both are one port, or one is port 0 of a switch.
 */
int cable_lay(struct port *a, struct port *b);

#endif

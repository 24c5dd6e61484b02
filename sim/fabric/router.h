/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Routers: packets with a GRH from one subnet to another (IBA vol 1, 8.3 and 19.2).
 *
 * A router has a port in each of its subnets, and knows them by the GID prefixes of its ports,
 * which an SM sets. A packet comes to the LID of one port, with the GID of its destination; by that
 * prefix the router chooses the port of its way on, by the way over the fewest routers. There the
 * packet gets a new LRH: from that port's LID, to that of the next router, or of the port that has
 * the GID. (IBA does not say how routers learn those LIDs. Ours know them.)
 */
#ifndef UMADRIG_SIM_FABRIC_ROUTER_H
#define UMADRIG_SIM_FABRIC_ROUTER_H

#include <stdbool.h>
#include <stdint.h>

struct end_port;
struct node;
struct packet;
struct port;
struct subnet;

/* All of these: lock held. Ports that are not Active, or have no LID, lead nowhere. */

/*
 * The port of a router in 'subnet' to which packets go for the subnet that has the prefix, which is
 * another one. NULL: no router leads there.
 */
struct end_port *router_toward(const struct subnet *subnet, uint64_t gid_prefix);

/* The next part of a way, from a router to a port in one of its subnets. */
struct router_step {
	struct port *out;
	struct end_port *next;		/* a router's, or the destination */
};

/*
 * How a router sends on what is for 'gid' (16 bytes). False: it does not, and 'why' (DROP_WHY_SIZE)
 * is filled in.
 */
bool router_step(const struct node *router, const uint8_t *gid, struct router_step *ret_step,
		 char *why);

/* Is a packet that has come to its LID at 'in', a port of a router, for the router to send on? */
bool router_is_for_others(const struct port *in, const struct packet *packet);

/*
 * Gives such a packet its new LRH, and a HopLimit of one less. The port by which it is to leave;
 * NULL: it goes no further, and 'why' (DROP_WHY_SIZE) is filled in.
 */
struct port *router_forward(const struct port *in, struct packet *packet, char *why);

#endif

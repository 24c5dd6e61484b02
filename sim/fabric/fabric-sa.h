/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a subnet knows of the subnet administration that the fabric gives it (sa=builtin, sim/sa/),
 * which is above it: on which port it is, and whom to call. NULL in struct subnet: there is none.
 */
#ifndef UMADRIG_SIM_FABRIC_FABRIC_SA_H
#define UMADRIG_SIM_FABRIC_FABRIC_SA_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/subnet.h"

struct packet;
struct sa_store;

/*
 * Takes a packet that has arrived at QP1 of the SA's port, if it is the SA's. False: it stays the
 * caller's. Lock held.
 */
typedef bool fabric_sa_take_fn(struct subnet *subnet, struct packet *packet);

/* Ends the SA; subnet->sa is NULL then. Lock held. */
typedef void fabric_sa_end_fn(struct subnet *subnet);

/* It has something to send: at this instant, but after the present event. Lock held. */
typedef void fabric_sa_wake_fn(struct subnet *subnet);

/* The link of an end port is down, or its node without power; or its link is active. Lock held. */
typedef void fabric_sa_lost_fn(const struct end_port *end);
typedef void fabric_sa_gained_fn(const struct end_port *end);

/*
 * A trap of the port with this LID has arrived: 'notice' is its 64 bytes. Sets the M_Key that the
 * port wants in what represses it. False: nobody wants to know of traps. Lock held.
 */
typedef bool fabric_sa_heard_fn(struct subnet *subnet, uint16_t slid, const uint8_t *notice,
				uint64_t *ret_m_key);

struct fabric_sa {
	struct end_port *end;
	fabric_sa_take_fn *take;
	fabric_sa_end_fn *finish;
	fabric_sa_wake_fn *wake;
	fabric_sa_lost_fn *lost;
	fabric_sa_gained_fn *gained;
	fabric_sa_heard_fn *heard;
	struct sa_store *store;		/* private to sim/sa/: what programs have registered */
};

/* Is its subnet's SA on this port, if it is the fabric's own? */
static inline bool fabric_sa_is_on(const struct end_port *end)
{
	const struct fabric_sa *sa = end->subnet->sa;

	return sa && sa->end == end;
}

/* To be called when a subnet manager has come: the fabric's own SA gives way, for good. */
static inline void fabric_sa_give_way(struct subnet *subnet)
{
	if (subnet->sa)
		subnet->sa->finish(subnet);
}

/* Has any subnet of the fabric an SA of the fabric's own? */
static inline bool fabric_has_sa(const struct umadrig_fabric *fabric)
{
	for (unsigned int i = 0; i < fabric->subnets->len; i++) {
		if (fabric_subnet(fabric, i)->sa)
			return true;
	}
	return false;
}

/* To be called when an end port is out of service. */
static inline void fabric_sa_lose(const struct end_port *end)
{
	const struct fabric_sa *sa = end->subnet->sa;

	if (sa)
		sa->lost(end);
}

/* To be called when an end port is in service: a program, if no SM, has made its link active. */
static inline void fabric_sa_gain(const struct end_port *end)
{
	const struct fabric_sa *sa = end->subnet->sa;

	if (sa)
		sa->gained(end);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Subnets: end ports that cables and switches join, and who has which LID among them. Two subnets
 * may have the same LIDs. Routers, and HCAs with several ports, may be in several.
 *
 * What subnet an end port is in, is decided by cables, whether their links are up or not: a file's
 * (sim/topology/topology-subnet.h), and new ones (subnet_join()). An end port whose cable is gone
 * stays in the subnet that it was in.
 */
#ifndef UMADRIG_SIM_FABRIC_SUBNET_H
#define UMADRIG_SIM_FABRIC_SUBNET_H

#include <glib.h>
#include <stdint.h>

#include "sim/fabric/fabric.h"

enum {
	SUBNET_LIDS_PER_PAGE = 256,
	SUBNET_PAGES = LID_COUNT / SUBNET_LIDS_PER_PAGE,
};

struct subnet {
	struct umadrig_fabric *fabric;
	unsigned int number;		/* in fabric->subnets */
	GPtrArray *ends;		/* of struct end_port *, in order of nodes; or none */
	GPtrArray *routers;		/* those of 'ends' that are routers' */
	struct end_port **by_lid[SUBNET_PAGES];	/* private; NULL: a page without LIDs */
	bool has_rivals;		/* private: a LID was claimed that another has */
	struct fabric_sa *sa;		/* sim/fabric/fabric-sa.h; NULL: there is none */
};

/* Adds a subnet without end ports to the fabric. */
struct subnet *subnet_new(struct umadrig_fabric *fabric);
/* Frees all subnets of the fabric. */
void subnets_free(struct umadrig_fabric *fabric);

/* All of these: lock held. */

/* Subnet 'number' of a fabric, which has as many as fabric->subnets->len. */
static inline struct subnet *fabric_subnet(const struct umadrig_fabric *fabric,
					   unsigned int number)
{
	return g_ptr_array_index(fabric->subnets, number);
}

/* Puts a new end port, without LIDs, behind those that the subnet has. */
void subnet_add(struct subnet *subnet, struct end_port *end);

/* The end port that has a LID; NULL: none, or it is no unicast LID. */
static inline struct end_port *subnet_end_by_lid(const struct subnet *subnet, uint16_t lid)
{
	struct end_port **page = lid < LID_COUNT ? subnet->by_lid[lid / SUBNET_LIDS_PER_PAGE] :
			       NULL;

	return page ? page[lid % SUBNET_LIDS_PER_PAGE] : NULL;
}

/* Enters an end port's LIDs, and takes them out again. */
void subnet_enter_lids(struct end_port *end);
void subnet_leave_lids(const struct end_port *end);

/* Its invariants, those of its LIDs among them: lib/base/invariant.h. */
const char *subnet_check(const struct subnet *subnet);

/*
 * A new cable joins two ports. If they are of two subnets, those on the side with fewer end ports
 * move to the other's: a subnet that has none left is still there.
 */
void subnet_join(struct port *a, struct port *b);

#endif

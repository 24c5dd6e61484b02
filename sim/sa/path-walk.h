/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The way from an end port to a LID, by the forwarding tables of the switches as they are now, and
 * what its links allow.
 */
#ifndef UMADRIG_SIM_SA_PATH_WALK_H
#define UMADRIG_SIM_SA_PATH_WALK_H

#include <stdbool.h>
#include <stdint.h>

struct end_port;
struct port;

enum { PATH_HOPS_MAX = 64 };		/* switches; more are a loop */

struct path {
	unsigned int mtu;		/* the smallest, as a code: 1 256 ... 5 4096 */
	unsigned int rate;		/* rank of the lowest: path_rate_code() */
	unsigned int hops;		/* switches that forward */
};

/*
 * Follows the tables from 'from' to 'dlid', one of the LIDs of 'to'. False: packets do not get
 * there, as a link is not active, a table has no port, or the way goes round in circles. The way
 * from a port to itself has no link.
 */
bool path_walk(const struct end_port *from, const struct end_port *to, uint16_t dlid,
	       struct path *ret_path);

/*
 * Rates in order: PathRecord.Rate (IBA vol 1, table 224) has grown by codes that are not. The code
 * of a rank from 1 on, 0: there is none; the rank of a code, 0: it is not known; the rank of what a
 * port's link carries. Port 0 of a switch has no link, but a rate in its PortInfo: OpenSM goes by
 * that, and so do we.
 */
uint8_t path_rate_code(unsigned int rank);
unsigned int path_rate_rank(uint8_t code);
unsigned int path_port_rate(const struct port *port);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Virtual lanes: on which VL a packet leaves a port (IBA vol 1, 7.6.6).
 *
 * Its SL says so, by the table of the port that it leaves by, and on a switch of the port that it
 * came in by as well. SMPs are apart: they are on VL 15, whatever their SL. No lane ever fills up
 * here, so nothing is left for VLArbitrationTable to decide.
 */
#ifndef UMADRIG_SIM_FABRIC_LANE_H
#define UMADRIG_SIM_FABRIC_LANE_H

#include <stdbool.h>

#include "kmod-stub/packet.h"

struct port;

enum { LANE_SMP = 15 };

/* Is the packet on the lane of SMPs? */
static inline bool lane_is_smp(const struct packet *packet)
{
	return packet->bytes[LRH_VL] >> 4 == LANE_SMP;
}

/* Before an SM has written a table: SL n on VL n, as far as the port has operational VLs. */
unsigned int lane_default(const struct port *out, unsigned int sl);

/*
 * The lane of service level 'sl' out of 'out', from port 'ingress' of the same switch (0: from the
 * node itself); LANE_SMP: it has none, and such a packet is discarded.
 */
unsigned int lane_find(const struct port *out, unsigned int ingress, unsigned int sl);

#endif

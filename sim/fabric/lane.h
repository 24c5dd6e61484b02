/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Virtual lanes: on which VL a packet leaves a port (IBA vol 1, 7.6.6).
 *
 * The table of the port that it leaves by maps its SL, on a switch together with the port that it
 * came in by. SMPs are on VL 15, whatever their SL. No lane ever fills up here, so
 * VLArbitrationTable has nothing to decide.
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

/*
 * The lane before an SM has written a table: SL n is on VL n, as far as the port has operational
 * VLs.
 */
unsigned int lane_default(const struct port *out, unsigned int sl);

/*
 * The lane of service level 'sl' out of 'out', from port 'ingress' of the same switch (0: from the
 * node itself); LANE_SMP: there is none, and the packet is discarded.
 */
unsigned int lane_find(const struct port *out, unsigned int ingress, unsigned int sl);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Virtual lanes: see sim/fabric/lane.h.
 */
#include "sim/fabric/lane.h"

#include "sim/fabric/port.h"

/* OperationalVLs: 1, 2, 4, 8 or 15 lanes. */
static unsigned int lane_count(const struct port *out)
{
	return out->operational_vls > 4 ? 15 : 1U << (out->operational_vls - 1);
}

unsigned int lane_default(const struct port *out, unsigned int sl)
{
	return sl % lane_count(out);
}

unsigned int lane_find(const struct port *out, unsigned int ingress, unsigned int sl)
{
	unsigned int lane;

	if (!out->sl_to_vl)
		return lane_default(out, sl);
	lane = out->sl_to_vl[ingress][sl / 2] >> (sl % 2 ? 0 : 4) & 0xf;
	return lane < lane_count(out) ? lane : LANE_SMP;
}

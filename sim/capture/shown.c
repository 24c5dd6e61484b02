/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A captured MAD: see sim/capture/shown.h.
 */
#include "sim/capture/shown.h"

struct umadrig_mad capture_mad_shown(const struct capture_mad *mad)
{
	return (struct umadrig_mad){
		.at_ns = mad->time_ns,
		.port = mad->interface_name,
		.outbound = mad->direction == CAPTURE_OUTBOUND,
		.slid = mad->addr.slid,
		.dlid = mad->addr.dlid,
		.mad = mad->mad,
		.comment = mad->comment,
	};
}

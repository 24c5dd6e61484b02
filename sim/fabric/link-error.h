/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a port notices of a bad cable, or of a neighbour that does not keep to the rules: errors are
 * counted, and where PortInfo has a threshold that is exceeded, the SM is told (IBA vol 1, 7.12 and
 * 14.2.5.6).
 *
 * LocalPhyErrors: each packet with a wrong CRC adds one, each good one takes one off; beyond the
 * threshold the link's integrity is in doubt (trap 129), and it trains anew at once. OverrunErrors:
 * packets one after the other for which there was no buffer (trap 130).
 */
#ifndef UMADRIG_SIM_FABRIC_LINK_ERROR_H
#define UMADRIG_SIM_FABRIC_LINK_ERROR_H

#include <stdbool.h>

#include "sim/api/umadrig.h"
#include "sim/fabric/port.h"

/* Error 'error' is there, now: counts it, and tells the SM. */
void link_error_report(struct port *port, enum umadrig_link_error error);

/* Noise has changed so many octets of what has come to the port. */
void link_error_symbols(struct port *port, unsigned int count);

/* A packet has come in that is wrong: 'counter' counts that; COUNTER_NEVER: nothing does. */
void link_error_packet(struct port *port, enum counter counter);

/* One that there was no buffer for: an SMP is lost, others break the rules of flow control. */
void link_error_overrun(struct port *port, bool is_smp);

/* Those before it were wrong, and now a good one has come in. */
void link_error_recover(struct port *port);

static inline void link_error_none(struct port *port)
{
	if (port->phys_errors || port->overruns)
		link_error_recover(port);
}

#endif

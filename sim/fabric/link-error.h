/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Errors that a port detects on a bad cable, or from a neighbour that violates the protocol: they
 * are counted, and when a threshold of PortInfo is exceeded, a trap is sent to the SM (IBA vol 1,
 * 7.12 and 14.2.5.6).
 *
 * LocalPhyErrors: each packet with a wrong CRC adds one, each good one subtracts one; above the
 * threshold the link's integrity is in doubt (trap 129), and it trains again at once.
 * OverrunErrors: consecutive packets for which there was no buffer (trap 130).
 */
#ifndef UMADRIG_SIM_FABRIC_LINK_ERROR_H
#define UMADRIG_SIM_FABRIC_LINK_ERROR_H

#include <stdbool.h>

#include "sim/api/umadrig.h"
#include "sim/fabric/port.h"

/* The port has error 'error' now: counts it, and sends a trap to the SM. */
void link_error_report(struct port *port, enum umadrig_link_error error);

/* Noise has changed 'count' octets of a packet that has come to the port. */
void link_error_symbols(struct port *port, unsigned int count);

/* A malformed packet has come in: counts it in 'counter'; COUNTER_NEVER: does not count it. */
void link_error_packet(struct port *port, enum counter counter);

/* There was no buffer for a packet: an SMP is lost, others violate flow control. */
void link_error_overrun(struct port *port, bool is_smp);

/* A good packet has come in after wrong ones. */
void link_error_recover(struct port *port);

static inline void link_error_none(struct port *port)
{
	if (port->phys_errors || port->overruns)
		link_error_recover(port);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ports of the public header, seen from inside.
 */
#ifndef UMADRIG_SIM_API_INSIDE_H
#define UMADRIG_SIM_API_INSIDE_H

#include "sim/api/umadrig.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"

/* A port of the public header is an end port, seen from outside. */
static inline struct end_port *inside(const struct umadrig_port *port)
{
	return (struct end_port *)(void *)port;
}

static inline struct umadrig_port *outside(struct end_port *end)
{
	return (struct umadrig_port *)(void *)end;
}

static inline struct umadrig_fabric *fabric_of(const struct umadrig_port *port)
{
	return inside(port)->port->node->fabric;
}

#endif

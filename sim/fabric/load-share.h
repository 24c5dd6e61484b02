/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ways of flows, and what each of them carries: see sim/fabric/fabric-load.h.
 */
#ifndef UMADRIG_SIM_FABRIC_LOAD_SHARE_H
#define UMADRIG_SIM_FABRIC_LOAD_SHARE_H

#include <glib.h>

struct flow;

/*
 * Fills in 'carried', 'state' and 'at' of 'flows', sets the rates of all ports that they cross, and
 * appends these to 'ports' (struct port *). Before, the rates of all ports are 0. Forwarding tables
 * on the ways are computed if they were not used yet.
 */
void load_share(struct flow *flows, size_t count, GPtrArray *ports);

#endif

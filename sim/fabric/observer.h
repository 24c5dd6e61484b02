/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One that looks on: it sees each packet where it leaves its port, and is told that something has
 * changed. It changes nothing itself, nor now: it arms events. See sim/property/property.h.
 */
#ifndef UMADRIG_SIM_FABRIC_OBSERVER_H
#define UMADRIG_SIM_FABRIC_OBSERVER_H

struct packet;
struct port;
struct umadrig_fabric;

/* Lock held. */
struct fabric_observer {
	/* Not raw packets. */
	void (*packet)(struct umadrig_fabric *fabric, struct port *port,
		       const struct packet *packet);
	/* What node_changed() is called for. */
	void (*change)(struct umadrig_fabric *fabric);
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ports: the PortInfo of a physical port, and what an SM has written there.
 */
#ifndef UMADRIG_SIM_FABRIC_PORT_H
#define UMADRIG_SIM_FABRIC_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/port-counters.h"
#include "sim/time/chance.h"

enum port_state {		/* PortInfo.PortState */
	PORT_DOWN = 1,
	PORT_INIT = 2,
	PORT_ARMED = 3,
	PORT_ACTIVE = 4,
};

enum port_phys_state {		/* PortInfo.PortPhysicalState */
	PORT_PHYS_SLEEP = 1,
	PORT_PHYS_POLLING = 2,
	PORT_PHYS_DISABLED = 3,
	PORT_PHYS_LINK_UP = 5,
};

struct node;
struct end_port;
struct topology_port;

/* A physical port, or port 0 of a switch. */
struct port {
	struct node *node;
	struct port *peer;		/* other end of the cable, NULL: none */
	struct end_port *end;		/* the end port, if it is one, else NULL */
	uint8_t num;
	uint8_t state;			/* enum port_state */
	uint8_t phys_state;		/* enum port_phys_state */
	uint8_t width_supported, width_enabled, width_active;
	uint8_t speed_supported, speed_enabled, speed_active;
	uint8_t speed_ext_supported, speed_ext_enabled, speed_ext_active;
	bool fdr10, fdr10_enabled, fdr10_active;
	uint8_t fec_enabled[4];		/* masks of modes, by speed: link_fec_supported() */
	uint8_t fec_active;		/* a mode */
	uint8_t widths_left, speed_left;	/* of a bad cable (link_degrade()); 0: all */
	bool led;			/* it blinks, to help find the port */
	uint8_t mtu_cap, neighbor_mtu;	/* codes: 1 256 ... 4 2048, 5 4096 */
	uint8_t vl_cap, operational_vls;	/* codes */
	uint8_t phys_wanted;		/* next phys_state, after the answer; 0: no change */
	uint8_t link_down_default;	/* enum port_phys_state: Sleep or Polling */
	uint8_t vl_high_limit, vl_stall_count, hoq_life;
	uint8_t phys_error_threshold, overrun_threshold;
	uint8_t phys_errors, overruns;	/* towards the thresholds: sim/fabric/link-error.h */
	bool enforce_inbound, enforce_outbound;	/* partitions: external switch ports */
	uint16_t p_key_violations;	/* of an external switch port; others': struct end_port */
	int interface;			/* number in the capture, -1: not declared yet */
	uint16_t *pkeys;		/* of an external switch port: partition_table() */
	uint8_t (*sl_to_vl)[8];		/* by port of entry (CAs: one); NULL: never written */
	uint8_t (*vl_arbitration)[16];	/* low and high priority; NULL: never written */
	uint8_t *hierarchy;		/* HierarchyInfo, as an SM wrote it; NULL: never written */
	struct port_counters counters;
	uint32_t held_back;		/* packets that wait for the next one to leave (fault.h) */
	uint16_t pkey_count;		/* 0 on external switch ports: the table is port 0's */
	bool unplugged;			/* there is a cable, but it is not plugged in (cable.h) */
	struct chance *chance;		/* for what it transmits; NULL: use port_chance() */
};

/*
 * Initializes port 'num' of a node, without a link, from the topology's data of it and of its peer
 * (NULL: it has none).
 */
void port_init(struct node *node, unsigned int num, const struct topology_port *said,
	       const struct topology_port *peer);

/* Frees what the port and its end port own; they themselves belong to the node. */
void port_free(struct port *port);

/* Do both ends have phys_state LinkUp, and a cable? */
static inline bool port_is_linked(const struct port *port)
{
	return port->peer && port->phys_state == PORT_PHYS_LINK_UP &&
	       port->peer->phys_state == PORT_PHYS_LINK_UP;
}

/* Its own invariants: lib/base/invariant.h. Those of its cable and its link have their files. */
const char *port_check(const struct port *port);

enum { PORT_NAME_SIZE = 80 };
/* "H1[1]": the node's id and the port's number, as captures, traces and messages name it. */
const char *port_format(const struct port *port, char buf[PORT_NAME_SIZE]);

/* The port's own stream of chance, named after it. */
struct chance *port_chance(struct port *port);

/*
 * Resets a port without a link to its state after power-up: an SM's settings and the counters are
 * gone.
 */
void port_clear(struct port *port);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * End ports: ports with LIDs, GUIDs and QPs, and an agent or a kernel behind them.
 */
#ifndef UMADRIG_SIM_FABRIC_END_PORT_H
#define UMADRIG_SIM_FABRIC_END_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "kmod-stub/event.h"
#include "kmod-stub/kmod.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/port.h"

/* IBA vol 1, 4.1.1: the default prefix, valid in every subnet; no router forwards such GIDs. */
#define GID_PREFIX_LINK_LOCAL UINT64_C(0xfe80000000000000)

/* Bits of PortInfo.CapabilityMask that the fabric itself uses. */
#define CAP_IS_SM (UINT32_C(1) << 1)
#define CAP_SM_DISABLED (UINT32_C(1) << 10)
#define CAP_COMMUNICATION_MANAGEMENT (UINT32_C(1) << 16)
/* Bits for services by a node's software: 16 to 20 and 23, from CM to boot management. */
#define CAP_SERVED UINT32_C(0x9f0000)

/* Bits of PortInfo.CapabilityMask2. */
enum {
	CAP2_SET_NODE_DESCRIPTION = 1 << 0,
	CAP2_PORT_INFO_EXTENDED = 1 << 1,
	CAP2_LINK_WIDTH_2X = 1 << 4,
	CAP2_LINK_SPEED_HDR = 1 << 5,
	CAP2_LINK_SPEED_NDR = 1 << 10,
	CAP2_EXTENDED_SPEEDS_2 = 1 << 11,
	CAP2_LINK_SPEED_XDR = 1 << 12,
};

enum {
	PKEY_COUNT = 32,		/* one block of P_KeyTable */
	GID_COUNT = 8,			/* one block of GUIDInfo */
};

struct issm;
struct node_info;
struct subnet;
struct trap_line;
struct topology_port;

/* A CA port, a router port, or port 0 of a switch: it has LIDs, GUIDs and QPs. */
struct end_port {
	struct port *port;
	struct kmod_port_attr attr;	/* LID, LMC, P_Keys, GIDs: live; kmod-stub reads it */
	struct kmod_port *kmod;		/* its kernel's view, NULL until it is needed */
	struct subnet *subnet;		/* that it is in: sim/fabric/subnet.h */
	struct umadrig_host *host;	/* the host that it belongs to */
	struct port *arrival;		/* by which the packet in kmod_port_receive() came in */
	uint64_t guid;
	uint64_t gid_prefix;		/* host order */
	uint64_t m_key;
	uint16_t sm_lid;
	uint8_t sm_sl;
	uint8_t m_key_protect;
	uint8_t subnet_timeout;		/* 4.096 us * 2^n */
	uint16_t m_key_lease;		/* seconds, 0: for ever */
	struct event m_key_lease_end;
	uint32_t reregistrations;	/* how often an SM has asked for ClientReregister */
	uint16_t m_key_violations, p_key_violations, q_key_violations;
	struct cc_agent *cc;		/* what congestion control has set; NULL: nothing */
	struct node_info *node_info;	/* as last encoded; private to sma-node.c; NULL: never */
	struct trap_line *traps;	/* private to trap.c; NULL: there was never one */
	uint32_t cap_mask;
	uint16_t cap_mask2;
	uint8_t multicast_trap_suppression;
	uint8_t gids[GID_COUNT][16];
	uint16_t pkeys[PKEY_COUNT];
	bool no_issm, no_rate;		/* quirks: neither a device nor a file for these */
	bool takes_datagrams;		/* its kernel has QPs for other packets than MADs */
	bool issm_open;			/* by umadrig_issm_open(), through the kernel */
	struct issm *issm;		/* private to sim/host/issm-path.c; NULL: no path */
	/* Its tap (umadrig_tap). */
	umadrig_tap_fn *tap;
	void *tap_ctx;
};

/* Makes an end port of 'port', after port_init(). */
void end_port_init(struct end_port *end, struct port *port, const struct topology_port *said);

/* Is 'lid' one of the port's LIDs? */
static inline bool end_port_has_lid(const struct end_port *end, uint16_t lid)
{
	return end->attr.lid && lid >= end->attr.lid && lid < end->attr.lid + (1U << end->attr.lmc);
}

/* Is a packet whose GRH has this DGID (16 bytes) for the port? Packets to groups always are. */
bool end_port_takes_gid(const struct end_port *end, const uint8_t *gid);

/*
 * Sets PortInfo's capabilities of the node's ports: masks of all their widths and extended speeds.
 */
void end_port_set_speeds(struct end_port *end, uint8_t widths, uint8_t ext_speeds);

/* Resets what an SM and software may set to the state after power-up; the caller resets the LID. */
void end_port_reset(struct end_port *end);

/* Sets the prefix of the port's GIDs, host order. */
void end_port_set_gid_prefix(struct end_port *end, uint64_t gid_prefix);

/* Sets or moves the LIDs of an end port, in its subnet too. */
void end_port_set_lid(struct end_port *end, uint16_t lid, uint8_t lmc);

/* Sets or clears bits of CapabilityMask; if it changes, a trap is sent to the SM. */
void end_port_set_capability(struct end_port *end, uint32_t bits, bool set);

#endif

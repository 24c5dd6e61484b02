/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters of a port's hardware: packets and their lengths where they cross a cable, and errors.
 * The performance management agent's view of them, with Sets and saturation, is in
 * sim/agents/pma-counters.c.
 *
 * Counters are never reset here. Those that all traffic changes are in the port itself; those that
 * few ports ever need are allocated when they are first counted, because fabrics have many ports.
 */
#ifndef UMADRIG_SIM_FABRIC_PORT_COUNTERS_H
#define UMADRIG_SIM_FABRIC_PORT_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "kmod-stub/packet.h"

enum { COUNTER_LANES = 16 };	/* SLs, and VLs */

/*
 * Data are counted in words of 4 octets, from the LRH through the ICRC (IBA vol 1, 16.1.3.5): 72
 * for a MAD without a GRH.
 */
enum counter {
	COUNTER_NEVER,		/* never counted */

	COUNTER_XMIT_DATA,
	COUNTER_XMIT_PKTS,
	COUNTER_RCV_DATA,
	COUNTER_RCV_PKTS,
	COUNTER_XMIT_WAIT,	/* moved by loads and drifts alone: sim/fabric/motion.h */

	/* Sums and differences of others. */
	COUNTER_UNICAST_XMIT_PKTS,
	COUNTER_UNICAST_RCV_PKTS,
	COUNTER_RCV_ERRORS,
	COUNTER_RCV_SWITCH_RELAY_ERRORS,
	COUNTER_XMIT_DISCARDS,

	/* From here on: allocated when first counted. */
	COUNTER_RARE,
	COUNTER_MULTICAST_XMIT_PKTS = COUNTER_RARE,
	COUNTER_MULTICAST_RCV_PKTS,
	COUNTER_SYMBOL_ERRORS,
	COUNTER_LINK_ERROR_RECOVERY,
	COUNTER_LINK_DOWNED,
	COUNTER_RCV_REMOTE_PHYSICAL_ERRORS,
	COUNTER_XMIT_CONSTRAINT_ERRORS,	/* a switch port's P_Key enforcement, outbound */
	COUNTER_RCV_CONSTRAINT_ERRORS,	/* and inbound */
	COUNTER_VL15_DROPPED,
	COUNTER_QP1_DROPPED,
	COUNTER_LINK_INTEGRITY_ERRORS,	/* LocalPhyErrors exceeded: sim/fabric/link-error.h */
	COUNTER_EXCESSIVE_OVERRUN_ERRORS,	/* OverrunErrors exceeded */
	/* PortRcvErrors */
	COUNTER_LOCAL_PHYSICAL_ERRORS,	/* wrong CRCs */
	COUNTER_MALFORMED_PKT_ERRORS,	/* malformed, though its CRCs are right */
	COUNTER_BUFFER_OVERRUN_ERRORS,	/* no buffer for it */
	/* PortRcvSwitchRelayErrors */
	COUNTER_DLID_MAPPING_ERRORS,	/* the table has no port for the DLID */
	COUNTER_VL_MAPPING_ERRORS,	/* its SL leads to VL 15 */
	COUNTER_LOOPING_ERRORS,		/* it would leave by the port that it came in by */
	/* PortXmitDiscards */
	COUNTER_INACTIVE_DISCARDS,	/* the port is not up, or has no cable */
	COUNTER_NEIGHBOR_MTU_DISCARDS,
	COUNTER_SW_LIFETIME_DISCARDS,	/* it has been in too many switches */
	COUNTER_SW_HOQ_DISCARDS,
	/* Once per SL, or per VL: here the counts of VL 0 are not derived from a total. */
	COUNTER_FLOW_CTL_UPDATE_ERRORS,
	/* Here the first is what the others have not counted. */
	COUNTER_XMIT_DATA_SL = COUNTER_FLOW_CTL_UPDATE_ERRORS + COUNTER_LANES,
	COUNTER_RCV_DATA_SL = COUNTER_XMIT_DATA_SL + COUNTER_LANES,
	COUNTER_RCV_DATA_VL = COUNTER_RCV_DATA_SL + COUNTER_LANES,
	COUNTER_RCV_PKTS_VL = COUNTER_RCV_DATA_VL + COUNTER_LANES,
	COUNTER_END = COUNTER_RCV_PKTS_VL + COUNTER_LANES,
	/* From here on: nothing here counts them, but they may be told to move. */
	COUNTER_XMIT_WAIT_VL = COUNTER_END,	/* that of VL 0 is the total */
	COUNTER_UNCOUNTED = COUNTER_XMIT_WAIT_VL + COUNTER_LANES,	/* and upwards: the PMA's */
};

/* The difference, after Sets, between an attribute's counters and the port's. */
struct counter_base {
	struct counter_base *next;
	const struct pma_counters *of;
	uint64_t added;			/* bit i: off[i] is to be added */
	uint64_t off[];
};

/* All zero: nothing counted yet. */
struct port_counters {
	uint64_t xmit_data, rcv_data, rcv_data_vl15;	/* what is received on VL 15, which is */
	uint64_t xmit_pkts, rcv_pkts, rcv_pkts_vl15;	/* SMPs, is not among the others */
	uint64_t *rare;			/* from COUNTER_RARE on, NULL: all 0 */
	struct counter_base *bases;	/* sim/agents/pma-counters.c: what Sets have done */
	struct motion *motion;		/* what moves by itself; NULL: nothing has */
};

/* Adds to 'what', a counter from COUNTER_RARE on. */
void port_counters_add(struct port_counters *counters, unsigned int what, uint64_t more);

/*
 * How many of 'what' (enum counter, plus the SL or VL) there have been since the fabric began.
 * load_refresh() comes before (sim/fabric/load-touch.h).
 */
uint64_t port_counters_total(const struct port_counters *counters, unsigned int what);

/* Frees its memory and resets all counters; what moves goes on moving. */
void port_counters_clear(struct port_counters *counters);

/* ---- crossing ---- */

void port_counters_note_xmit(struct port_counters *counters, const struct packet *packet);
void port_counters_note_rcv(struct port_counters *counters, const struct packet *packet);

static inline unsigned int packet_words(const struct packet *packet)
{
	return (packet->mad_at + packet->mad_size + ICRC_SIZE) / 4U;
}

/*
 * Is the packet unicast on SL 0 (and VL 0, or 15 as an SMP)? Most are, and need no counters of
 * other lanes.
 */
static inline bool packet_is_plain(const struct packet *packet)
{
	unsigned int vl = packet->bytes[LRH_VL] >> 4;
	uint16_t dlid = packet_dlid(packet);

	return packet->bytes[LRH_SL] >> 4 == 0 && (vl == 0 || vl == 15) &&
	       (dlid <= LID_UNICAST_MAX || dlid == LID_PERMISSIVE);
}

/*
 * A packet goes out onto the cable; 'is_plain': packet_is_plain(), which is evaluated once per
 * cable.
 */
static inline void port_counters_xmit(struct port_counters *counters, const struct packet *packet,
				      bool is_plain)
{
	counters->xmit_data += packet_words(packet);
	counters->xmit_pkts++;
	if (!is_plain)
		port_counters_note_xmit(counters, packet);
}

/* A good packet comes in from the cable: for bad ones the IBA specification leaves this open. */
static inline void port_counters_rcv(struct port_counters *counters, const struct packet *packet,
				     bool is_plain)
{
	unsigned int words = packet_words(packet);

	if (packet->bytes[LRH_VL] >> 4 == 15) {
		counters->rcv_data_vl15 += words;
		counters->rcv_pkts_vl15++;
	} else {
		counters->rcv_data += words;
		counters->rcv_pkts++;
	}
	if (!is_plain)
		port_counters_note_rcv(counters, packet);
}

/* A plain SMP of 'words' words goes from one port over the cable to the other. */
static inline void port_counters_smp(struct port_counters *from, struct port_counters *to,
				     unsigned int words)
{
	from->xmit_data += words;
	from->xmit_pkts++;
	to->rcv_data_vl15 += words;
	to->rcv_pkts_vl15++;
}

#endif

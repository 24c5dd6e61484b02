/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters of ports: see sim/fabric/port-counters.h.
 */
#include "sim/fabric/port-counters.h"

#include <glib.h>

#include "sim/fabric/motion.h"

enum { VL_SMP = 15 };

void port_counters_add(struct port_counters *counters, unsigned int what, uint64_t more)
{
	g_assert(what >= COUNTER_RARE && what < COUNTER_END);
	if (!counters->rare)
		counters->rare = g_new0(uint64_t, COUNTER_END - COUNTER_RARE);
	counters->rare[what - COUNTER_RARE] += more;
}

static bool is_multicast(const struct packet *packet)
{
	uint16_t dlid = packet_dlid(packet);

	return dlid > LID_UNICAST_MAX && dlid != LID_PERMISSIVE;
}

/*
 * The count of lane 0 is what the other lanes have not counted, so that plain packets need not be
 * counted twice; on VL 15 they are counted in the port itself.
 */
static void note_lane(struct port_counters *counters, unsigned int first, unsigned int lane,
		      uint64_t more)
{
	if (lane)
		port_counters_add(counters, first + lane, more);
}

void port_counters_note_xmit(struct port_counters *counters, const struct packet *packet)
{
	if (is_multicast(packet))
		port_counters_add(counters, COUNTER_MULTICAST_XMIT_PKTS, 1);
	note_lane(counters, COUNTER_XMIT_DATA_SL, packet->bytes[LRH_SL] >> 4,
		  packet_words(packet));
}

void port_counters_note_rcv(struct port_counters *counters, const struct packet *packet)
{
	unsigned int vl = packet->bytes[LRH_VL] >> 4;

	if (is_multicast(packet))
		port_counters_add(counters, COUNTER_MULTICAST_RCV_PKTS, 1);
	note_lane(counters, COUNTER_RCV_DATA_SL, packet->bytes[LRH_SL] >> 4,
		  packet_words(packet));
	if (vl == VL_SMP)
		return;
	note_lane(counters, COUNTER_RCV_DATA_VL, vl, packet_words(packet));
	note_lane(counters, COUNTER_RCV_PKTS_VL, vl, 1);
}

static uint64_t drifted(const struct port_counters *counters, unsigned int what)
{
	return counters->motion ? drift_total(counters->motion, what) : 0;
}

/* 'counted' packets or words, and those that a load has moved since. */
static uint64_t crossed(const struct port_counters *counters, uint64_t counted,
			enum motion_kind kind, unsigned int what)
{
	if (!counters->motion)
		return counted;
	return counted + motion_moved(counters->motion, kind) + drifted(counters, what);
}

static uint64_t xmit_data(const struct port_counters *counters)
{
	return crossed(counters, counters->xmit_data, MOTION_XMIT_DATA, COUNTER_XMIT_DATA);
}

static uint64_t xmit_pkts(const struct port_counters *counters)
{
	return crossed(counters, counters->xmit_pkts, MOTION_XMIT_PKTS, COUNTER_XMIT_PKTS);
}

static uint64_t rcv_data(const struct port_counters *counters)
{
	return crossed(counters, counters->rcv_data + counters->rcv_data_vl15, MOTION_RCV_DATA,
		       COUNTER_RCV_DATA);
}

static uint64_t rcv_pkts(const struct port_counters *counters)
{
	return crossed(counters, counters->rcv_pkts + counters->rcv_pkts_vl15, MOTION_RCV_PKTS,
		       COUNTER_RCV_PKTS);
}

static uint64_t xmit_wait(const struct port_counters *counters)
{
	return crossed(counters, counters->motion ? counters->motion->waited : 0,
		       MOTION_XMIT_WAIT, COUNTER_XMIT_WAIT);
}

static uint64_t rare(const struct port_counters *counters, unsigned int what)
{
	return (counters->rare ? counters->rare[what - COUNTER_RARE] : 0) +
	       drifted(counters, what);
}

/* The count of a lane; 'all' is the total, of which lane 0 has the rest. */
static uint64_t lane(const struct port_counters *counters, uint64_t all, unsigned int first,
		     unsigned int what)
{
	if (what != first)
		return rare(counters, what);
	for (unsigned int i = 1; i < COUNTER_LANES; i++)
		all -= rare(counters, first + i);
	return all;
}

static uint64_t lanes_total(const struct port_counters *counters, unsigned int what)
{
	if (what == COUNTER_RCV_DATA_VL + VL_SMP)
		return counters->rcv_data_vl15 + rare(counters, what);
	if (what == COUNTER_RCV_PKTS_VL + VL_SMP)
		return counters->rcv_pkts_vl15 + rare(counters, what);
	if (what >= COUNTER_RCV_PKTS_VL)
		return lane(counters, rcv_pkts(counters) - counters->rcv_pkts_vl15,
			    COUNTER_RCV_PKTS_VL, what);
	if (what >= COUNTER_RCV_DATA_VL)
		return lane(counters, rcv_data(counters) - counters->rcv_data_vl15,
			    COUNTER_RCV_DATA_VL, what);
	if (what >= COUNTER_RCV_DATA_SL)
		return lane(counters, rcv_data(counters), COUNTER_RCV_DATA_SL, what);
	return lane(counters, xmit_data(counters), COUNTER_XMIT_DATA_SL, what);
}

/* One that nothing here counts: those of VL 0 are the rest of a total. */
static uint64_t uncounted(const struct port_counters *counters, unsigned int what)
{
	uint64_t all;

	if (what != COUNTER_XMIT_WAIT_VL)
		return drifted(counters, what);
	all = xmit_wait(counters);
	for (unsigned int i = 1; i < COUNTER_LANES; i++)
		all -= drifted(counters, what + i);
	return all;
}

uint64_t port_counters_total(const struct port_counters *counters, unsigned int what)
{
	switch (what) {
	case COUNTER_NEVER:
		return 0;
	case COUNTER_XMIT_DATA:
		return xmit_data(counters);
	case COUNTER_XMIT_PKTS:
		return xmit_pkts(counters);
	case COUNTER_RCV_DATA:
		return rcv_data(counters);
	case COUNTER_RCV_PKTS:
		return rcv_pkts(counters);
	case COUNTER_XMIT_WAIT:
		return xmit_wait(counters);
	case COUNTER_UNICAST_XMIT_PKTS:
		return xmit_pkts(counters) - rare(counters, COUNTER_MULTICAST_XMIT_PKTS);
	case COUNTER_UNICAST_RCV_PKTS:
		return rcv_pkts(counters) - rare(counters, COUNTER_MULTICAST_RCV_PKTS);
	case COUNTER_RCV_ERRORS:
		return rare(counters, COUNTER_LOCAL_PHYSICAL_ERRORS) +
		       rare(counters, COUNTER_MALFORMED_PKT_ERRORS) +
		       rare(counters, COUNTER_BUFFER_OVERRUN_ERRORS);
	case COUNTER_RCV_SWITCH_RELAY_ERRORS:
		return rare(counters, COUNTER_DLID_MAPPING_ERRORS) +
		       rare(counters, COUNTER_VL_MAPPING_ERRORS) +
		       rare(counters, COUNTER_LOOPING_ERRORS);
	case COUNTER_XMIT_DISCARDS:
		return rare(counters, COUNTER_INACTIVE_DISCARDS) +
		       rare(counters, COUNTER_NEIGHBOR_MTU_DISCARDS) +
		       rare(counters, COUNTER_SW_LIFETIME_DISCARDS) +
		       rare(counters, COUNTER_SW_HOQ_DISCARDS);
	default:	/* a number: lanes are added to a constant */
		if (what >= COUNTER_END)
			return uncounted(counters, what);
		return what < COUNTER_XMIT_DATA_SL ? rare(counters, what) :
						     lanes_total(counters, what);
	}
}

void port_counters_clear(struct port_counters *counters)
{
	struct motion *motion = counters->motion;

	while (counters->bases) {
		struct counter_base *base = counters->bases;

		counters->bases = base->next;
		g_free(base);
	}
	g_free(counters->rare);
	*counters = (struct port_counters) { .motion = motion };
	if (motion)
		motion_reset(motion);
}

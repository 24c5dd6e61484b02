/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets whose bytes somebody has made by hand: what the ports that they come to object to.
 *
 * The fabric's own packets are right by construction and are never looked at in this way. A raw one
 * (struct packet, 'raw') is: by every port that a cable ends at, as its link layer does, and once
 * more where it ends, as the transport layer there does.
 */
#ifndef UMADRIG_SIM_FABRIC_RAW_PACKET_H
#define UMADRIG_SIM_FABRIC_RAW_PACKET_H

#include "kmod-stub/packet.h"
#include "sim/fabric/port-counters.h"

/*
 * The bytes as a packet of the fabric's. 'size': from the LRH through the MAD, or through the VCRC;
 * then the CRCs are those in 'bytes', right or wrong. What is a MAD packet and right is not raw.
 * -EINVAL: less than an LRH and the CRCs, or more than a wire of this fabric carries.
 */
int raw_packet_take(struct packet *packet, const uint8_t *bytes, size_t size);

/*
 * What a port whose cable the packet comes off finds wrong with it, and the counter for that (parts
 * of PortRcvErrors). NULL: nothing.
 */
const char *raw_packet_link_objection(const struct packet *packet, enum counter *ret_counter);

/*
 * What the HCA at its end finds wrong with it; '*ret_counter' is COUNTER_NEVER where it says
 * nothing. NULL: nothing, and it carries a MAD.
 */
const char *raw_packet_end_objection(const struct packet *packet, enum counter *ret_counter);

/* A switch has changed its headers: the VCRC is made anew, the ICRC stays as it is. */
void raw_packet_restamp(struct packet *packet);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets made by hand, and why ports refuse them.
 *
 * The fabric's own packets are right by construction and are never checked in this way. A raw one
 * (struct packet, 'raw') is checked by the link layer of every port at the end of a cable, and once
 * more by the transport layer at its end. Datagrams of guests that are no MADs go the same way.
 */
#ifndef UMADRIG_SIM_FABRIC_RAW_PACKET_H
#define UMADRIG_SIM_FABRIC_RAW_PACKET_H

#include "kmod-stub/packet.h"
#include "sim/fabric/port-counters.h"

/*
 * Makes a packet of the bytes. 'size': from the LRH through the MAD, or through the VCRC; then the
 * CRCs are those in 'bytes', right or wrong. A correct MAD packet does not become raw. -EINVAL:
 * less than an LRH and the CRCs, or more than a wire of this fabric carries.
 */
int raw_packet_take(struct packet *packet, const uint8_t *bytes, size_t size);

/*
 * The reason why the port at the end of a cable refuses the packet, and the counter for that (parts
 * of PortRcvErrors). NULL: it does not.
 */
const char *raw_packet_link_objection(const struct packet *packet, enum counter *ret_counter);

/*
 * The reason why the HCA at its end refuses it; '*ret_counter' is COUNTER_NEVER if that is not
 * counted. NULL: it does not, and the packet carries a MAD.
 */
const char *raw_packet_end_objection(const struct packet *packet, enum counter *ret_counter);

/* The same of an HCA that takes other datagrams than MADs, too. */
const char *raw_packet_datagram_objection(const struct packet *packet, enum counter *ret_counter);

/*
 * To be called when a switch has changed its headers: computes the VCRC again, the ICRC stays as it
 * is.
 */
void raw_packet_restamp(struct packet *packet);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A captured frame from its first byte to its last: addresses, headers, MAD, CRCs.
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_PACKET_H
#define UMADRIG_SIM_SCRUB_SCRUB_PACKET_H

#include "sim/scrub/packet-layout.h"
#include "sim/scrub/scrub-value.h"

/*
 * Learns or replaces what is in the 'size' bytes of a frame, which has a MAD or is an InfiniBand
 * packet (LAYOUT_MAD, LAYOUT_IBA): of the latter all that is behind its BTH becomes zero. CRCs and
 * checksums that were right are right afterwards, wrong ones are wrong, and zeros, which say that
 * none was computed, stay. Neighbours and result: see scrub_mad().
 */
unsigned int scrub_packet(const struct value_book *values, const struct packet_layout *layout,
			  uint8_t *bytes, size_t size, const uint8_t *before,
			  const uint8_t *after);

#endif

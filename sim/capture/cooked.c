/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Linux "cooked" captures (link types 113 and 276): as written by tcpdump -i any. In place of the
 * Ethernet header there is one of Linux's own, with the ethertype and the direction of the packet.
 */
#include "sim/capture/frame.h"

enum {
	SLL_SIZE = 16,
	SLL_PACKET_TYPE = 0,		/* 2 bytes */
	SLL_PROTOCOL = 14,

	SLL2_SIZE = 20,
	SLL2_PROTOCOL = 0,
	SLL2_INDEX = 4,
	SLL2_PACKET_TYPE = 10,		/* 1 byte */

	PACKET_OUTGOING = 4,		/* below: it arrived, for this machine or another */
	INTERFACE_MASK = 0xffffff,
};

static enum capture_cause too_short(size_t captured, size_t original, struct frame_result *result)
{
	return captured < original ? frame_cut_off(result) : CAUSE_SHORT;
}

/* The direction given by the file takes precedence. */
static void take_direction(unsigned int packet_type, struct capture_mad *mad)
{
	if (mad->direction != CAPTURE_DIRECTION_UNKNOWN || packet_type > PACKET_OUTGOING)
		return;
	mad->direction = packet_type == PACKET_OUTGOING ? CAPTURE_OUTBOUND : CAPTURE_INBOUND;
}

enum capture_cause frame_read_sll(const uint8_t *bytes, size_t captured, size_t original,
				  struct frame_result *result)
{
	if (captured < SLL_SIZE)
		return too_short(captured, original, result);
	take_direction(get_be16(bytes + SLL_PACKET_TYPE), &result->mad);
	return frame_read_ethertype(get_be16(bytes + SLL_PROTOCOL), bytes + SLL_SIZE,
				    captured - SLL_SIZE, original - SLL_SIZE, result);
}

enum capture_cause frame_read_sll2(const uint8_t *bytes, size_t captured, size_t original,
				   struct frame_result *result)
{
	if (captured < SLL2_SIZE)
		return too_short(captured, original, result);
	take_direction(bytes[SLL2_PACKET_TYPE], &result->mad);
	/* If the file numbers its interfaces, that number is used. */
	if (!result->has_interface)
		result->mad.interface = get_be32(bytes + SLL2_INDEX) & INTERFACE_MASK;
	return frame_read_ethertype(get_be16(bytes + SLL2_PROTOCOL), bytes + SLL2_SIZE,
				    captured - SLL2_SIZE, original - SLL2_SIZE, result);
}

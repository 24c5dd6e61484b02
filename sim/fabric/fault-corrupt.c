/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bits that flip on a cable. See sim/fabric/fault.h.
 */
#include <glib.h>

#include "sim/fabric/fault.h"
#include "sim/fabric/raw-packet.h"
#include "sim/time/chance.h"

static void flip(uint8_t *bytes, uint32_t bit)
{
	bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
}

/* Flips 'flips' different bits of 'count', all equally likely. */
static void flip_drawn(uint8_t *bytes, uint32_t first_bit, uint32_t count, uint32_t flips,
		       struct chance *chance)
{
	for (uint32_t i = 0; flips > 0 && i < count; i++) {
		if (chance_below(chance, count - i) >= flips)
			continue;
		flip(bytes, first_bit + i);
		flips--;
	}
}

static void flip_bits(const struct umadrig_fault *fault, struct chance *chance,
		      struct packet *packet)
{
	uint8_t whole[LONG_PACKET_SIZE_MAX];
	uint8_t *bytes = fault->whole_packet ? whole : whole + packet->mad_at;
	uint32_t end = 8 * (fault->whole_packet ? (uint32_t)packet->mad_at + packet->mad_size :
			    packet->mad_size);
	uint32_t left = fault->first_bit < end ? end - fault->first_bit : 0;
	uint32_t count = fault->bit_count ? MIN(fault->bit_count, left) : left;
	uint32_t flips = fault->flips ? fault->flips : fault->bit_count ? count : 1;

	packet_gather(packet, whole);
	flip_drawn(bytes, fault->first_bit, count, MIN(flips, count), chance);
	packet_scatter(packet, whole);
}

const char *fault_corrupt(const struct umadrig_fault *fault, struct chance *chance,
			  struct packet *packet)
{
	size_t size = (size_t)packet->mad_at + packet->mad_size;
	struct packet_addr addr;

	if (packet->raw) {
		/* The port at the end of the cable checks it. */
		flip_bits(fault, chance, packet);
		if (fault->crc_mended)
			raw_packet_restamp(packet);
		return NULL;
	}
	packet->sealed = false;
	if (fault->crc_mended) {
		flip_bits(fault, chance, packet);
		return packet_parse(packet, size, &addr) ? NULL : "it carries no MAD any more";
	}
	packet_seal(packet);
	flip_bits(fault, chance, packet);
	if (!packet_crc_ok(packet))
		return "its CRCs are wrong";
	/*
	 * Nothing was flipped (without a GRH the packet may be too short), or nothing that CRCs
	 * detect.
	 */
	return packet_parse(packet, size, &addr) ? NULL : "it carries no MAD any more";
}

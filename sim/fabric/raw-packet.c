/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets made by hand: see sim/fabric/raw-packet.h.
 */
#include "sim/fabric/raw-packet.h"

#include <errno.h>
#include <string.h>

#include "kmod-stub/wire-crc.h"

enum {
	CRCS_SIZE = ICRC_SIZE + VCRC_SIZE,
	LVER_MASK = 0x0f,		/* of byte LRH_VL */
	LNH_MASK = 0x03,		/* of byte LRH_SL */
	PKTLEN_MASK = 0x07ff,
	TVER_MASK = 0x0f,		/* of the BTH's second byte */
	BTH_FLAGS = 1,
	GRH_IPVER = 6,
};

/* The offset of the BTH according to the LRH; 0: no IBA transport follows. */
static size_t bth_at(const uint8_t *bytes)
{
	unsigned int lnh = bytes[LRH_SL] & LNH_MASK;

	return lnh == LRH_LNH_GRH ? LRH_SIZE + GRH_SIZE : lnh == LRH_LNH_IBA ? LRH_SIZE : 0;
}

static uint16_t vcrc_of(const struct packet *packet)
{
	uint8_t whole[LONG_PACKET_SIZE_MAX];
	size_t size = packet_size(packet) - VCRC_SIZE;

	if (!packet_is_long(packet))
		return wire_crc16(packet->bytes, size);
	packet_gather(packet, whole);
	return wire_crc16(whole, size);
}

/* Where it is: behind the ICRC. */
static const uint8_t *vcrc_at(const struct packet *packet)
{
	return packet->bytes + (packet_is_long(packet) ? sizeof(packet->bytes) :
							 packet_size(packet)) - VCRC_SIZE;
}

static uint16_t get_le16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static bool icrc_ok(const struct packet *packet)
{
	size_t end = (size_t)packet->mad_at + packet->mad_size;
	uint8_t whole[LONG_PACKET_SIZE_MAX];
	uint32_t icrc;

	packet_gather(packet, whole);
	icrc = wire_icrc(whole, end);
	for (unsigned int i = 0; i < ICRC_SIZE; i++) {
		if (whole[end + i] != (uint8_t)(icrc >> (8 * i)))
			return false;
	}
	return true;
}

int raw_packet_take(struct packet *packet, const uint8_t *bytes, size_t size)
{
	size_t headers, payload;

	if (size < LRH_SIZE + CRCS_SIZE || size > sizeof(packet->bytes))
		return -EINVAL;
	headers = bth_at(bytes) + BTH_SIZE + DETH_SIZE;
	packet->sealed = size != headers + MAD_SIZE;
	payload = size - (packet->sealed ? CRCS_SIZE : 0);
	if (payload + CRCS_SIZE > sizeof(packet->bytes))
		return -EINVAL;
	/* Fields beyond the end of a short packet are zero. */
	memset(packet->bytes, 0, sizeof(packet->bytes));
	memcpy(packet->bytes, bytes, size);
	packet->mad_at = (uint16_t)(headers < payload ? headers : payload);
	packet->mad_size = (uint16_t)(payload - packet->mad_at);
	packet_seal(packet);
	packet->raw = raw_packet_link_objection(packet, NULL) ||
		      raw_packet_end_objection(packet, NULL);
	/*
	 * The CRCs of a correct packet are computed when they are needed, from its bytes at that
	 * time.
	 */
	packet->sealed = packet->raw;
	return 0;
}

static const char *objection(enum counter counter, const char *why, enum counter *ret_counter)
{
	if (ret_counter)
		*ret_counter = counter;
	return why;
}

/*
 * IBA vol 1, 7.3, the data packet check: the VCRC, then the link version, then the length. In
 * PortRcvErrors the first is a local physical error, the others are malformed packets (16.1.4).
 */
const char *raw_packet_link_objection(const struct packet *packet, enum counter *ret_counter)
{
	const uint8_t *b = packet->bytes;
	size_t size = packet_size(packet);
	size_t said = 4U * (get_be16(b + LRH_PKTLEN) & PKTLEN_MASK) + VCRC_SIZE;

	if (get_le16(vcrc_at(packet)) != vcrc_of(packet))
		return objection(COUNTER_LOCAL_PHYSICAL_ERRORS, "its VCRC is wrong", ret_counter);
	if ((b[LRH_VL] & LVER_MASK) != 0)
		return objection(COUNTER_MALFORMED_PKT_ERRORS, "it has another link version (LVer)",
				 ret_counter);
	if (said != size)
		return objection(COUNTER_MALFORMED_PKT_ERRORS,
				 "it is not as long as it says (PktLen)", ret_counter);
	return NULL;
}

/* IBA vol 1, 8.3 and 9.6: packets with wrong headers are dropped silently. */
static const char *header_objection(const struct packet *packet)
{
	const uint8_t *b = packet->bytes;
	size_t at = bth_at(b), size = packet_size(packet);

	if (at > LRH_SIZE) {
		const uint8_t *grh = b + LRH_SIZE;

		if (grh[GRH_TCLASS_FLOW] >> 4 != GRH_IPVER)
			return "its GRH has another version (IPVer)";
		if (grh[GRH_NXTHDR] != GRH_NXTHDR_IBA)
			return "no transport header follows the GRH (NxtHdr)";
		if (get_be16(grh + GRH_PAYLEN) + at + VCRC_SIZE != size)
			return "it is not as long as its GRH says (PayLen)";
	}
	if ((b[at + BTH_FLAGS] & TVER_MASK) != 0)
		return "it has another transport version (TVer)";
	if (b[at + BTH_OPCODE] != BTH_UD_SEND_ONLY)
		return "its opcode is not UD Send Only";
	if (size - at - BTH_SIZE - DETH_SIZE - CRCS_SIZE <
	    (b[at + BTH_PADCNT] >> BTH_PADCNT_SHIFT & 3U))
		return "its padding (PadCnt) is longer than its payload";
	return NULL;
}

const char *raw_packet_datagram_objection(const struct packet *packet, enum counter *ret_counter)
{
	size_t at = bth_at(packet->bytes);

	if (at == 0)
		return objection(COUNTER_NEVER, "no transport header follows the LRH (LNH)",
				 ret_counter);
	if (packet_size(packet) < at + BTH_SIZE + DETH_SIZE + CRCS_SIZE)
		return objection(COUNTER_NEVER, "it is too short for its headers", ret_counter);
	if (!icrc_ok(packet))
		return objection(COUNTER_LOCAL_PHYSICAL_ERRORS, "its ICRC is wrong", ret_counter);
	return objection(COUNTER_NEVER, header_objection(packet), ret_counter);
}

const char *raw_packet_end_objection(const struct packet *packet, enum counter *ret_counter)
{
	const char *why = raw_packet_datagram_objection(packet, ret_counter);
	size_t mad_end = bth_at(packet->bytes) + BTH_SIZE + DETH_SIZE + MAD_SIZE;

	if (!why && mad_end + CRCS_SIZE != packet_size(packet))
		why = objection(COUNTER_NEVER, "it carries no MAD: one has 256 bytes", ret_counter);
	return why;
}

void raw_packet_restamp(struct packet *packet)
{
	uint8_t *at = packet->bytes + (vcrc_at(packet) - packet->bytes);
	uint16_t vcrc = vcrc_of(packet);

	at[0] = (uint8_t)vcrc;
	at[1] = (uint8_t)(vcrc >> 8);
}

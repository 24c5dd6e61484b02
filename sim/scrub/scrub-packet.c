/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A captured frame: see sim/scrub/scrub-packet.h.
 */
#include "sim/scrub/scrub-packet.h"

#include <glib.h>
#include <string.h>

#include "kmod-stub/wire-crc.h"
#include "sim/capture/frame.h"
#include "sim/scrub/scrub-mad.h"
#include "lib/base/wire.h"

enum {
	ERF_EXTENSION_SIZE = 8,
	IPV4_SIZE = 20,
	IPV4_CHECKSUM = 10,
	IPV4_SOURCE = 12,
	IPV4_DESTINATION = 16,
	IPV6_SIZE = GRH_SIZE,
	UDP_SIZE = 8,
	UDP_CHECKSUM = 6,
	PROTOCOL_UDP = 17,
};

/* ---- checksums ---- */

/* What the file had. */
struct crc_states {
	enum frame_crc icrc, vcrc, ip, udp;
};

/* The sum of RFC 1071 over 'size' bytes, added to 'sum'; not folded yet. */
static uint32_t sum16(uint32_t sum, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i + 1 < size; i += 2)
		sum += get_be16(bytes + i);
	return size % 2 ? sum + ((uint32_t)bytes[size - 1] << 8) : sum;
}

static uint16_t fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* Of the IPv4 header, with its checksum taken as zero. */
static uint16_t ip_checksum(const uint8_t *ip)
{
	return fold(sum16(sum16(0, ip, IPV4_CHECKSUM), ip + IPV4_SOURCE,
			  IPV4_SIZE - IPV4_SOURCE));
}

/* Of UDP, from its header to 'end' and with the addresses of IP, its checksum taken as zero. */
static uint16_t udp_checksum(const struct packet_layout *layout, const uint8_t *bytes, size_t end)
{
	const uint8_t *udp = bytes + layout->udp;
	const size_t size = end - layout->udp;
	uint32_t sum = PROTOCOL_UDP + (uint32_t)size;
	uint16_t checksum;

	sum = layout->ipv4 ? sum16(sum, bytes + layout->ipv4 + IPV4_SOURCE, 8) :
			     sum16(sum, bytes + layout->ipv6 + GRH_SGID, 32);
	sum = sum16(sum, udp, UDP_CHECKSUM);
	checksum = fold(sum16(sum, udp + UDP_SIZE, size - UDP_SIZE));
	return checksum ? checksum : 0xffff;
}

static uint32_t right_icrc(const struct packet_layout *layout, const uint8_t *bytes)
{
	size_t network = layout->ipv4 ? layout->ipv4 : layout->ipv6 ? layout->ipv6 : layout->grh;

	if (layout->has_lrh)
		return wire_icrc(bytes + layout->lrh, layout->icrc - layout->lrh);
	return frame_roce_icrc(bytes + network, layout->bth - network, layout->ipv4);
}

static enum frame_crc state_of(uint32_t stored, uint32_t right)
{
	return !stored ? CRC_ABSENT : stored == right ? CRC_RIGHT : CRC_WRONG;
}

static struct crc_states states_of(const struct packet_layout *layout, const uint8_t *bytes)
{
	struct crc_states states = { CRC_ABSENT, CRC_ABSENT, CRC_ABSENT, CRC_ABSENT };

	if (layout->icrc)
		states.icrc = frame_check_crc(bytes + layout->icrc, ICRC_SIZE,
					      right_icrc(layout, bytes));
	if (layout->vcrc)
		states.vcrc = frame_check_crc(bytes + layout->vcrc, VCRC_SIZE,
					      wire_crc16(bytes + layout->lrh,
							 layout->vcrc - layout->lrh));
	if (layout->ipv4)
		states.ip = state_of(get_be16(bytes + layout->ipv4 + IPV4_CHECKSUM),
				     ip_checksum(bytes + layout->ipv4));
	if (layout->udp && layout->icrc)
		states.udp = state_of(get_be16(bytes + layout->udp + UDP_CHECKSUM),
				      udp_checksum(layout, bytes, layout->end));
	return states;
}

static uint32_t as_it_was(enum frame_crc state, uint32_t right)
{
	return state == CRC_ABSENT ? 0 : state == CRC_RIGHT ? right : ~right;
}

static void put_le(uint8_t *bytes, unsigned int size, uint32_t v)
{
	for (unsigned int i = 0; i < size; i++)
		bytes[i] = (uint8_t)(v >> 8 * i);
}

/* From the inside out: each covers those before it, but that the ICRC leaves out those of IP. */
static void seal(const struct packet_layout *layout, uint8_t *bytes,
		 const struct crc_states *states)
{
	if (layout->icrc)
		put_le(bytes + layout->icrc, ICRC_SIZE,
		       as_it_was(states->icrc, right_icrc(layout, bytes)));
	if (layout->vcrc)
		put_le(bytes + layout->vcrc, VCRC_SIZE,
		       as_it_was(states->vcrc,
				 wire_crc16(bytes + layout->lrh, layout->vcrc - layout->lrh)));
	if (layout->ipv4)
		put_be16(bytes + layout->ipv4 + IPV4_CHECKSUM,
			 (uint16_t)as_it_was(states->ip, ip_checksum(bytes + layout->ipv4)));
	if (layout->udp)
		put_be16(bytes + layout->udp + UDP_CHECKSUM,
			 (uint16_t)as_it_was(states->udp,
					     udp_checksum(layout, bytes, layout->end)));
}

/* ---- headers ---- */

static void link_header(const struct value_book *values, const struct packet_layout *layout,
			uint8_t *bytes)
{
	if (layout->ethernet) {
		value_mac(values, bytes + layout->link);
		value_mac(values, bytes + layout->link + 6);
	}
	/* Of an address longer than a MAC address SLL has a piece. */
	if (layout->cooked_address) {
		value_mac(values, bytes + layout->cooked_address);
		memset(bytes + layout->cooked_address + 6, 0, 2);
	}
	/* ERF's name the host and the source, among other things. */
	for (size_t at = layout->extensions; at < layout->extensions_end; at += ERF_EXTENSION_SIZE)
		memset(bytes + at + 1, 0, ERF_EXTENSION_SIZE - 1);
}

static void network_header(const struct value_book *values, const struct packet_layout *layout,
			   uint8_t *bytes)
{
	size_t gids = layout->grh ? layout->grh : layout->ipv6;

	if (layout->has_lrh && values->lids) {
		value_lid(values, bytes + layout->lrh + LRH_DLID);
		value_lid(values, bytes + layout->lrh + LRH_SLID);
	}
	if (gids) {
		value_gid(values, bytes + gids + GRH_SGID);
		value_gid(values, bytes + gids + GRH_DGID);
	}
	if (layout->ipv4) {
		value_ipv4(values, bytes + layout->ipv4 + IPV4_SOURCE);
		value_ipv4(values, bytes + layout->ipv4 + IPV4_DESTINATION);
	}
}

/* All but the source QP of a datagram: 0 would make a MAD of it. */
static void blank_behind_bth(const struct packet_layout *layout, uint8_t *bytes)
{
	uint8_t *deth = bytes + layout->bth + BTH_SIZE, *end = bytes + layout->end;
	uint8_t source[3] = { 0 };
	bool datagram = bytes[layout->bth + BTH_OPCODE] == BTH_UD_SEND_ONLY &&
			end >= deth + DETH_SIZE;

	if (datagram)
		memcpy(source, deth + DETH_SRCQP, sizeof(source));
	memset(deth, 0, (size_t)(end - deth));
	if (datagram)
		memcpy(deth + DETH_SRCQP, source, sizeof(source));
}

unsigned int scrub_packet(const struct value_book *values, const struct packet_layout *layout,
			  uint8_t *bytes, size_t size, const uint8_t *before,
			  const uint8_t *after)
{
	struct crc_states states = states_of(layout, bytes);
	unsigned int blanked = 0;

	link_header(values, layout, bytes);
	network_header(values, layout, bytes);
	value_p_key(values, bytes + layout->bth + BTH_PKEY);
	if (layout->mad) {
		value_field(values, MAD_IDENTITY_KEY, bytes + layout->mad - DETH_SIZE + DETH_QKEY,
			    4);
		blanked = scrub_mad(values, bytes + layout->mad, before, after);
	} else if (values->replace) {
		blank_behind_bth(layout, bytes);
	}
	if (!values->replace)
		return blanked;
	memset(bytes + layout->end, 0, size - layout->end);
	seal(layout, bytes, &states);
	return blanked;
}

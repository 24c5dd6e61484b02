/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RoCE: MADs in Ethernet frames and IP packets. Version 1 is ethertype 0x8915 with a GRH, version 2
 * is UDP to port 4791 in IPv4 or IPv6. There are no LIDs and no QP0; GIDs are the IP addresses.
 *
 * Lengths are those of the GRH or of IP and UDP, not the frame's: padding or an FCS may follow.
 */
#include <glib.h>
#include <string.h>

#include "sim/capture/frame.h"
#include "kmod-stub/wire-crc.h"

enum {
	ETHERNET_SIZE = 14,
	ETHERTYPE_AT = 12,
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_IPV6 = 0x86dd,
	ETHERTYPE_ROCE = 0x8915,
	ETHERTYPE_VLAN = 0x8100,
	ETHERTYPE_VLAN_OUTER = 0x88a8,
	ETHERTYPE_VLAN_OLD = 0x9100,
	VLAN_SIZE = 4,
	VLAN_TAGS_MAX = 4,

	IPV4_SIZE_MIN = 20,
	IPV4_SIZE_MAX = 60,
	IPV4_TOS = 1,
	IPV4_LENGTH = 2,
	IPV4_FRAGMENT = 6,
	IPV4_MORE_OR_OFFSET = 0x3fff,
	IPV4_OFFSET = 0x1fff,
	IPV4_TTL = 8,
	IPV4_PROTOCOL = 9,
	IPV4_CHECKSUM = 10,
	IPV4_SOURCE = 12,
	IPV4_DESTINATION = 16,
	IPV6_SIZE = GRH_SIZE,	/* a GRH is an IPv6 header in all but name */
	IPV6_NEXT = GRH_NXTHDR,
	PROTOCOL_UDP = 17,

	UDP_SIZE = 8,
	UDP_SOURCE_ROCE = 0xc000,	/* the sender may choose it, to spread flows over paths */
	UDP_DESTINATION = 2,
	UDP_LENGTH = 4,
	UDP_CHECKSUM = 6,
	UDP_PORT_ROCE = 4791,
};

/* A layer: 'captured' of its 'original' bytes are present. */
struct span {
	const uint8_t *bytes;
	size_t captured;
	size_t original;
};

static struct span span_behind(struct span span, size_t size)
{
	return (struct span){
		.bytes = span.bytes + MIN(size, span.captured),
		.captured = span.captured - MIN(size, span.captured),
		.original = span.original - MIN(size, span.original),
	};
}

/* Applies a header's length to what follows it: that cuts off padding, and never adds bytes. */
static struct span span_limit(struct span span, size_t size)
{
	span.captured = MIN(span.captured, size);
	span.original = MIN(span.original, size);
	return span;
}

/* An IPv4 address as a GID: ::ffff:a.b.c.d. */
static void map_ipv4(const uint8_t *address, uint8_t gid[16])
{
	memset(gid, 0, 10);
	memset(gid + 10, 0xff, 2);
	memcpy(gid + 12, address, 4);
}

/*
 * The ICRC over 8 bytes of ones in place of the LRH, then the bytes from the network header through
 * the MAD, with the fields that routers change as ones. 'network' is 'network_size' bytes from the
 * GRH or IP header up to the BTH.
 */
static uint32_t roce_icrc(const uint8_t *network, size_t network_size, bool ipv4)
{
	uint8_t b[LRH_SIZE + IPV4_SIZE_MAX + UDP_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE];
	uint8_t *ip = b + LRH_SIZE;
	size_t size = network_size + BTH_SIZE + DETH_SIZE + MAD_SIZE;

	g_assert(LRH_SIZE + size <= sizeof(b));
	memset(b, 0xff, LRH_SIZE);
	memcpy(ip, network, size);
	if (ipv4) {
		ip[IPV4_TOS] = 0xff;
		ip[IPV4_TTL] = 0xff;
		memset(ip + IPV4_CHECKSUM, 0xff, 2);
	} else {
		ip[0] |= 0x0f;
		memset(ip + 1, 0xff, 3);
		ip[GRH_HOPLIMIT] = 0xff;
	}
	/* Only version 2 has something between the IP header and the BTH. */
	if (ipv4 || network_size > GRH_SIZE)
		memset(ip + network_size - UDP_SIZE + UDP_CHECKSUM, 0xff, 2);
	ip[network_size + 4] = 0xff;	/* BTH Resv8a */
	return ~wire_crc32(WIRE_CRC32_INIT, b, LRH_SIZE + size);
}

/* Reads from the BTH on; 'network' begins 'network_size' bytes before it. */
static enum capture_cause read_behind(struct span network, size_t network_size, bool ipv4,
				      struct frame_result *result)
{
	struct span bth = span_behind(network, network_size);
	const size_t mad_end = BTH_SIZE + DETH_SIZE + MAD_SIZE;
	enum capture_cause cause = frame_read_bth(bth.bytes, bth.captured, bth.original, result);
	enum frame_crc icrc;

	if (cause != CAUSE_NONE || !result->check_crcs || bth.captured < mad_end + ICRC_SIZE)
		return cause;
	icrc = frame_check_crc(bth.bytes + mad_end, ICRC_SIZE,
			       roce_icrc(network.bytes, network_size, ipv4));
	result->mad.icrc_ok = icrc == CRC_RIGHT;
	result->mad.icrc_wrong = icrc == CRC_WRONG;
	if (icrc != CRC_WRONG)
		return CAUSE_NONE;
	frame_say(result->why, "its ICRC is wrong: a real port would have dropped it");
	return CAUSE_ICRC;
}

/*
 * The headers end too early: either the capture cut them off, or the frame was so short when it was
 * sent, and is no MAD.
 */
static enum capture_cause cut_off(struct span span, struct frame_result *result)
{
	return span.captured < span.original ? frame_cut_off(result) : CAUSE_SHORT;
}

static enum capture_cause read_v1(struct span span, struct frame_result *result)
{
	if (span.captured < GRH_SIZE)
		return cut_off(span, result);
	if (span.bytes[GRH_NXTHDR] != GRH_NXTHDR_IBA)
		return CAUSE_GRH_NEXT;
	result->mad.transport = CAPTURE_ROCE_V1;
	frame_read_grh(span.bytes, result);
	span = span_limit(span, GRH_SIZE + (size_t)get_be16(span.bytes + GRH_PAYLEN));
	return read_behind(span, GRH_SIZE, false, result);
}

/* UDP and what it carries; 'network' begins 'ip_size' bytes before the UDP header. */
static enum capture_cause read_udp(struct span network, size_t ip_size, bool ipv4,
				   struct frame_result *result)
{
	struct span udp = span_behind(network, ip_size);

	if (udp.captured < UDP_SIZE)
		return cut_off(udp, result);
	if (get_be16(udp.bytes + UDP_DESTINATION) != UDP_PORT_ROCE)
		return CAUSE_UDP_PORT;
	result->mad.transport = CAPTURE_ROCE_V2;
	network = span_limit(network, ip_size + (size_t)get_be16(udp.bytes + UDP_LENGTH));
	return read_behind(network, ip_size + UDP_SIZE, ipv4, result);
}

/* 'carried': how many bytes follow the header, as it says. */
static void take_ipv4_header(const uint8_t *ip, uint16_t carried, struct frame_result *result)
{
	struct packet_addr *addr = &result->mad.addr;

	result->headers.ip_version = 4;
	result->headers.next_header = ip[IPV4_PROTOCOL];
	result->headers.payload_length = carried;
	addr->has_grh = true;
	addr->traffic_class = ip[IPV4_TOS];
	addr->hop_limit = ip[IPV4_TTL];
	map_ipv4(ip + IPV4_SOURCE, addr->sgid);
	map_ipv4(ip + IPV4_DESTINATION, addr->dgid);
}

static enum capture_cause read_ipv4(struct span span, struct frame_result *result)
{
	size_t ip_size, total;
	unsigned int fragment;

	if (span.captured < IPV4_SIZE_MIN)
		return cut_off(span, result);
	ip_size = (size_t)(span.bytes[0] & 0xf) * 4;
	if (span.bytes[0] >> 4 != 4 || ip_size < IPV4_SIZE_MIN ||
	    span.bytes[IPV4_PROTOCOL] != PROTOCOL_UDP)
		return CAUSE_IP_PROTOCOL;
	fragment = get_be16(span.bytes + IPV4_FRAGMENT);
	if (fragment & IPV4_OFFSET)
		return CAUSE_LATER_FRAGMENT;
	/* A sender with segmentation offload records a total length of 0. */
	total = get_be16(span.bytes + IPV4_LENGTH);
	if (total)
		span = span_limit(span, total);
	if (span.captured < ip_size)
		return cut_off(span, result);
	take_ipv4_header(span.bytes, total ? (uint16_t)(MAX(total, ip_size) - ip_size) : 0,
			 result);
	if ((fragment & IPV4_MORE_OR_OFFSET) && span.captured >= ip_size + UDP_SIZE &&
	    get_be16(span.bytes + ip_size + UDP_DESTINATION) == UDP_PORT_ROCE) {
		frame_say(result->why, "an IPv4 fragment; fragments are not put together");
		return CAUSE_FRAGMENT;
	}
	return read_udp(span, ip_size, true, result);
}

static enum capture_cause read_ipv6(struct span span, struct frame_result *result)
{
	if (span.captured < IPV6_SIZE)
		return cut_off(span, result);
	if (span.bytes[0] >> 4 != 6 || span.bytes[IPV6_NEXT] != PROTOCOL_UDP)
		return CAUSE_IP_PROTOCOL;
	frame_read_grh(span.bytes, result);
	span = span_limit(span, IPV6_SIZE + (size_t)get_be16(span.bytes + GRH_PAYLEN));
	return read_udp(span, IPV6_SIZE, false, result);
}

enum capture_cause frame_read_ip(const uint8_t *bytes, size_t captured, size_t original,
				 struct frame_result *result)
{
	struct span span = { .bytes = bytes, .captured = captured, .original = original };

	if (!captured)
		return cut_off(span, result);
	return bytes[0] >> 4 == 6 ? read_ipv6(span, result) : read_ipv4(span, result);
}

static bool is_vlan(unsigned int ethertype)
{
	return ethertype == ETHERTYPE_VLAN || ethertype == ETHERTYPE_VLAN_OUTER ||
	       ethertype == ETHERTYPE_VLAN_OLD;
}

enum capture_cause frame_read_ethertype(unsigned int ethertype, const uint8_t *bytes,
					size_t captured, size_t original,
					struct frame_result *result)
{
	struct span span = { .bytes = bytes, .captured = captured, .original = original };

	for (unsigned int tags = 0; is_vlan(ethertype) && tags < VLAN_TAGS_MAX; tags++) {
		if (span.captured < VLAN_SIZE)
			return cut_off(span, result);
		/* The priority serves as the SL. */
		result->mad.addr.sl = span.bytes[0] >> 5;
		ethertype = get_be16(span.bytes + 2);
		span = span_behind(span, VLAN_SIZE);
	}
	if (ethertype == ETHERTYPE_ROCE)
		return read_v1(span, result);
	if (ethertype == ETHERTYPE_IPV4)
		return read_ipv4(span, result);
	if (ethertype == ETHERTYPE_IPV6)
		return read_ipv6(span, result);
	return CAUSE_ETHERTYPE;
}

enum capture_cause frame_read_ethernet(const uint8_t *bytes, size_t captured, size_t original,
				       struct frame_result *result)
{
	struct span frame = { .bytes = bytes, .captured = captured, .original = original };

	if (captured < ETHERNET_SIZE)
		return cut_off(frame, result);
	return frame_read_ethertype(get_be16(bytes + ETHERTYPE_AT), bytes + ETHERNET_SIZE,
				    captured - ETHERNET_SIZE, original - ETHERNET_SIZE, result);
}

size_t frame_write_roce_v2(uint8_t bytes[FRAME_ROCE_SIZE], const uint8_t to[6],
			   const uint8_t from[6], const struct packet *packet)
{
	const uint8_t *grh = packet->bytes + LRH_SIZE, *bth = packet->bytes + packet_bth_at(packet);
	const size_t carried = BTH_SIZE + DETH_SIZE + MAD_SIZE;
	uint8_t *ip = bytes + ETHERNET_SIZE, *udp = ip + IPV6_SIZE;
	uint32_t icrc;

	g_assert(packet_has_grh(packet));
	memcpy(bytes, to, 6);
	memcpy(bytes + 6, from, 6);
	put_be16(bytes + ETHERTYPE_AT, ETHERTYPE_IPV6);
	memcpy(ip, grh, IPV6_SIZE);
	put_be16(ip + GRH_PAYLEN, (uint16_t)(UDP_SIZE + carried + ICRC_SIZE));
	ip[IPV6_NEXT] = PROTOCOL_UDP;
	put_be16(udp, UDP_SOURCE_ROCE);
	put_be16(udp + UDP_DESTINATION, UDP_PORT_ROCE);
	put_be16(udp + UDP_LENGTH, (uint16_t)(UDP_SIZE + carried + ICRC_SIZE));
	/* RoCE v2 over IPv6 has no UDP checksum: the ICRC covers all that it would. */
	put_be16(udp + UDP_CHECKSUM, 0);
	memcpy(udp + UDP_SIZE, bth, carried);
	icrc = roce_icrc(ip, IPV6_SIZE + UDP_SIZE, false);
	for (unsigned int i = 0; i < ICRC_SIZE; i++)
		udp[UDP_SIZE + carried + i] = (uint8_t)(icrc >> 8 * i);
	return (size_t)(udp - bytes) + UDP_SIZE + carried + ICRC_SIZE;
}

uint32_t frame_roce_icrc(const uint8_t *network, size_t network_size, bool ipv4)
{
	return roce_icrc(network, network_size, ipv4);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the parts of a captured frame are: see sim/scrub/packet-layout.h.
 */
#include "sim/scrub/packet-layout.h"

#include <glib.h>

#include "sim/capture/frame.h"
#include "lib/base/wire.h"

enum {
	ERF_MORE_HEADERS = 0x80,
	ERF_EXTENSION_SIZE = 8,
	ERF_EXTENSIONS_MAX = 16,
	ERF_ETHERNET_PAD = 2,

	ETHERNET_SIZE = 14,
	ETHERTYPE_AT = 12,
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_IPV6 = 0x86dd,
	ETHERTYPE_ROCE = 0x8915,
	VLAN_SIZE = 4,
	VLAN_TAGS_MAX = 4,

	SLL_SIZE = 16,
	SLL_ADDRESS = 6,
	SLL_PROTOCOL = 14,
	SLL2_SIZE = 20,
	SLL2_ADDRESS = 12,
	SLL2_PROTOCOL = 0,

	IPV4_SIZE_MIN = 20,
	IPV4_LENGTH = 2,
	IPV4_FRAGMENT = 6,
	IPV4_MORE_OR_OFFSET = 0x3fff,
	IPV4_PROTOCOL = 9,
	IPV6_SIZE = 40,
	IPV6_LENGTH = 4,
	IPV6_NEXT = 6,
	PROTOCOL_UDP = 17,
	UDP_SIZE = 8,
	UDP_DESTINATION = 2,
	UDP_LENGTH = 4,
	UDP_PORT_ROCE = 4791,

	PADDING_MAX = 8,	/* behind a MAD's ICRC */
};

/* The frame as far as it has been taken apart: the next part begins at 'at'. */
struct cursor {
	const uint8_t *bytes;
	size_t at;
	size_t captured;	/* ends of what is there, and of what was on the wire */
	size_t original;
	struct packet_layout *layout;
};

static const uint8_t *here(const struct cursor *c)
{
	return c->bytes + c->at;
}

static bool has(const struct cursor *c, size_t size)
{
	return c->captured >= c->at + size;
}

/* A header is not there: cut off, or never there, and then it is no MAD. */
static enum layout_kind missing(const struct cursor *c)
{
	return c->captured < c->original ? LAYOUT_CUT : LAYOUT_FOREIGN;
}

/* A header says how long what begins at 'at' is: what is behind it is padding. */
static void limit(struct cursor *c, size_t size)
{
	c->captured = MIN(c->captured, c->at + size);
	c->original = MIN(c->original, c->at + size);
}

/* BTH and what follows. */
static enum layout_kind find_bth(struct cursor *c)
{
	struct packet_layout *layout = c->layout;
	const size_t mad_end = c->at + BTH_SIZE + DETH_SIZE + MAD_SIZE;
	const uint8_t *bth = here(c);
	unsigned int crcs = layout->has_lrh ? ICRC_SIZE + VCRC_SIZE : ICRC_SIZE;

	if (!has(c, BTH_SIZE))
		return missing(c);
	layout->bth = c->at;
	layout->end = c->captured;
	if (bth[BTH_OPCODE] != BTH_UD_SEND_ONLY)
		return LAYOUT_IBA;
	if (!has(c, BTH_SIZE + DETH_SIZE))
		return missing(c);
	if (get_be24(bth + BTH_DESTQP) > 1 && get_be24(bth + BTH_SIZE + DETH_SRCQP) > 1)
		return LAYOUT_IBA;
	if (c->captured < mad_end)
		return c->captured < c->original ? LAYOUT_CUT : LAYOUT_BROKEN;
	if (c->original > mad_end + crcs + PADDING_MAX)
		return LAYOUT_BROKEN;
	layout->mad = c->at + BTH_SIZE + DETH_SIZE;
	layout->end = mad_end;
	if (c->captured >= mad_end + ICRC_SIZE) {
		layout->icrc = mad_end;
		layout->end = mad_end + ICRC_SIZE;
	}
	if (layout->icrc && layout->has_lrh && c->captured >= layout->end + VCRC_SIZE) {
		layout->vcrc = layout->end;
		layout->end += VCRC_SIZE;
	}
	return LAYOUT_MAD;
}

static enum layout_kind find_native(struct cursor *c)
{
	unsigned int lnh;

	if (!has(c, LRH_SIZE))
		return missing(c);
	lnh = here(c)[LRH_SL] & 3;
	if (lnh != LRH_LNH_IBA && lnh != LRH_LNH_GRH)
		return LAYOUT_FOREIGN;
	c->layout->has_lrh = true;
	c->layout->lrh = c->at;
	c->at += LRH_SIZE;
	if (lnh == LRH_LNH_GRH) {
		if (!has(c, GRH_SIZE))
			return missing(c);
		if (here(c)[GRH_NXTHDR] != GRH_NXTHDR_IBA)
			return LAYOUT_FOREIGN;
		c->layout->grh = c->at;
		c->at += GRH_SIZE;
	}
	return find_bth(c);
}

/* ---- RoCE ---- */

static enum layout_kind find_roce_v1(struct cursor *c)
{
	if (!has(c, GRH_SIZE))
		return missing(c);
	if (here(c)[GRH_NXTHDR] != GRH_NXTHDR_IBA)
		return LAYOUT_FOREIGN;
	limit(c, GRH_SIZE + (size_t)get_be16(here(c) + GRH_PAYLEN));
	c->layout->grh = c->at;
	c->at += GRH_SIZE;
	return find_bth(c);
}

static enum layout_kind find_udp(struct cursor *c)
{
	if (!has(c, UDP_SIZE))
		return missing(c);
	if (get_be16(here(c) + UDP_DESTINATION) != UDP_PORT_ROCE)
		return LAYOUT_FOREIGN;
	limit(c, get_be16(here(c) + UDP_LENGTH));
	if (!has(c, UDP_SIZE))
		return LAYOUT_BROKEN;
	c->layout->udp = c->at;
	c->at += UDP_SIZE;
	return find_bth(c);
}

static enum layout_kind find_ipv4(struct cursor *c)
{
	const uint8_t *ip = here(c);
	size_t size, total;

	if (!has(c, IPV4_SIZE_MIN))
		return missing(c);
	size = (size_t)(ip[0] & 0xf) * 4;
	total = get_be16(ip + IPV4_LENGTH);
	if (ip[0] >> 4 != 4 || size < IPV4_SIZE_MIN || ip[IPV4_PROTOCOL] != PROTOCOL_UDP)
		return LAYOUT_FOREIGN;
	if (get_be16(ip + IPV4_FRAGMENT) & IPV4_MORE_OR_OFFSET)
		return LAYOUT_FOREIGN;
	/* A sending machine that leaves segmentation to its card records a total length of 0. */
	if (total)
		limit(c, total);
	if (!has(c, size))
		return missing(c);
	/* Options may record a route: they are addresses of their own. */
	if (size > IPV4_SIZE_MIN)
		return LAYOUT_BROKEN;
	c->layout->ipv4 = c->at;
	c->at += size;
	return find_udp(c);
}

static enum layout_kind find_ipv6(struct cursor *c)
{
	if (!has(c, IPV6_SIZE))
		return missing(c);
	if (here(c)[0] >> 4 != 6 || here(c)[IPV6_NEXT] != PROTOCOL_UDP)
		return LAYOUT_FOREIGN;
	limit(c, IPV6_SIZE + (size_t)get_be16(here(c) + IPV6_LENGTH));
	c->layout->ipv6 = c->at;
	c->at += IPV6_SIZE;
	return find_udp(c);
}

static enum layout_kind find_protocol(struct cursor *c, unsigned int protocol)
{
	if (protocol == ETHERTYPE_ROCE)
		return find_roce_v1(c);
	if (protocol == ETHERTYPE_IPV4)
		return find_ipv4(c);
	return protocol == ETHERTYPE_IPV6 ? find_ipv6(c) : LAYOUT_FOREIGN;
}

/* VLAN tags, of which the last two bytes are the next ethertype; 'at' is behind 'protocol'. */
static enum layout_kind find_tagged(struct cursor *c, unsigned int protocol)
{
	for (unsigned int tags = 0; tags < VLAN_TAGS_MAX; tags++) {
		if (protocol != 0x8100 && protocol != 0x88a8 && protocol != 0x9100)
			break;
		if (!has(c, VLAN_SIZE))
			return missing(c);
		protocol = get_be16(here(c) + 2);
		c->at += VLAN_SIZE;
	}
	return find_protocol(c, protocol);
}

static enum layout_kind find_ethernet(struct cursor *c)
{
	unsigned int protocol;

	if (!has(c, ETHERNET_SIZE))
		return missing(c);
	c->layout->ethernet = true;
	c->layout->link = c->at;
	protocol = get_be16(here(c) + ETHERTYPE_AT);
	c->at += ETHERNET_SIZE;
	return find_tagged(c, protocol);
}

static enum layout_kind find_cooked(struct cursor *c, size_t size, size_t address, size_t at)
{
	unsigned int protocol;

	if (!has(c, size))
		return missing(c);
	c->layout->cooked_address = c->at + address;
	protocol = get_be16(here(c) + at);
	c->at += size;
	return find_tagged(c, protocol);
}

static enum layout_kind find_ip(struct cursor *c)
{
	if (!has(c, 1))
		return missing(c);
	return here(c)[0] >> 4 == 4 ? find_ipv4(c) : find_ipv6(c);
}

/* ---- ERF ---- */

static enum layout_kind find_erf(struct cursor *c)
{
	const uint8_t *bytes = c->bytes;
	unsigned int type, wire;
	bool more;

	if (!has(c, ERF_HEADER_SIZE))
		return LAYOUT_BROKEN;
	type = bytes[ERF_TYPE_AT] & ERF_TYPE_MASK;
	more = bytes[ERF_TYPE_AT] & ERF_MORE_HEADERS;
	wire = get_be16(bytes + ERF_WLEN_AT);
	c->at = ERF_HEADER_SIZE;
	c->layout->extensions = c->at;
	for (unsigned int i = 0; more; i++) {
		if (i == ERF_EXTENSIONS_MAX || !has(c, ERF_EXTENSION_SIZE))
			return LAYOUT_BROKEN;
		more = here(c)[0] & ERF_MORE_HEADERS;
		c->at += ERF_EXTENSION_SIZE;
	}
	c->layout->extensions_end = c->at;
	if (type != ERF_TYPE_INFINIBAND && type != ERF_TYPE_ETHERNET)
		return LAYOUT_FOREIGN;
	if (type == ERF_TYPE_ETHERNET && !has(c, ERF_ETHERNET_PAD))
		return LAYOUT_BROKEN;
	c->at += type == ERF_TYPE_ETHERNET ? ERF_ETHERNET_PAD : 0;
	c->original = c->at + wire;
	c->captured = MIN(c->captured, c->original);
	return type == ERF_TYPE_ETHERNET ? find_ethernet(c) : find_native(c);
}

enum layout_kind packet_layout_find(uint32_t link_type, const uint8_t *bytes, size_t captured,
				    size_t original, struct packet_layout *ret)
{
	struct cursor c = { bytes, 0, captured, MAX(captured, original), ret };

	*ret = (struct packet_layout){ .end = 0 };
	switch (link_type) {
	case LINKTYPE_ERF:
		return find_erf(&c);
	case LINKTYPE_INFINIBAND:
		return find_native(&c);
	case LINKTYPE_ETHERNET:
		return find_ethernet(&c);
	case LINKTYPE_LINUX_SLL:
		return find_cooked(&c, SLL_SIZE, SLL_ADDRESS, SLL_PROTOCOL);
	case LINKTYPE_LINUX_SLL2:
		return find_cooked(&c, SLL2_SIZE, SLL2_ADDRESS, SLL2_PROTOCOL);
	case LINKTYPE_RAW_LINUX:
	case LINKTYPE_RAW_BSD:
	case LINKTYPE_RAW:
	case LINKTYPE_IPV4:
	case LINKTYPE_IPV6:
		return find_ip(&c);
	default:	/* numbers of files, not an enum of ours */
		return LAYOUT_FOREIGN;
	}
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captured packets with an LRH, and the headers that InfiniBand and RoCE share.
 *
 * This is lenient where nothing is lost: a whole MAD with a wrong length before it or without its
 * CRCs is read, and the oddity is reported. A MAD that is not whole is never padded.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/capture/frame.h"
#include "kmod-stub/wire-crc.h"

enum {
	LNH_RAW_ETHERTYPE = 1,
	ETHERTYPE_MIRROR = 0x1123,	/* what a mirroring port of a switch prepends */
	RAW_ETHERTYPE_AT = 10,
};

void frame_say(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, FRAME_WHY_SIZE, format, args);
	va_end(args);
}

enum frame_kind frame_cut_off(char *why)
{
	frame_say(why, "cut off inside its headers, so nobody can tell whether it is a "
		  "MAD; capture whole packets (tcpdump -s 0)");
	return FRAME_DAMAGED;
}

void frame_read_grh(const uint8_t *grh, struct packet_addr *addr)
{
	uint32_t word = get_be32(grh + GRH_TCLASS_FLOW);

	addr->has_grh = true;
	addr->traffic_class = (uint8_t)(word >> 20);
	addr->flow_label = word & 0xfffff;
	addr->hop_limit = grh[GRH_HOPLIMIT];
	memcpy(addr->sgid, grh + GRH_SGID, sizeof(addr->sgid));
	memcpy(addr->dgid, grh + GRH_DGID, sizeof(addr->dgid));
}

void frame_check_crc(const uint8_t *stored, unsigned int size, uint32_t right, bool *ret_ok,
		     bool *ret_wrong)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < size; i++)
		value |= (uint32_t)stored[i] << (8 * i);
	*ret_ok = value == right;
	*ret_wrong = value != right && value != 0;
}

enum frame_kind frame_read_bth(const uint8_t *bth, size_t captured, size_t original,
			       struct capture_mad *mad, char *why)
{
	const size_t headers = BTH_SIZE + DETH_SIZE;
	const uint8_t *deth = bth + BTH_SIZE;

	if (original < headers)
		return FRAME_OTHER;
	if (captured < headers)
		return frame_cut_off(why);
	mad->addr.pkey = get_be16(bth + BTH_PKEY);
	mad->addr.dest_qp = get_be24(bth + BTH_DESTQP);
	mad->addr.psn = get_be24(bth + BTH_PSN);
	mad->addr.qkey = get_be32(deth + DETH_QKEY);
	mad->addr.src_qp = get_be24(deth + DETH_SRCQP);
	/* As Wireshark: a datagram with QP 0 or 1 at either end is a MAD, nothing else is. */
	if (bth[BTH_OPCODE] != BTH_UD_SEND_ONLY ||
	    (mad->addr.dest_qp > 1 && mad->addr.src_qp > 1))
		return FRAME_OTHER;
	if (original < headers + MAD_SIZE) {
		frame_say(why, "a MAD has 256 bytes, and only %zu are behind the headers "
			  "of this packet", original - headers);
		return FRAME_DAMAGED;
	}
	if (captured < headers + MAD_SIZE) {
		frame_say(why, "the MAD is cut off: %zu of its 256 bytes were captured; "
			  "capture whole packets (tcpdump -s 0)", captured - headers);
		return FRAME_DAMAGED;
	}
	if (original > headers + MAD_SIZE + ICRC_SIZE + VCRC_SIZE + 8) {
		frame_say(why, "a MAD has 256 bytes, and this packet carries %zu; jumbo "
			  "MADs (Omni-Path) are not read", original - headers - ICRC_SIZE);
		return FRAME_DAMAGED;
	}
	memcpy(mad->mad, deth + DETH_SIZE, MAD_SIZE);
	return FRAME_MAD;
}

/* Describes where the LRH's length and the packet's disagree; the MAD itself is complete. */
static void check_lengths(size_t said, size_t mad_end, size_t captured, size_t original, char *why)
{
	if (said > original)
		frame_say(why, "the LRH says %zu bytes and the packet has %zu", said,
			  original);
	else if (said != mad_end + ICRC_SIZE && said != mad_end)
		frame_say(why, "the LRH says %zu bytes, where a MAD makes it %zu", said,
			  mad_end + ICRC_SIZE);
	else if (captured < original && captured < said)
		frame_say(why, "the MAD is whole and its ICRC is cut off; capture whole "
			  "packets (tcpdump -s 0)");
}

/*
 * Checks the CRCs that are present; the result goes into 'mad', and into 'why' where one is wrong.
 */
static void check_crcs(const uint8_t *bytes, size_t mad_end, size_t captured,
		       struct capture_mad *mad, char *why)
{
	if (captured < mad_end + ICRC_SIZE)
		return;
	frame_check_crc(bytes + mad_end, ICRC_SIZE, wire_icrc(bytes, mad_end), &mad->icrc_ok,
			&mad->icrc_wrong);
	if (captured >= mad_end + ICRC_SIZE + VCRC_SIZE)
		frame_check_crc(bytes + mad_end + ICRC_SIZE, VCRC_SIZE,
				wire_crc16(bytes, mad_end + ICRC_SIZE), &mad->vcrc_ok,
				&mad->vcrc_wrong);
	if (mad->icrc_wrong || mad->vcrc_wrong)
		frame_say(why, "its %s is wrong: a real port would have dropped it",
			  mad->icrc_wrong ? "ICRC" : "VCRC");
}

enum frame_kind frame_read_infiniband(const uint8_t *bytes, size_t captured, size_t original,
				      struct capture_mad *mad, char *why)
{
	size_t bth_at = LRH_SIZE, mad_end, said;
	enum frame_kind kind;
	unsigned int lnh;

	if (original < LRH_SIZE + BTH_SIZE)
		return FRAME_OTHER;
	if (captured < LRH_SIZE + BTH_SIZE)
		return frame_cut_off(why);
	lnh = bytes[LRH_SL] & 3;
	if (lnh == LNH_RAW_ETHERTYPE && get_be16(bytes + RAW_ETHERTYPE_AT) == ETHERTYPE_MIRROR) {
		frame_say(why, "mirrored by a switch and still wrapped; capture with "
			  "ibdump --decap");
		return FRAME_DAMAGED;
	}
	if (lnh != LRH_LNH_IBA && lnh != LRH_LNH_GRH)
		return FRAME_OTHER;
	if (lnh == LRH_LNH_GRH) {
		bth_at += GRH_SIZE;
		if (original < bth_at)
			return FRAME_OTHER;
		if (captured < bth_at)
			return frame_cut_off(why);
		if (bytes[LRH_SIZE + GRH_NXTHDR] != GRH_NXTHDR_IBA)
			return FRAME_OTHER;
		frame_read_grh(bytes + LRH_SIZE, &mad->addr);
	}
	mad->transport = CAPTURE_INFINIBAND;
	mad->addr.vl = bytes[LRH_VL] >> 4;
	mad->addr.sl = bytes[LRH_SL] >> 4;
	mad->addr.dlid = get_be16(bytes + LRH_DLID);
	mad->addr.slid = get_be16(bytes + LRH_SLID);
	kind = frame_read_bth(bytes + bth_at, captured - bth_at, original - bth_at, mad, why);
	if (kind != FRAME_MAD)
		return kind;
	mad_end = bth_at + BTH_SIZE + DETH_SIZE + MAD_SIZE;
	said = (size_t)(get_be16(bytes + LRH_PKTLEN) & 0x7ff) * 4;
	check_lengths(said, mad_end, captured, original, why);
	check_crcs(bytes, mad_end, captured, mad, why);
	return FRAME_MAD;
}

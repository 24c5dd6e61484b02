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

enum capture_cause frame_cut_off(struct frame_result *result)
{
	frame_say(result->why, "cut off inside its headers, so nobody can tell whether it is a "
		  "MAD; capture whole packets (tcpdump -s 0)");
	return CAUSE_CUT_HEADER;
}

void frame_read_grh(const uint8_t *grh, struct frame_result *result)
{
	uint32_t word = get_be32(grh + GRH_TCLASS_FLOW);
	struct packet_addr *addr = &result->mad.addr;

	result->headers.ip_version = (uint8_t)(word >> 28);
	result->headers.next_header = grh[GRH_NXTHDR];
	result->headers.payload_length = get_be16(grh + GRH_PAYLEN);
	addr->has_grh = true;
	addr->traffic_class = (uint8_t)(word >> 20);
	addr->flow_label = word & 0xfffff;
	addr->hop_limit = grh[GRH_HOPLIMIT];
	memcpy(addr->sgid, grh + GRH_SGID, sizeof(addr->sgid));
	memcpy(addr->dgid, grh + GRH_DGID, sizeof(addr->dgid));
}

enum frame_crc frame_check_crc(const uint8_t *stored, unsigned int size, uint32_t right)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < size; i++)
		value |= (uint32_t)stored[i] << (8 * i);
	if (value == right)
		return CRC_RIGHT;
	return value ? CRC_WRONG : CRC_ABSENT;
}

/* The MAD after the DETH at 'deth'; 'captured' and 'original' count from the BTH. */
static enum capture_cause read_mad(const uint8_t *deth, size_t captured, size_t original,
				   struct frame_result *result)
{
	const size_t headers = BTH_SIZE + DETH_SIZE;

	if (original < headers + MAD_SIZE) {
		frame_say(result->why, "a MAD has 256 bytes, and only %zu follow the headers "
			  "of this packet", original - headers);
		return CAUSE_SHORT_MAD;
	}
	if (captured < headers + MAD_SIZE) {
		frame_say(result->why, "the MAD is cut off: %zu of its 256 bytes were captured; "
			  "capture whole packets (tcpdump -s 0)", captured - headers);
		return CAUSE_CUT_MAD;
	}
	if (original > headers + MAD_SIZE + ICRC_SIZE + VCRC_SIZE + 8) {
		frame_say(result->why, "a MAD has 256 bytes, and this packet carries %zu; jumbo "
			  "MADs (Omni-Path) are not read", original - headers - ICRC_SIZE);
		return CAUSE_JUMBO;
	}
	memcpy(result->mad.mad, deth + DETH_SIZE, MAD_SIZE);
	return CAUSE_NONE;
}

enum capture_cause frame_read_bth(const uint8_t *bth, size_t captured, size_t original,
				  struct frame_result *result)
{
	const uint8_t *deth = bth + BTH_SIZE;
	struct capture_headers *headers = &result->headers;
	struct packet_addr *addr = &result->mad.addr;

	if (original < BTH_SIZE + DETH_SIZE)
		return CAUSE_SHORT;
	if (captured < BTH_SIZE + DETH_SIZE)
		return frame_cut_off(result);
	headers->bth_flags = bth[BTH_OPCODE + 1];
	headers->bth_reserved = bth[BTH_DESTQP - 1];
	headers->bth_ack = bth[BTH_PSN - 1];
	headers->deth_reserved = deth[DETH_SRCQP - 1];
	addr->pkey = get_be16(bth + BTH_PKEY);
	addr->dest_qp = get_be24(bth + BTH_DESTQP);
	addr->psn = get_be24(bth + BTH_PSN);
	addr->qkey = get_be32(deth + DETH_QKEY);
	addr->src_qp = get_be24(deth + DETH_SRCQP);
	if (bth[BTH_OPCODE] != BTH_UD_SEND_ONLY)
		return CAUSE_OPCODE;
	/* As Wireshark: a datagram with QP 0 or 1 at either end is a MAD, nothing else is. */
	if (addr->dest_qp > 1 && addr->src_qp > 1)
		return CAUSE_DATA_QP;
	return read_mad(deth, captured, original, result);
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

/* Checks the CRCs that are present; returns the cause, with 'why', if one is wrong. */
static enum capture_cause check_crcs(const uint8_t *bytes, size_t mad_end, size_t captured,
				     struct frame_result *result)
{
	static const uint8_t no_crcs[ICRC_SIZE + VCRC_SIZE];
	enum frame_crc icrc = CRC_ABSENT, vcrc = CRC_ABSENT;

	if (!result->check_crcs || captured < mad_end + ICRC_SIZE)
		return CAUSE_NONE;
	/* Where both are zero neither was computed, and what would be right does not matter. */
	if (captured >= mad_end + sizeof(no_crcs) &&
	    memcmp(bytes + mad_end, no_crcs, sizeof(no_crcs)) == 0)
		return CAUSE_NONE;
	icrc = frame_check_crc(bytes + mad_end, ICRC_SIZE, wire_icrc(bytes, mad_end));
	if (captured >= mad_end + ICRC_SIZE + VCRC_SIZE)
		vcrc = frame_check_crc(bytes + mad_end + ICRC_SIZE, VCRC_SIZE,
				       wire_crc16(bytes, mad_end + ICRC_SIZE));
	result->mad.icrc_ok = icrc == CRC_RIGHT;
	result->mad.icrc_wrong = icrc == CRC_WRONG;
	result->mad.vcrc_ok = vcrc == CRC_RIGHT;
	result->mad.vcrc_wrong = vcrc == CRC_WRONG;
	if (icrc != CRC_WRONG && vcrc != CRC_WRONG)
		return CAUSE_NONE;
	frame_say(result->why, "its %s is wrong: a real port would have dropped it",
		  icrc == CRC_WRONG ? "ICRC" : "VCRC");
	return icrc == CRC_WRONG ? CAUSE_ICRC : CAUSE_VCRC;
}

/* Reads from the BTH, at 'bth_at' of a packet with an LRH. */
static enum capture_cause read_behind(const uint8_t *bytes, size_t bth_at, size_t captured,
				      size_t original, struct frame_result *result)
{
	size_t mad_end = bth_at + BTH_SIZE + DETH_SIZE + MAD_SIZE;
	size_t said = (size_t)(get_be16(bytes + LRH_PKTLEN) & 0x7ff) * 4;
	enum capture_cause cause;

	result->mad.transport = CAPTURE_INFINIBAND;
	memcpy(result->headers.lrh, bytes + LRH_VL, sizeof(result->headers.lrh));
	memcpy(result->headers.lrh_length, bytes + LRH_PKTLEN,
	       sizeof(result->headers.lrh_length));
	result->mad.addr.vl = bytes[LRH_VL] >> 4;
	result->mad.addr.sl = bytes[LRH_SL] >> 4;
	result->mad.addr.dlid = get_be16(bytes + LRH_DLID);
	result->mad.addr.slid = get_be16(bytes + LRH_SLID);
	cause = frame_read_bth(bytes + bth_at, captured - bth_at, original - bth_at, result);
	if (cause != CAUSE_NONE)
		return cause;
	check_lengths(said, mad_end, captured, original, result->why);
	return check_crcs(bytes, mad_end, captured, result);
}

enum capture_cause frame_read_infiniband(const uint8_t *bytes, size_t captured, size_t original,
					 struct frame_result *result)
{
	size_t bth_at = LRH_SIZE;
	unsigned int lnh;

	if (original < LRH_SIZE + BTH_SIZE)
		return CAUSE_SHORT;
	if (captured < LRH_SIZE + BTH_SIZE)
		return frame_cut_off(result);
	lnh = bytes[LRH_SL] & 3;
	if (lnh == LNH_RAW_ETHERTYPE && get_be16(bytes + RAW_ETHERTYPE_AT) == ETHERTYPE_MIRROR) {
		frame_say(result->why, "mirrored by a switch and still wrapped; capture with "
			  "ibdump --decap");
		return CAUSE_MIRRORED;
	}
	if (lnh != LRH_LNH_IBA && lnh != LRH_LNH_GRH)
		return CAUSE_RAW_PACKET;
	if (lnh == LRH_LNH_GRH) {
		bth_at += GRH_SIZE;
		if (original < bth_at)
			return CAUSE_SHORT;
		if (captured < bth_at)
			return frame_cut_off(result);
		if (bytes[LRH_SIZE + GRH_NXTHDR] != GRH_NXTHDR_IBA)
			return CAUSE_GRH_NEXT;
		frame_read_grh(bytes + LRH_SIZE, result);
	}
	return read_behind(bytes, bth_at, captured, original, result);
}

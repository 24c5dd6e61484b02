/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captured frames: every link type and encapsulation, and what is reported for frames that are
 * truncated, damaged or not MADs.
 */
#include <stdbool.h>
#include <string.h>

#include "sim/capture/frame.h"
#include "sim/capture/stream.h"
#include "tests/rig/capture-vectors.h"
#include "tests/rig/leak.h"

/* ---- the encapsulations ---- */

struct vector_row {
	const char *name;
	enum vector vector;
	uint32_t link_type;
	enum capture_transport transport;
	struct packet_addr addr;
};

/* What all vectors have in common, added to the row's. */
static struct packet_addr whole_address(const struct vector_row *row)
{
	struct packet_addr want = row->addr;

	want.pkey = 0xffff;
	want.dest_qp = want.src_qp = 1;
	want.qkey = QKEY_GSI;
	want.psn = 7;
	if (want.sgid[0] == 0xfe) {
		want.sgid[1] = 0x80;
		want.sgid[15] = 0x0a;
	}
	memcpy(want.dgid, want.sgid, 16);
	if (want.has_grh)
		want.dgid[15]++;
	if (want.sgid[12] == 0x0a)
		want.dgid[15] = 2;
	return want;
}

static void check_address(const struct packet_addr *addr, const struct packet_addr *want)
{
	g_assert_cmpuint(addr->slid, ==, want->slid);
	g_assert_cmpuint(addr->dlid, ==, want->dlid);
	g_assert_cmpuint(addr->sl, ==, want->sl);
	g_assert_cmpuint(addr->vl, ==, want->vl);
	g_assert_cmphex(addr->pkey, ==, want->pkey);
	g_assert_cmphex(addr->qkey, ==, want->qkey);
	g_assert_cmpuint(addr->psn, ==, want->psn);
	g_assert_cmpuint(addr->src_qp, ==, want->src_qp);
	g_assert_cmpuint(addr->dest_qp, ==, want->dest_qp);
	g_assert_cmpint(addr->has_grh, ==, want->has_grh);
	g_assert_cmphex(addr->traffic_class, ==, want->traffic_class);
	g_assert_cmphex(addr->flow_label, ==, want->flow_label);
	g_assert_cmpuint(addr->hop_limit, ==, want->hop_limit);
	g_assert_cmpmem(addr->sgid, 16, want->sgid, 16);
	g_assert_cmpmem(addr->dgid, 16, want->dgid, 16);
}

/* The vectors have what every sender writes in the rest of the headers. */
static void check_headers(const struct capture_mad *mad, const struct capture_headers *headers,
			  const struct vector_row *row)
{
	bool native = row->transport == CAPTURE_INFINIBAND, udp = row->transport == CAPTURE_ROCE_V2;
	bool ipv4 = row->vector == ROCE_V2_IPV4;

	g_assert_cmpuint(headers->lrh[0] & 0x0f, ==, 0);
	g_assert_cmpuint(get_be16(headers->lrh_length), ==,
			 !native ? 0 : mad->addr.has_grh ? 82 : 72);
	g_assert_cmpuint(headers->ip_version, ==, !mad->addr.has_grh ? 0 : ipv4 ? 4 : 6);
	g_assert_cmpuint(headers->next_header, ==,
			 !mad->addr.has_grh ? 0 : udp ? 17 : GRH_NXTHDR_IBA);
	g_assert_cmpuint(headers->payload_length, ==,
			 !mad->addr.has_grh ? 0 : udp ? 288 : 280);
	g_assert_cmpuint(headers->bth_flags, ==, 0);
	g_assert_cmpuint(headers->bth_reserved, ==, 0);
	g_assert_cmpuint(headers->bth_ack, ==, 0);
	g_assert_cmpuint(headers->deth_reserved, ==, 0);
}

/* The headers are there item by item only. */
static void check_stream(const GByteArray *file, const struct vector_row *row)
{
	char message[512];
	struct capture_stream *stream = capture_stream_parse(file->data, file->len, "memory", 0,
							     message, sizeof(message));
	struct capture_item item;
	unsigned int mads = 0;

	for (; capture_stream_next(stream, &item); mads++)
		check_headers(item.mad, item.headers, row);
	g_assert_cmpuint(mads, ==, 2);
	capture_stream_close(stream);
}

static void check_vector(const struct vector_row *row)
{
	GByteArray *file = g_byte_array_new(), *packet = vector_bytes(row->vector);
	const struct packet_addr want = whole_address(row);
	struct capture *capture;

	g_test_message("%s", row->name);
	build_pcap(file, 0xa1b23c4d, row->link_type, false);
	build_pcap_record(file, 5, 7, packet->data, packet->len, packet->len, false);
	/* What follows in the frame is Ethernet padding, not part of the packet. */
	build_zero(packet, 4);
	build_pcap_record(file, 5, 9, packet->data, packet->len, packet->len, false);
	capture = parse(file);
	g_assert_cmpuint(capture->mad_count, ==, 2);
	g_assert_null(capture->warnings[0]);
	for (unsigned int copy = 0; copy < 2; copy++) {
		const struct capture_mad *mad = &capture->mads[copy];

		g_assert_true(mad->icrc_ok);
		g_assert_false(mad->icrc_wrong);
		g_assert_cmpint(mad->vcrc_ok, ==, row->link_type == LINKTYPE_INFINIBAND);
		g_assert_cmpint(mad->transport, ==, row->transport);
		g_assert_cmphex(get_be64(mad->mad + MAD_TID), ==, 0x1234);
		g_assert_cmpint(capture->first_ns + mad->time_ns, ==, 5000000007 + 2 * copy);
		g_assert_cmpint(mad->time_ns, ==, 2 * copy);
		g_assert_cmpuint(mad->frame, ==, copy + 1);
		check_address(&mad->addr, &want);
	}
	capture_free(capture);
	check_stream(file, row);
	g_byte_array_free(packet, true);
	g_byte_array_free(file, true);
}

static void test_vectors(void)
{
	static const struct vector_row rows[] = {
		{ "native", NATIVE, LINKTYPE_INFINIBAND, CAPTURE_INFINIBAND,
		  { .slid = 1, .dlid = 2, .sl = 2, .vl = 1 } },
		{ "native, GRH", NATIVE_GRH, LINKTYPE_INFINIBAND, CAPTURE_INFINIBAND,
		  { .slid = 1, .dlid = 2, .sl = 2, .vl = 1, .has_grh = true, .traffic_class = 0x12,
		    .flow_label = 0x34567, .hop_limit = 3, .sgid = "\xfe\x80" } },
		{ "RoCE v1", ROCE_V1, LINKTYPE_ETHERNET, CAPTURE_ROCE_V1,
		  { .has_grh = true, .traffic_class = 0x12, .flow_label = 0x34567, .hop_limit = 3,
		    .sgid = "\xfe\x80" } },
		{ "RoCE v1, two VLAN tags", ROCE_V1_VLANS, LINKTYPE_ETHERNET, CAPTURE_ROCE_V1,
		  { .sl = 5, .has_grh = true, .traffic_class = 0x12, .flow_label = 0x34567,
		    .hop_limit = 3, .sgid = "\xfe\x80" } },
		{ "RoCE v2, IPv4 with options", ROCE_V2_IPV4, LINKTYPE_ETHERNET, CAPTURE_ROCE_V2,
		  { .has_grh = true, .traffic_class = 0x68, .hop_limit = 64,
		    .sgid = { [10] = 0xff, 0xff, 0x0a, 0, 0, 1 } } },
		{ "RoCE v2, IPv6", ROCE_V2_IPV6, LINKTYPE_ETHERNET, CAPTURE_ROCE_V2,
		  { .has_grh = true, .traffic_class = 0xa2, .flow_label = 0x34567, .hop_limit = 64,
		    .sgid = "\xfe\x80" } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		check_vector(&rows[i]);
}

/* What is written as RoCE v2 is read back with a correct ICRC and every field. */
static void test_roce_written(void)
{
	static const uint8_t to[6] = { 2, 0, 0, 0, 0, 1 }, from[6] = { 2, 0, 0, 0, 0, 2 };
	const struct packet_addr addr = {
		.pkey = 0x8001, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI, .psn = 0x123456,
		.has_grh = true, .traffic_class = 0xa2, .flow_label = 0x34567, .hop_limit = 64,
		.sgid = "\xfe\x80", .dgid = "\xfe\x80\0\0\0\0\0\x01",
	};
	struct packet packet = { .next = NULL };
	struct frame_result result = { .check_crcs = true };
	const struct capture_mad *mad = &result.mad;
	uint8_t frame[FRAME_ROCE_SIZE];
	size_t size;

	packet_build(&packet, &addr);
	for (unsigned int i = 0; i < MAD_SIZE; i++)
		packet_mad(&packet)[i] = (uint8_t)(i * 7);
	size = frame_write_roce_v2(frame, to, from, &packet);
	g_assert_cmpmem(frame, 6, to, 6);
	g_assert_cmpmem(frame + 6, 6, from, 6);
	g_assert_cmpint(frame_read_ethernet(frame, size, size, &result), ==, CAUSE_NONE);
	g_assert_cmpint(mad->transport, ==, CAPTURE_ROCE_V2);
	g_assert_true(mad->icrc_ok);
	g_assert_cmpmem(&mad->addr, sizeof(mad->addr), &addr, sizeof(addr));
	g_assert_cmpmem(mad->mad, MAD_SIZE, packet_mad(&packet), MAD_SIZE);
	/* The ICRC shows any flipped bit, except in fields that routers change. */
	frame[14 + 40 + 8 + BTH_SIZE + DETH_SIZE + 100] ^= 0x10;
	g_assert_cmpint(frame_read_ethernet(frame, size, size, &result), ==, CAUSE_ICRC);
	g_assert_true(mad->icrc_wrong);
}

/* ---- single frames ---- */

enum outcome { RIGHT, WRONG, NO_CRC, SKIPPED, DAMAGED };

struct frame_row {
	const char *name;
	uint32_t link_type;
	const char *front;		/* hex in front of the vector: an ERF header */
	enum vector vector;
	const char *edit;		/* "AT:HEX" over the vector's bytes */
	int captured;			/* of the vector's bytes; 0: all, negative: fewer by that */
	int original;			/* the same for the original length in the file */
	enum outcome outcome;
	const char *warning;		/* part of the message; NULL: none */
	const char *cause;		/* the word for it; NULL: none, it is a MAD */
};

static const struct frame_row frame_rows[] = {
	/* Native packets (link type 247). */
	{ "no VCRC", 247, "", NATIVE, NULL, -2, -2, RIGHT, NULL, NULL },
	{ "no CRCs, PktLen says so", 247, "", NATIVE, "4:0047", -6, -6, NO_CRC, NULL, NULL },
	{ "no CRCs, PktLen counts them", 247, "", NATIVE, NULL, -6, -6, NO_CRC,
	  "the LRH says 288 bytes and the packet has 284", NULL },
	{ "CRCs cut off", 247, "", NATIVE, NULL, -6, 0, NO_CRC, "its ICRC is cut off", NULL },
	{ "CRCs of zero", 247, "", NATIVE, "284:000000000000", 0, 0, NO_CRC, NULL, NULL },
	{ "wrong ICRC", 247, "", NATIVE, "284:00", 0, 0, WRONG, "its ICRC is wrong", "icrc" },
	{ "wrong VCRC", 247, "", NATIVE, "288:00", 0, 0, RIGHT, "its VCRC is wrong", "vcrc" },
	{ "damaged in the MAD", 247, "", NATIVE, "100:01", 0, 0, WRONG, "its ICRC is wrong",
	  "icrc" },
	{ "PktLen 0", 247, "", NATIVE, "4:0000", 0, 0, WRONG, "its ICRC is wrong", "icrc" },
	{ "PktLen too long, CRCs zero", 247, "", NATIVE, "4:00ff 284:000000000000", 0, 0, NO_CRC,
	  "the LRH says 1020 bytes and the packet has 290", NULL },
	{ "PktLen too short, CRCs zero", 247, "", NATIVE, "4:000a 284:000000000000", 0, 0, NO_CRC,
	  "the LRH says 40 bytes, where a MAD makes it 288", NULL },
	{ "MAD cut off", 247, "", NATIVE, NULL, 283, 0, DAMAGED, "255 of its 256 bytes",
	  "cut-mad" },
	{ "MAD cut to nothing", 247, "", NATIVE, NULL, 28, 0, DAMAGED, "0 of its 256 bytes",
	  "cut-mad" },
	{ "MAD too short", 247, "", NATIVE, NULL, 283, 283, DAMAGED, "only 255 follow",
	  "short-mad" },
	{ "cut in the DETH", 247, "", NATIVE, NULL, 27, 0, DAMAGED, "inside its headers",
	  "cut-header" },
	{ "cut in the LRH", 247, "", NATIVE, NULL, 7, 0, DAMAGED, "inside its headers",
	  "cut-header" },
	{ "cut in the GRH", 247, "", NATIVE_GRH, NULL, 47, 0, DAMAGED, "inside its headers",
	  "cut-header" },
	{ "GRH only", 247, "", NATIVE_GRH, NULL, 47, 47, SKIPPED, NULL, "short" },
	{ "nothing there", 247, "", NATIVE, NULL, 0, 1, SKIPPED, NULL, "short" },
	{ "raw packet", 247, "", NATIVE, "1:20", 0, 0, SKIPPED, NULL, "raw-packet" },
	{ "raw ethertype", 247, "", NATIVE, "1:21", 0, 0, SKIPPED, NULL, "raw-packet" },
	{ "mirrored", 247, "", NATIVE, "1:21 10:1123", 0, 0, DAMAGED, "ibdump --decap",
	  "mirrored" },
	{ "GRH with another next header", 247, "", NATIVE_GRH, "14:11", 0, 0, SKIPPED, NULL,
	  "grh-next" },
	{ "RC send", 247, "", NATIVE, "8:04", 0, 0, SKIPPED, NULL, "opcode" },
	{ "UD with immediate data", 247, "", NATIVE, "8:65", 0, 0, SKIPPED, NULL, "opcode" },
	/* QP 0 or 1 at either end. Resv8a of the BTH is not in the ICRC, QPs are. */
	{ "QP 5 to QP 6", 247, "", NATIVE, "13:000006 25:000005", 0, 0, SKIPPED, NULL, "data-qp" },
	{ "QP 1 to QP 6", 247, "", NATIVE, "13:000006 284:000000000000", 0, 0, NO_CRC, NULL, NULL },
	{ "QP 5 to QP 1", 247, "", NATIVE, "25:000005 284:000000000000", 0, 0, NO_CRC, NULL, NULL },
	{ "QP 0 to QP 0", 247, "", NATIVE, "13:000000 25:000000 284:000000000000", 0, 0, NO_CRC,
	  NULL, NULL },
	/* ERF (197): header, extension headers, wlen. */
	{ "ERF", 197, ERF("15", "04", "0122"), NATIVE, NULL, 0, 0, RIGHT, NULL, NULL },
	{ "ERF, one extension header", 197, ERF("95", "04", "0122") "0300000000000000",
	  NATIVE, NULL, 0, 0, RIGHT, NULL, NULL },
	{ "ERF, two extension headers", 197, ERF("95", "04", "0122")
	  "8300000000000000 0400000000000000", NATIVE, NULL, 0, 0, RIGHT, NULL, NULL },
	{ "ERF, extension headers without end", 197, ERF("95", "04", "0122")
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", NATIVE, NULL, 0, 0,
	  DAMAGED, "do not end", "erf-record" },
	{ "ERF, extension header cut off", 197, ERF("95", "04", "0122") "830000", NATIVE, NULL,
	  0, 1, DAMAGED, "do not end", "erf-record" },
	{ "ERF, header cut off", 197, "00000080", NATIVE, NULL, 3, 3, DAMAGED,
	  "at least 16 bytes", "erf-record" },
	{ "ERF, wlen without the VCRC", 197, ERF("15", "04", "0120"), NATIVE, NULL, 0, 0, RIGHT,
	  NULL, NULL },
	{ "ERF, wlen ends in the MAD", 197, ERF("15", "04", "0100"), NATIVE, NULL, 0, 0, DAMAGED,
	  "only 228 follow", "short-mad" },
	{ "ERF, wlen past what was captured", 197, ERF("15", "04", "0122"), NATIVE, NULL, 100, 0,
	  DAMAGED, "72 of its 256 bytes", "cut-mad" },
	{ "ERF, wlen 0", 197, ERF("15", "04", "0000"), NATIVE, NULL, 0, 0, DAMAGED, "is empty",
	  "erf-record" },
	{ "ERF, padding behind the packet", 197, ERF("15", "04", "0122"), NATIVE, NULL, 0, 0,
	  RIGHT, NULL, NULL },
	{ "ERF, received with an error", 197, ERF("15", "14", "0122"), NATIVE, NULL, 0, 0, RIGHT,
	  "received with an error", "rx-error" },
	{ "ERF, flow control", 197, ERF("19", "04", "0122"), NATIVE, NULL, 0, 0, SKIPPED, NULL,
	  "flow-control" },
	{ "ERF, Ethernet inside", 197, ERF("02", "04", "014e") "0000", ROCE_V1, NULL, 0, 0, RIGHT,
	  NULL, NULL },
	/* Ethernet (1). */
	{ "v1: MAD cut off", 1, "", ROCE_V1, NULL, 200, 0, DAMAGED, "126 of its 256 bytes",
	  "cut-mad" },
	{ "v1: wrong ICRC", 1, "", ROCE_V1, "330:01", 0, 0, WRONG, "its ICRC is wrong", "icrc" },
	{ "v1: hop limit is not in the ICRC", 1, "", ROCE_V1, "21:01", 0, 0, RIGHT, NULL, NULL },
	{ "v1: cut in the GRH", 1, "", ROCE_V1, NULL, 50, 0, DAMAGED, "inside its headers",
	  "cut-header" },
	{ "v2: MAD cut off", 1, "", ROCE_V2_IPV4, NULL, 200, 0, DAMAGED, "134 of its 256 bytes",
	  "cut-mad" },
	{ "v2: checksums are not in the ICRC", 1, "", ROCE_V2_IPV4, "24:1234 44:5678", 0, 0,
	  RIGHT, NULL, NULL },
	{ "v2: wrong ICRC", 1, "", ROCE_V2_IPV6, "338:01", 0, 0, WRONG,
	  "its ICRC is wrong", "icrc" },
	{ "v2: another port", 1, "", ROCE_V2_IPV4, "40:0045", 0, 0, SKIPPED, NULL, "udp-port" },
	{ "v2: RoCE's port as source only", 1, "", ROCE_V2_IPV4, "38:12b70045", 0, 0, SKIPPED,
	  NULL, "udp-port" },
	{ "v2: TCP", 1, "", ROCE_V2_IPV4, "23:06", 0, 0, SKIPPED, NULL, "ip-protocol" },
	{ "v2: first fragment", 1, "", ROCE_V2_IPV4, "20:2000", 0, 0, DAMAGED, "fragment",
	  "fragment" },
	{ "v2: later fragment", 1, "", ROCE_V2_IPV4, "20:0001", 0, 0, SKIPPED, NULL,
	  "later-fragment" },
	{ "v2: IP header cut by its own length", 1, "", ROCE_V2_IPV4, "16:0010", 0, 0, SKIPPED,
	  NULL, "short" },
	{ "v2: IP length left to the card", 1, "", ROCE_V2_IPV4, "16:0000 322:00000000", 0, 0,
	  NO_CRC, NULL, NULL },
	{ "v2: cut in the UDP header", 1, "", ROCE_V2_IPV6, NULL, 60, 0, DAMAGED,
	  "inside its headers", "cut-header" },
	{ "ARP", 1, "", ROCE_V1, "12:0806", 0, 0, SKIPPED, NULL, "ethertype" },
	{ "VLAN tags without end", 1, "", ROCE_V1,
	  "12:81000000810000008100000081000000810000008100", 0, 0, SKIPPED, NULL, "ethertype" },
	{ "cut in a VLAN tag", 1, "", ROCE_V1_VLANS, NULL, 15, 0, DAMAGED, "inside its headers",
	  "cut-header" },
	{ "another link type", 147, "", ROCE_V1, NULL, 0, 0, SKIPPED, "of link type 147",
	  "link-type" },
	{ "base version of Omni-Path", 247, "", NATIVE, "28:80 284:000000000000", 0, 0, NO_CRC,
	  NULL, "base-version" },
	{ "jumbo MAD", 247, "", NATIVE, NULL, 0, 2100, DAMAGED, "(Omni-Path)", "jumbo" },
	{ "ERF, another type", 197, ERF("18", "04", "0122"), NATIVE, NULL, 0, 0, SKIPPED, NULL,
	  "erf-type" },
};

static void apply_edits(GByteArray *packet, const char *edits)
{
	char **words = g_strsplit(edits ? edits : "", " ", -1);

	for (char **word = words; *word && **word; word++) {
		char *hex;
		guint at = (guint)g_ascii_strtoull(*word, &hex, 10);
		GByteArray *bytes = g_byte_array_new();

		g_assert_cmpint(*hex, ==, ':');
		build_hex(bytes, hex + 1);
		g_assert_cmpuint(at + bytes->len, <=, packet->len);
		memcpy(packet->data + at, bytes->data, bytes->len);
		g_byte_array_free(bytes, true);
	}
	g_strfreev(words);
}

static void check_outcome(const struct capture *capture, const struct frame_row *row)
{
	bool is_mad = row->outcome != SKIPPED && row->outcome != DAMAGED;

	for (enum capture_cause cause = 0; cause < CAPTURE_CAUSES; cause++)
		g_assert_cmpuint(capture->counts.causes[cause], ==,
				 strcmp(capture_cause_info(cause)->word,
					row->cause ? row->cause : "mad") == 0);
	g_assert_cmpuint(capture->counts.frames, ==, 1);
	g_assert_cmpuint(capture->mad_count, ==, is_mad);
	g_assert_cmpuint(capture->counts.skipped, ==, row->outcome == SKIPPED);
	g_assert_cmpuint(capture->counts.damaged, ==, row->outcome == DAMAGED);
	if (row->warning) {
		g_assert_nonnull(capture->warnings[0]);
		g_test_message("  %s", capture->warnings[0]);
		g_assert_true(g_str_has_prefix(capture->warnings[0], "made-up: frame 1"));
		g_assert_nonnull(strstr(capture->warnings[0], row->warning));
		g_assert_null(capture->warnings[1]);
	} else {
		g_assert_cmpstr(capture->warnings[0], ==, NULL);
	}
	if (!is_mad)
		return;
	g_assert_cmpint(capture->mads[0].icrc_ok, ==, row->outcome == RIGHT);
	g_assert_cmpint(capture->mads[0].icrc_wrong, ==, row->outcome == WRONG);
	g_assert_cmphex(get_be16(capture->mads[0].mad + MAD_ATTR_ID), ==, 0x0035);
}

static void test_frames(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(frame_rows); i++) {
		const struct frame_row *row = &frame_rows[i];
		GByteArray *file = g_byte_array_new(), *frame = g_byte_array_new();
		GByteArray *packet = vector_bytes(row->vector);
		int captured, original;
		struct capture *capture;

		g_test_message("%s", row->name);
		apply_edits(packet, row->edit);
		captured = row->captured > 0 ? row->captured : (int)packet->len + row->captured;
		original = row->original > 0 ? row->original : (int)packet->len + row->original;
		if (row->original == 1)
			captured = original;
		build_hex(frame, row->front);
		g_byte_array_append(frame, packet->data, (guint)captured);
		build_pcap(file, 0xa1b2c3d4, row->link_type, false);
		build_pcap_record(file, 1, 2, frame->data, frame->len,
				  frame->len - (guint)captured + (guint)original, false);
		capture = parse(file);
		check_outcome(capture, row);
		capture_free(capture);
		g_byte_array_free(packet, true);
		g_byte_array_free(frame, true);
		g_byte_array_free(file, true);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture-frame/vectors", test_vectors);
	g_test_add_func("/capture-frame/roce-written", test_roce_written);
	g_test_add_func("/capture-frame/frames", test_frames);
	return leak_end(g_test_run());
}

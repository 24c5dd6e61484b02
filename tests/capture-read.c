/*
 * Reading captures: every link type, every file layer, and what is wrong with a file told in words.
 * Real captures are compared with what is known of them, made-up ones with bytes and CRCs that were
 * computed elsewhere (zlib's crc32 over the strings of the specification).
 */
#include <glib/gstdio.h>
#include <pcap/pcap.h>
#include <stdbool.h>

#include "capture-build.h"
#include "capture-pcapng.h"
#include "capture.h"
#include "leak.h"

#define MAD_HEADER "0103020100000000000000000000123400350000 00000000"
#define GID_A "fe80000000000000000000000000000a"
#define GID_B "fe80000000000000000000000000000b"
#define BTH_DETH "6400ffff0000000100000007 8001000000000001"
#define MACS "020000000002020000000001"
#define GRH "612345670118 1b03" GID_A GID_B

/* The SubnAdmGet(PathRecord) of TID 0x1234 in every wrapping there is: bytes around its 256. */
enum vector { NATIVE, NATIVE_GRH, ROCE_V1, ROCE_V1_VLANS, ROCE_V2_IPV4, ROCE_V2_IPV6 };

static const struct { const char *front, *behind; } vectors[] = {
	[NATIVE] = { "1022000200480001" BTH_DETH, "858f18c3e5da" },
	[NATIVE_GRH] = { "1023000200520001" GRH BTH_DETH, "37b18d74f14b" },
	[ROCE_V1] = { MACS "8915" GRH BTH_DETH, "37b18d74" },
	[ROCE_V1_VLANS] = { MACS "88a8600a8100a00b8915" GRH BTH_DETH, "37b18d74" },
	/* With 4 bytes of IP options, TOS 0x68, TTL 64 and checksums that only the ICRC masks. */
	[ROCE_V2_IPV4] = { MACS "0800" "46680138000040004011abcd0a0000010a00000294040000"
			   "c35112b701200000" BTH_DETH, "abdbb77f" },
	[ROCE_V2_IPV6] = { MACS "86dd" "6a2345670120 1140" GID_A GID_B "c35112b70120dead" BTH_DETH,
			   "140ddee5" },
};

static GByteArray *vector_bytes(enum vector vector)
{
	GByteArray *bytes = g_byte_array_new();
	guint mad_at;

	build_hex(bytes, vectors[vector].front);
	mad_at = bytes->len;
	build_hex(bytes, MAD_HEADER);
	build_zero(bytes, mad_at + MAD_SIZE - bytes->len);
	build_hex(bytes, vectors[vector].behind);
	return bytes;
}

static struct capture *parse(const GByteArray *file)
{
	char err[512] = "";
	struct capture *capture = capture_parse(file->data, file->len, "made-up", err, sizeof(err));

	g_assert_cmpstr(err, ==, "");
	g_assert_nonnull(capture);
	return capture;
}

/* ---- the wrappings ---- */

static void test_vectors(void)
{
	static const struct {
		const char *name;
		enum vector vector;
		uint32_t link_type;
		enum capture_transport transport;
		struct packet_addr addr;
	} rows[] = {
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
		    .sgid = "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\x01" } },
		{ "RoCE v2, IPv6", ROCE_V2_IPV6, LINKTYPE_ETHERNET, CAPTURE_ROCE_V2,
		  { .has_grh = true, .traffic_class = 0xa2, .flow_label = 0x34567, .hop_limit = 64,
		    .sgid = "\xfe\x80" } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GByteArray *file = g_byte_array_new(), *packet = vector_bytes(rows[i].vector);
		struct packet_addr want = rows[i].addr;
		const struct capture_mad *mad;
		struct capture *capture;

		g_test_message("%s", rows[i].name);
		build_pcap(file, 0xa1b23c4d, rows[i].link_type, false);
		build_pcap_record(file, 5, 7, packet->data, packet->len, packet->len, false);
		/* What follows inside the frame is Ethernet's padding, not the packet's. */
		build_zero(packet, 4);
		build_pcap_record(file, 5, 9, packet->data, packet->len, packet->len, false);
		capture = parse(file);
		g_assert_cmpuint(capture->mad_count, ==, 2);
		g_assert_null(capture->warnings[0]);
		for (unsigned int copy = 0; copy < 2; copy++) {
			mad = &capture->mads[copy];
			g_assert_true(mad->icrc_ok);
			g_assert_false(mad->icrc_wrong);
			g_assert_cmpint(mad->vcrc_ok, ==, rows[i].link_type == LINKTYPE_INFINIBAND);
			g_assert_cmpint(mad->transport, ==, rows[i].transport);
			g_assert_cmphex(get_be64(mad->mad + MAD_TID), ==, 0x1234);
			g_assert_cmpint(mad->epoch_ns, ==, 5000000007 + 2 * copy);
			g_assert_cmpint(mad->time_ns, ==, 2 * copy);
			g_assert_cmpuint(mad->frame, ==, copy + 1);
		}
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
		g_assert_cmpuint(mad->addr.slid, ==, want.slid);
		g_assert_cmpuint(mad->addr.dlid, ==, want.dlid);
		g_assert_cmpuint(mad->addr.sl, ==, want.sl);
		g_assert_cmpuint(mad->addr.vl, ==, want.vl);
		g_assert_cmphex(mad->addr.pkey, ==, want.pkey);
		g_assert_cmphex(mad->addr.qkey, ==, want.qkey);
		g_assert_cmpuint(mad->addr.psn, ==, want.psn);
		g_assert_cmpuint(mad->addr.src_qp, ==, want.src_qp);
		g_assert_cmpuint(mad->addr.dest_qp, ==, want.dest_qp);
		g_assert_cmpint(mad->addr.has_grh, ==, want.has_grh);
		g_assert_cmphex(mad->addr.traffic_class, ==, want.traffic_class);
		g_assert_cmphex(mad->addr.flow_label, ==, want.flow_label);
		g_assert_cmpuint(mad->addr.hop_limit, ==, want.hop_limit);
		g_assert_cmpmem(mad->addr.sgid, 16, want.sgid, 16);
		g_assert_cmpmem(mad->addr.dgid, 16, want.dgid, 16);
		capture_free(capture);
		g_byte_array_free(packet, TRUE);
		g_byte_array_free(file, TRUE);
	}
}

/* ---- one frame, and what becomes of it ---- */

enum outcome { MAD_RIGHT, MAD_WRONG_CRC, MAD_NO_CRC, SKIPPED, DAMAGED };

struct frame_row {
	const char *name;
	uint32_t link_type;
	const char *front;		/* hex in front of the vector: an ERF header */
	enum vector vector;
	const char *edit;		/* "AT:HEX" over the vector's bytes */
	int captured;			/* of the vector's bytes; 0: all, negative: so many fewer */
	int original;			/* the same of what the file says there was */
	enum outcome outcome;
	const char *warning;		/* a piece of it; NULL: none */
};

#define ERF_TIME "00000080 44332211"
#define ERF(type, flags, wlen) ERF_TIME type flags "0132" "0000" wlen

static const struct frame_row frame_rows[] = {
	/* Native packets (link type 247). */
	{ "no VCRC", 247, "", NATIVE, NULL, -2, -2, MAD_RIGHT, NULL },
	{ "no CRCs, PktLen says so", 247, "", NATIVE, "4:0047", -6, -6, MAD_NO_CRC, NULL },
	{ "no CRCs, PktLen counts them", 247, "", NATIVE, NULL, -6, -6, MAD_NO_CRC,
	  "the LRH says 288 bytes and the packet has 284" },
	{ "CRCs cut off", 247, "", NATIVE, NULL, -6, 0, MAD_NO_CRC, "its ICRC is cut off" },
	{ "CRCs of zero", 247, "", NATIVE, "284:000000000000", 0, 0, MAD_NO_CRC, NULL },
	{ "wrong ICRC", 247, "", NATIVE, "284:00", 0, 0, MAD_WRONG_CRC, "its ICRC is wrong" },
	{ "wrong VCRC", 247, "", NATIVE, "288:00", 0, 0, MAD_RIGHT, "its VCRC is wrong" },
	{ "damaged in the MAD", 247, "", NATIVE, "100:01", 0, 0, MAD_WRONG_CRC, "its ICRC is wrong" },
	{ "PktLen 0", 247, "", NATIVE, "4:0000", 0, 0, MAD_WRONG_CRC, "its ICRC is wrong" },
	{ "PktLen too long, CRCs zero", 247, "", NATIVE, "4:00ff 284:000000000000", 0, 0, MAD_NO_CRC,
	  "the LRH says 1020 bytes and the packet has 290" },
	{ "PktLen too short, CRCs zero", 247, "", NATIVE, "4:000a 284:000000000000", 0, 0, MAD_NO_CRC,
	  "the LRH says 40 bytes, where a MAD makes it 288" },
	{ "MAD cut off", 247, "", NATIVE, NULL, 283, 0, DAMAGED, "255 of its 256 bytes" },
	{ "MAD cut to nothing", 247, "", NATIVE, NULL, 28, 0, DAMAGED, "0 of its 256 bytes" },
	{ "MAD too short", 247, "", NATIVE, NULL, 283, 283, DAMAGED, "only 255 are behind" },
	{ "cut in the DETH", 247, "", NATIVE, NULL, 27, 0, DAMAGED, "inside its headers" },
	{ "cut in the LRH", 247, "", NATIVE, NULL, 7, 0, DAMAGED, "inside its headers" },
	{ "cut in the GRH", 247, "", NATIVE_GRH, NULL, 47, 0, DAMAGED, "inside its headers" },
	{ "GRH only", 247, "", NATIVE_GRH, NULL, 47, 47, SKIPPED, NULL },
	{ "nothing there", 247, "", NATIVE, NULL, 0, 1, SKIPPED, NULL },
	{ "raw packet", 247, "", NATIVE, "1:20", 0, 0, SKIPPED, NULL },
	{ "raw ethertype", 247, "", NATIVE, "1:21", 0, 0, SKIPPED, NULL },
	{ "mirrored", 247, "", NATIVE, "1:21 10:1123", 0, 0, DAMAGED, "ibdump --decap" },
	{ "GRH with another next header", 247, "", NATIVE_GRH, "14:11", 0, 0, SKIPPED, NULL },
	{ "RC send", 247, "", NATIVE, "8:04", 0, 0, SKIPPED, NULL },
	{ "UD with immediate data", 247, "", NATIVE, "8:65", 0, 0, SKIPPED, NULL },
	/* QP 0 or 1 at either end. Resv8a of the BTH is not in the ICRC, QPs are. */
	{ "QP 5 to QP 6", 247, "", NATIVE, "13:000006 25:000005", 0, 0, SKIPPED, NULL },
	{ "QP 1 to QP 6", 247, "", NATIVE, "13:000006 284:000000000000", 0, 0, MAD_NO_CRC, NULL },
	{ "QP 5 to QP 1", 247, "", NATIVE, "25:000005 284:000000000000", 0, 0, MAD_NO_CRC, NULL },
	{ "QP 0 to QP 0", 247, "", NATIVE, "13:000000 25:000000 284:000000000000", 0, 0, MAD_NO_CRC,
	  NULL },
	/* ERF (197): header, extension headers, wlen. */
	{ "ERF", 197, ERF("15", "04", "0122"), NATIVE, NULL, 0, 0, MAD_RIGHT, NULL },
	{ "ERF, one extension header", 197, ERF("95", "04", "0122") "0300000000000000", NATIVE, NULL,
	  0, 0, MAD_RIGHT, NULL },
	{ "ERF, two extension headers", 197, ERF("95", "04", "0122")
	  "8300000000000000 0400000000000000", NATIVE, NULL, 0, 0, MAD_RIGHT, NULL },
	{ "ERF, extension headers without end", 197, ERF("95", "04", "0122")
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", NATIVE, NULL, 0, 0,
	  DAMAGED, "do not end" },
	{ "ERF, extension header cut off", 197, ERF("95", "04", "0122") "830000", NATIVE, NULL, 0, 1,
	  DAMAGED, "do not end" },
	{ "ERF, header cut off", 197, "00000080", NATIVE, NULL, 3, 3, DAMAGED, "at least 16 bytes" },
	{ "ERF, wlen without the VCRC", 197, ERF("15", "04", "0120"), NATIVE, NULL, 0, 0, MAD_RIGHT,
	  NULL },
	{ "ERF, wlen ends in the MAD", 197, ERF("15", "04", "0100"), NATIVE, NULL, 0, 0, DAMAGED,
	  "only 228 are behind" },
	{ "ERF, wlen past what was captured", 197, ERF("15", "04", "0122"), NATIVE, NULL, 100, 0,
	  DAMAGED, "72 of its 256 bytes" },
	{ "ERF, wlen 0", 197, ERF("15", "04", "0000"), NATIVE, NULL, 0, 0, DAMAGED, "is empty" },
	{ "ERF, padding behind the packet", 197, ERF("15", "04", "0122"), NATIVE, NULL, 0, 0,
	  MAD_RIGHT, NULL },
	{ "ERF, received with an error", 197, ERF("15", "14", "0122"), NATIVE, NULL, 0, 0, MAD_RIGHT,
	  "received with an error" },
	{ "ERF, flow control", 197, ERF("19", "04", "0122"), NATIVE, NULL, 0, 0, SKIPPED, NULL },
	{ "ERF, Ethernet inside", 197, ERF("02", "04", "014e") "0000", ROCE_V1, NULL, 0, 0, MAD_RIGHT,
	  NULL },
	/* Ethernet (1). */
	{ "v1: MAD cut off", 1, "", ROCE_V1, NULL, 200, 0, DAMAGED, "126 of its 256 bytes" },
	{ "v1: wrong ICRC", 1, "", ROCE_V1, "330:01", 0, 0, MAD_WRONG_CRC, "its ICRC is wrong" },
	{ "v1: hop limit is not in the ICRC", 1, "", ROCE_V1, "21:01", 0, 0, MAD_RIGHT, NULL },
	{ "v1: cut in the GRH", 1, "", ROCE_V1, NULL, 50, 0, DAMAGED, "inside its headers" },
	{ "v2: MAD cut off", 1, "", ROCE_V2_IPV4, NULL, 200, 0, DAMAGED, "134 of its 256 bytes" },
	{ "v2: checksums are not in the ICRC", 1, "", ROCE_V2_IPV4, "24:1234 44:5678", 0, 0,
	  MAD_RIGHT, NULL },
	{ "v2: wrong ICRC", 1, "", ROCE_V2_IPV6, "338:01", 0, 0, MAD_WRONG_CRC,
	  "its ICRC is wrong" },
	{ "v2: another port", 1, "", ROCE_V2_IPV4, "40:0045", 0, 0, SKIPPED, NULL },
	{ "v2: RoCE's port as source only", 1, "", ROCE_V2_IPV4, "38:12b70045", 0, 0, SKIPPED, NULL },
	{ "v2: TCP", 1, "", ROCE_V2_IPV4, "23:06", 0, 0, SKIPPED, NULL },
	{ "v2: first fragment", 1, "", ROCE_V2_IPV4, "20:2000", 0, 0, DAMAGED, "fragment" },
	{ "v2: later fragment", 1, "", ROCE_V2_IPV4, "20:0001", 0, 0, SKIPPED, NULL },
	{ "v2: IP header shorter than itself", 1, "", ROCE_V2_IPV4, "16:0010", 0, 0, SKIPPED, NULL },
	{ "v2: IP length left to the card", 1, "", ROCE_V2_IPV4, "16:0000 322:00000000", 0, 0,
	  MAD_NO_CRC, NULL },
	{ "v2: cut in the UDP header", 1, "", ROCE_V2_IPV6, NULL, 60, 0, DAMAGED,
	  "inside its headers" },
	{ "ARP", 1, "", ROCE_V1, "12:0806", 0, 0, SKIPPED, NULL },
	{ "VLAN tags without end", 1, "", ROCE_V1, "12:81000000810000008100000081000000810000008100",
	  0, 0, SKIPPED, NULL },
	{ "cut in a VLAN tag", 1, "", ROCE_V1_VLANS, NULL, 15, 0, DAMAGED, "inside its headers" },
	{ "another link type", 113, "", ROCE_V1, NULL, 0, 0, SKIPPED, "not on \"any\"" },
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
		g_byte_array_free(bytes, TRUE);
	}
	g_strfreev(words);
}

static void check_outcome(const struct capture *capture, const struct frame_row *row)
{
	bool is_mad = row->outcome != SKIPPED && row->outcome != DAMAGED;

	g_assert_cmpuint(capture->frame_count, ==, 1);
	g_assert_cmpuint(capture->mad_count, ==, is_mad);
	g_assert_cmpuint(capture->skipped, ==, row->outcome == SKIPPED);
	g_assert_cmpuint(capture->damaged, ==, row->outcome == DAMAGED);
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
	g_assert_cmpint(capture->mads[0].icrc_ok, ==, row->outcome == MAD_RIGHT);
	g_assert_cmpint(capture->mads[0].icrc_wrong, ==, row->outcome == MAD_WRONG_CRC);
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
		g_byte_array_free(packet, TRUE);
		g_byte_array_free(frame, TRUE);
		g_byte_array_free(file, TRUE);
	}
}

/* ---- file layers ---- */

static void test_pcap_headers(void)
{
	static const struct { uint32_t magic; bool big; int64_t want_ns; } rows[] = {
		{ 0xa1b2c3d4, false, 3000000000 + 4000 },
		{ 0xa1b2c3d4, true, 3000000000 + 4000 },
		{ 0xa1b23c4d, false, 3000000000 + 4 },
		{ 0xa1b23c4d, true, 3000000000 + 4 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GByteArray *file = g_byte_array_new(), *packet = vector_bytes(NATIVE);
		struct capture *capture;

		build_pcap(file, rows[i].magic, LINKTYPE_INFINIBAND, rows[i].big);
		build_pcap_record(file, 3, 4, packet->data, packet->len, packet->len, rows[i].big);
		capture = parse(file);
		g_assert_cmpuint(capture->mad_count, ==, 1);
		g_assert_cmpint(capture->mads[0].epoch_ns, ==, rows[i].want_ns);
		g_assert_cmpint(capture->mads[0].interface, ==, 0);
		g_assert_null(capture->mads[0].interface_name);
		capture_free(capture);
		g_byte_array_free(packet, TRUE);
		g_byte_array_free(file, TRUE);
	}
}

/* In pcap the ERF time counts and not pcap's own; in pcapng the block's does. */
static void test_erf_time(void)
{
	GByteArray *frame = g_byte_array_new(), *packet = vector_bytes(NATIVE);
	GByteArray *pcap = g_byte_array_new(), *pcapng = g_byte_array_new();
	struct capture *capture;

	build_hex(frame, ERF("15", "05", "0122"));
	g_byte_array_append(frame, packet->data, packet->len);
	build_pcap(pcap, 0xa1b2c3d4, LINKTYPE_ERF, false);
	build_pcap_record(pcap, 3, 4, frame->data, frame->len, frame->len, false);
	capture = parse(pcap);
	g_assert_cmpint(capture->mads[0].epoch_ns, ==, INT64_C(0x11223344) * 1000000000 + 500000000);
	g_assert_cmpint(capture->mads[0].interface, ==, 1);
	capture_free(capture);
	build_section(pcapng, false);
	build_interface(pcapng, LINKTYPE_ERF, NULL, 9, 0, false);
	build_enhanced(pcapng, 0, 42, frame, NULL, false);
	capture = parse(pcapng);
	g_assert_cmpint(capture->mads[0].epoch_ns, ==, 42);
	g_assert_cmpint(capture->mads[0].interface, ==, 0);
	capture_free(capture);
	g_byte_array_free(frame, TRUE);
	g_byte_array_free(packet, TRUE);
	g_byte_array_free(pcap, TRUE);
	g_byte_array_free(pcapng, TRUE);
}

static void test_pcapng_times(void)
{
	static const struct { uint8_t tsresol; int64_t tsoffset_s; uint64_t ticks; int64_t want_ns; } rows[] = {
		{ 0, 0, 1234567, 1234567000 },			/* unsaid: microseconds */
		{ 6, 0, 1234567, 1234567000 },
		{ 9, 0, 1234567, 1234567 },
		{ 3, 0, 1234567, 1234567000000 },
		{ 12, 0, 1234567, 1234 },
		{ 19, 0, UINT64_MAX, 1844674407 },
		{ 60, 0, UINT64_MAX, 0 },
		{ 0x80 | 10, 0, 1536, 1500000000 },		/* 1/1024 s */
		{ 0x80 | 32, 0, UINT64_C(3) << 31, 1500000000 },
		{ 9, 10, 5, 10000000005 },
		{ 9, -10, 5, -9999999995 },
		{ 1, 0, UINT64_MAX, INT64_MAX },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		for (unsigned int big = 0; big < 2; big++) {
			GByteArray *file = g_byte_array_new(), *packet = vector_bytes(NATIVE);
			struct capture *capture;

			g_test_message("row %zu, big %u", i, big);
			build_section(file, big);
			build_interface(file, LINKTYPE_INFINIBAND, "ib0", rows[i].tsresol,
					rows[i].tsoffset_s, big);
			build_enhanced(file, 0, rows[i].ticks, packet, NULL, big);
			capture = parse(file);
			g_assert_cmpuint(capture->mad_count, ==, 1);
			g_assert_cmpint(capture->mads[0].epoch_ns, ==, rows[i].want_ns);
			g_assert_cmpstr(capture->mads[0].interface_name, ==, "ib0");
			capture_free(capture);
			g_byte_array_free(packet, TRUE);
			g_byte_array_free(file, TRUE);
		}
	}
}

/* Two sections of different byte order, interfaces of different link types, options, old blocks. */
static void test_pcapng_blocks(void)
{
	GByteArray *file = g_byte_array_new(), *options = g_byte_array_new();
	GByteArray *native = vector_bytes(NATIVE), *roce = vector_bytes(ROCE_V1), *body;
	struct capture *capture;

	build_section(file, false);
	build_interface(file, LINKTYPE_INFINIBAND, "H1[1]", 9, 0, false);
	build_interface(file, LINKTYPE_ETHERNET, NULL, 9, 0, false);
	build_option(options, 1, "first", 5, false);
	build_option(options, 2, "\1\0\0\0", 4, false);
	build_option(options, 1, "second", 6, false);
	build_option(options, 0, NULL, 0, false);
	build_enhanced(file, 0, 100, native, options, false);
	g_byte_array_set_size(options, 0);
	build_option(options, 2, "\2\0\0\0", 4, false);
	build_enhanced(file, 1, 150, roce, options, false);
	body = g_byte_array_new();
	build_zero(body, 8);
	build_block(file, 5, body, false);		/* interface statistics */
	body = g_byte_array_new();
	build_number(body, 0, 2, false);		/* the obsolete packet block */
	build_number(body, 3, 2, false);
	build_number(body, 0, 4, false);
	build_number(body, 200, 4, false);
	build_number(body, native->len, 8, false);
	memset(body->data + body->len - 4, 0, 4);
	memcpy(body->data + body->len - 4, body->data + body->len - 8, 4);
	g_byte_array_append(body, native->data, native->len);
	build_zero(body, -native->len & 3);
	build_block(file, 2, body, false);
	build_section(file, true);
	build_interface(file, LINKTYPE_INFINIBAND, "H2[1]", 9, 0, true);
	build_enhanced(file, 0, 300, native, NULL, true);
	body = g_byte_array_new();
	build_number(body, native->len, 4, true);	/* the simple packet block: no time */
	g_byte_array_append(body, native->data, native->len);
	build_zero(body, -native->len & 3);
	build_block(file, 3, body, true);

	capture = parse(file);
	g_assert_null(capture->warnings[0]);
	g_assert_cmpuint(capture->mad_count, ==, 5);
	g_assert_cmpstr(capture->mads[0].comment, ==, "first\nsecond");
	g_assert_cmpint(capture->mads[0].direction, ==, CAPTURE_INBOUND);
	g_assert_cmpstr(capture->mads[0].interface_name, ==, "H1[1]");
	g_assert_cmpint(capture->mads[1].transport, ==, CAPTURE_ROCE_V1);
	g_assert_cmpint(capture->mads[1].direction, ==, CAPTURE_OUTBOUND);
	g_assert_cmpint(capture->mads[1].time_ns, ==, 50);
	g_assert_cmpint(capture->mads[1].interface, ==, 1);
	g_assert_null(capture->mads[1].comment);
	g_assert_cmpint(capture->mads[2].time_ns, ==, 100);
	g_assert_cmpint(capture->mads[2].direction, ==, CAPTURE_DIRECTION_UNKNOWN);
	g_assert_cmpint(capture->mads[3].time_ns, ==, 200);
	g_assert_cmpint(capture->mads[3].interface, ==, 2);
	g_assert_cmpstr(capture->mads[3].interface_name, ==, "H2[1]");
	g_assert_cmpint(capture->mads[4].epoch_ns, ==, 0);
	g_assert_cmpuint(capture->mads[4].frame, ==, 5);
	capture_free(capture);
	g_byte_array_free(native, TRUE);
	g_byte_array_free(roce, TRUE);
	g_byte_array_free(options, TRUE);
	g_byte_array_free(file, TRUE);
}

/* A file that breaks off anywhere gives the packets before the break and says where it is. */
static void test_cut_files(void)
{
	for (unsigned int ng = 0; ng < 2; ng++) {
		GByteArray *file = g_byte_array_new(), *packet = vector_bytes(NATIVE);
		guint starts[4];

		if (ng) {
			build_section(file, false);
			build_interface(file, LINKTYPE_INFINIBAND, NULL, 9, 0, false);
		} else {
			build_pcap(file, 0xa1b23c4d, LINKTYPE_INFINIBAND, false);
		}
		for (unsigned int i = 0; i < 3; i++) {
			starts[i] = file->len;
			if (ng)
				build_enhanced(file, 0, i, packet, NULL, false);
			else
				build_pcap_record(file, 0, i, packet->data, packet->len, packet->len,
						  false);
		}
		starts[3] = file->len;
		for (guint size = 0; size <= file->len; size++) {
			char err[512] = "";
			struct capture *capture =
				capture_parse(file->data, size, "cut", err, sizeof(err));
			bool whole = size == starts[0] || size == starts[1] || size == starts[2] ||
				     size == starts[3];
			size_t want = (size >= starts[1]) + (size >= starts[2]) + (size >= starts[3]);

			if (!capture) {
				g_assert_cmpuint(want, ==, 0);
				g_assert_true(g_str_has_prefix(err, "cut: "));
				continue;
			}
			g_assert_cmpstr(err, ==, "");
			g_assert_cmpuint(capture->mad_count, ==, want);
			if (size >= starts[1])
				g_assert_cmpint(capture->warnings[0] == NULL, ==, whole);
			capture_free(capture);
		}
		g_byte_array_free(packet, TRUE);
		g_byte_array_free(file, TRUE);
	}
}

static void test_broken_files(void)
{
	static const struct { const char *hex, *message; } rows[] = {
		{ "", "made-up: not a capture: the file is empty" },
		{ "0a0d", "too short" },
		{ "1f8b08000000", "compressed: unpack it first (gunzip made-up)" },
		{ "28b52ffd0000", "(unzstd made-up)" },
		{ "76656e646964", "neither pcap nor pcapng; if Wireshark opens it, convert it: editcap" },
		{ "0a0d0d0a 1c000000 00000000 0100000000000000", "the block at byte 0" },
		{ "0a0d0d0a 1c000000 99999999 01000000 ffffffffffffffff 1c000000",
		  "without saying its byte order" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 02000000 ffffffffffffffff 1c000000", "unknown version" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 20000000", "different lengths" },
		{ "0a0d0d0a 04000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000", "cannot be" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
		  "06000000 20000000 00000000 00000000 00000000 00000000 00000000 20000000",
		  "the block at byte 28 holds a packet of an interface that the file does not declare" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
		  "01000000 14000000 f700 0000 00000000 14000000"
		  "06000000 20000000 00000000 00000000 00000000 01000000 01000000 20000000",
		  "the block at byte 48 holds a packet longer than itself" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000 ff000000 0c000010 ffff",
		  "the block at byte 28 is cut off" },
		{ "d4c3b2a1 0900 0400 0000000000000000 ffff0000 f7000000", "cannot be read" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GByteArray *file = g_byte_array_new();
		char err[512] = "";

		build_hex(file, rows[i].hex);
		g_assert_null(capture_parse(file->data, file->len, "made-up", err, sizeof(err)));
		g_test_message("%s", err);
		g_assert_nonnull(strstr(err, rows[i].message));
		g_byte_array_free(file, TRUE);
	}
}

static void test_warnings_are_bounded(void)
{
	GByteArray *file = g_byte_array_new(), *packet = vector_bytes(NATIVE);
	struct capture *capture;

	build_pcap(file, 0xa1b23c4d, LINKTYPE_INFINIBAND, false);
	for (unsigned int i = 0; i < 1000; i++)
		build_pcap_record(file, 0, i, packet->data, 100, packet->len, false);
	capture = parse(file);
	g_assert_cmpuint(capture->damaged, ==, 1000);
	g_assert_cmpuint(g_strv_length(capture->warnings), ==, 101);
	g_assert_cmpstr(capture->warnings[100], ==,
			"made-up: 900 more warnings like these are left out");
	capture_free(capture);
	g_byte_array_free(packet, TRUE);
	g_byte_array_free(file, TRUE);
}

static void test_is_capture(void)
{
	static const struct { const char *name, *hex; bool want; } rows[] = {
		{ "a.pcap", "d4c3b2a102000400", true },
		{ "a.pcap", "a1b2c3d400020004", true },
		{ "a", "4d3cb2a102000400", true },
		{ "a.pcapng", "0a0d0d0a1c000000", true },
		{ "a.pcap.gz", "1f8b080000000000", true },
		{ "a.net.gz", "1f8b080000000000", false },
		{ "a.net", "53776974636820", false },
		{ "a.pcap", "d4c3", false },
	};
	char *dir = g_dir_make_tmp("umadrig-XXXXXX", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *path = g_build_filename(dir, rows[i].name, NULL);
		GByteArray *file = g_byte_array_new();

		build_hex(file, rows[i].hex);
		g_assert_true(g_file_set_contents(path, (char *)file->data, file->len, NULL));
		g_assert_cmpint(capture_is_capture(path), ==, rows[i].want);
		g_unlink(path);
		g_assert_false(capture_is_capture(path));
		g_byte_array_free(file, TRUE);
		g_free(path);
	}
	g_rmdir(dir);
	g_free(dir);
}

static void test_no_such_file(void)
{
	char err[512] = "";

	g_assert_null(capture_read("/no/such/file.pcap", err, sizeof(err)));
	g_assert_nonnull(strstr(err, "/no/such/file.pcap"));
}

/* ---- real captures ---- */

/* From the list that comes with them: frames, MADs by class. Every CRC in them is right. */
static const struct { const char *file; size_t frames, dr, sa, cm; enum capture_transport transport; } real[] = {
	{ "infiniband-erf-wireshark-sample.pcap", 43, 6, 2, 9, CAPTURE_INFINIBAND },
	{ "rocev2-Frame_req_and_response.pcapng", 140, 0, 0, 5, CAPTURE_ROCE_V2 },
	{ "rocev2-Frame_req_and_response_5000_bytes.pcapng", 166, 0, 0, 5, CAPTURE_ROCE_V2 },
	{ "rocev2-capture_S10000_C1.pcapng", 18, 0, 0, 5, CAPTURE_ROCE_V2 },
	{ "rocev2-filtered-FirstSuccesfullRping.pcapng", 17, 0, 0, 5, CAPTURE_ROCE_V2 },
	{ "rocev2-filtered-RoCE_capture_1_packet.pcapng", 17, 0, 0, 5, CAPTURE_ROCE_V2 },
	{ "rocev2-filtered-Roce_PacketSize_1400.pcapng", 19, 0, 0, 5, CAPTURE_ROCE_V2 },
	{ "rocev2-filtered-Roce_PacketSize_5000_bytes.pcapng", 25, 0, 0, 5, CAPTURE_ROCE_V2 },
	{ "rocev2-without-mads-roce.pcap", 123, 0, 0, 0, CAPTURE_ROCE_V2 },
};

static char *real_path(const char *name)
{
	return g_build_filename(g_test_get_dir(G_TEST_DIST), "..", "..", "shared", "captures", name,
				NULL);
}

static bool real_is_there(void)
{
	char *path = real_path(real[0].file);
	bool there = g_file_test(path, G_FILE_TEST_EXISTS);

	g_free(path);
	if (!there)
		g_test_skip("../shared/captures is not there");
	return there;
}

static void test_real_captures(void)
{
	if (!real_is_there())
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(real); i++) {
		char *path = real_path(real[i].file), err[512] = "";
		struct capture *capture = capture_read(path, err, sizeof(err));
		size_t by_class[256] = { 0 };

		g_test_message("%s %s", real[i].file, err);
		g_assert_nonnull(capture);
		g_assert_cmpstr(capture->warnings[0], ==, NULL);
		g_assert_cmpuint(capture->frame_count, ==, real[i].frames);
		g_assert_cmpuint(capture->mad_count + capture->skipped, ==, real[i].frames);
		for (size_t m = 0; m < capture->mad_count; m++) {
			g_assert_true(capture->mads[m].icrc_ok);
			g_assert_cmpint(capture->mads[m].transport, ==, real[i].transport);
			g_assert_cmpint(capture->mads[m].vcrc_ok, ==,
					real[i].transport == CAPTURE_INFINIBAND);
			by_class[capture->mads[m].mad[MAD_CLASS]]++;
		}
		g_assert_cmpuint(by_class[MAD_CLASS_SUBN_DR], ==, real[i].dr);
		g_assert_cmpuint(by_class[MAD_CLASS_SUBN_ADM], ==, real[i].sa);
		g_assert_cmpuint(by_class[MAD_CLASS_CM], ==, real[i].cm);
		g_assert_cmpuint(capture->mad_count, ==, real[i].dr + real[i].sa + real[i].cm);
		capture_free(capture);
		g_free(path);
	}
}

/* Frame 32 of the native one, field by field, as Wireshark shows it. */
static void test_real_frame(void)
{
	char *path, err[512] = "";
	struct capture *capture;
	const struct capture_mad *mad = NULL;

	if (!real_is_there())
		return;
	path = real_path(real[0].file);
	capture = capture_read(path, err, sizeof(err));
	g_assert_nonnull(capture);
	for (size_t i = 0; i < capture->mad_count; i++) {
		if (capture->mads[i].frame == 32)
			mad = &capture->mads[i];
	}
	g_assert_nonnull(mad);
	g_assert_cmpint(mad->epoch_ns, ==, INT64_C(1210794729074913144));
	g_assert_cmpuint(mad->addr.slid, ==, 4);
	g_assert_cmpuint(mad->addr.dlid, ==, 1);
	g_assert_cmphex(mad->addr.qkey, ==, QKEY_GSI);
	g_assert_cmphex(mad->addr.psn, ==, 0x002f1e);
	g_assert_cmphex(get_be64(mad->mad + MAD_TID), ==, 0x0000000bb9647f9e);
	g_assert_cmpint(mad->interface, ==, 1);
	capture_free(capture);
	g_free(path);
}

/* Our walk over pcapng and libpcap's agree on every frame of every real file. */
struct agreement {
	pcap_t *pcap;
	size_t frames;
};

static void agree_on_frame(void *ctx, const struct capture_frame *frame)
{
	struct agreement *agreement = ctx;
	struct pcap_pkthdr *header;
	const u_char *bytes;

	g_assert_cmpint(pcap_next_ex(agreement->pcap, &header, &bytes), ==, 1);
	g_assert_cmpmem(frame->bytes, frame->captured, bytes, header->caplen);
	g_assert_cmpuint(frame->original, ==, header->len);
	g_assert_cmpint(frame->epoch_ns, ==,
			(int64_t)header->ts.tv_sec * 1000000000 + header->ts.tv_usec);
	agreement->frames++;
}

static void test_agrees_with_libpcap(void)
{
	if (!real_is_there())
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(real); i++) {
		char *path = real_path(real[i].file), errbuf[PCAP_ERRBUF_SIZE], *data;
		char why[FRAME_WHY_SIZE];
		struct agreement agreement = { 0 };
		gsize size;

		if (g_str_has_suffix(path, ".pcapng")) {
			agreement.pcap = pcap_open_offline_with_tstamp_precision(
				path, PCAP_TSTAMP_PRECISION_NANO, errbuf);
			g_assert_nonnull(agreement.pcap);
			g_assert_true(g_file_get_contents(path, &data, &size, NULL));
			g_assert_cmpint(pcapng_walk((uint8_t *)data, size, agree_on_frame, &agreement,
						    why), ==, 0);
			g_assert_cmpuint(agreement.frames, ==, real[i].frames);
			pcap_close(agreement.pcap);
			g_free(data);
		}
		g_free(path);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture-read/vectors", test_vectors);
	g_test_add_func("/capture-read/frames", test_frames);
	g_test_add_func("/capture-read/pcap-headers", test_pcap_headers);
	g_test_add_func("/capture-read/erf-time", test_erf_time);
	g_test_add_func("/capture-read/pcapng-times", test_pcapng_times);
	g_test_add_func("/capture-read/pcapng-blocks", test_pcapng_blocks);
	g_test_add_func("/capture-read/cut-files", test_cut_files);
	g_test_add_func("/capture-read/broken-files", test_broken_files);
	g_test_add_func("/capture-read/warnings-are-bounded", test_warnings_are_bounded);
	g_test_add_func("/capture-read/is-capture", test_is_capture);
	g_test_add_func("/capture-read/no-such-file", test_no_such_file);
	g_test_add_func("/capture-read/real-captures", test_real_captures);
	g_test_add_func("/capture-read/real-frame", test_real_frame);
	g_test_add_func("/capture-read/agrees-with-libpcap", test_agrees_with_libpcap);
	return leak_end(g_test_run());
}

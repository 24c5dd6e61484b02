/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reading capture files: every file layer, the messages about damaged files, and real captures
 * compared with what is known about them.
 */
#include <glib/gstdio.h>
#include <pcap/pcap.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "sim/capture/container.h"
#include "tests/rig/capture-vectors.h"
#include "tests/rig/leak.h"
#include "tests/rig/trees.h"

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
		g_assert_cmpint(capture->first_ns, ==, rows[i].want_ns);
		g_assert_cmpint(capture->mads[0].interface, ==, 0);
		g_assert_null(capture->mads[0].interface_name);
		capture_free(capture);
		g_byte_array_free(packet, true);
		g_byte_array_free(file, true);
	}
}

/* In pcap the ERF record's time counts, not pcap's own; in pcapng the block's does. */
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
	g_assert_cmpint(capture->first_ns, ==,
			INT64_C(0x11223344) * 1000000000 + 500000000);
	g_assert_cmpint(capture->mads[0].interface, ==, 1);
	capture_free(capture);
	build_section(pcapng, false);
	build_interface(pcapng, LINKTYPE_ERF, NULL, 9, 0, false);
	build_enhanced(pcapng, 0, 42, frame, NULL, false);
	capture = parse(pcapng);
	g_assert_cmpint(capture->first_ns, ==, 42);
	g_assert_cmpint(capture->mads[0].interface, ==, 0);
	capture_free(capture);
	g_byte_array_free(frame, true);
	g_byte_array_free(packet, true);
	g_byte_array_free(pcap, true);
	g_byte_array_free(pcapng, true);
}

static void test_pcapng_times(void)
{
	static const struct {
		uint8_t tsresol;
		int64_t tsoffset_s;
		uint64_t ticks;
		int64_t want_ns;
	} rows[] = {
		{ 0, 0, 1234567, 1234567000 },			/* not given: microseconds */
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
			g_assert_cmpint(capture->first_ns, ==, rows[i].want_ns);
			g_assert_cmpstr(capture->mads[0].interface_name, ==, "ib0");
			capture_free(capture);
			g_byte_array_free(packet, true);
			g_byte_array_free(file, true);
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
	/* Without a time, it has that of the frame before. */
	g_assert_cmpint(capture->mads[4].time_ns, ==, 200);
	g_assert_cmpuint(capture->mads[4].frame, ==, 5);
	capture_free(capture);
	g_byte_array_free(native, true);
	g_byte_array_free(roce, true);
	g_byte_array_free(options, true);
	g_byte_array_free(file, true);
}

/*
 * A file that is truncated anywhere gives the packets before that point, and a message says where.
 */
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
				build_pcap_record(file, 0, i, packet->data, packet->len,
						  packet->len, false);
		}
		starts[3] = file->len;
		for (guint size = 0; size <= file->len; size++) {
			char message[512] = "";
			struct capture *capture =
				capture_parse(file->data, size, "cut", message, sizeof(message));
			bool whole = size == starts[0] || size == starts[1] || size == starts[2] ||
				     size == starts[3];
			size_t want = (size >= starts[1]) + (size >= starts[2]) +
				      (size >= starts[3]);

			if (!capture) {
				g_assert_cmpuint(want, ==, 0);
				g_assert_true(g_str_has_prefix(message, "cut: "));
				continue;
			}
			g_assert_cmpstr(message, ==, "");
			g_assert_cmpuint(capture->mad_count, ==, want);
			if (size >= starts[1])
				g_assert_cmpint(!capture->warnings[0], ==, whole);
			capture_free(capture);
		}
		g_byte_array_free(packet, true);
		g_byte_array_free(file, true);
	}
}

static void test_broken_files(void)
{
	static const struct { const char *hex, *message; } rows[] = {
		{ "", "made-up: cannot be read: the file is empty" },
		{ "0a0d", "too short" },
		{ "1f8b08000000", "made-up: cannot be read: the gzip data break off" },
		{ "1f8bff000000", "made-up: cannot be read: the gzip data are damaged" },
		{ "28b52ffd0000", "made-up: cannot be read: the zstd data break off" },
		{ "28b52ffd080000000000000000000000",
		  "made-up: cannot be read: the zstd data cannot be" },
		{ "04224d180000", "compressed: unpack it first (unlz4 made-up)" },
		{ "fd377a580000", "(unxz made-up)" },
		{ "425a68390000", "(bunzip2 made-up)" },
		{ "76656e646964", "made-up: this is text, not a capture" },
		{ "76656e646900", "neither pcap nor pcapng nor ERF; if Wireshark opens it" },
		{ "0a0d0d0a 1c000000 00000000 0100000000000000", "the block at byte 0" },
		{ "0a0d0d0a 1c000000 99999999 01000000 ffffffffffffffff 1c000000",
		  "without saying its byte order" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 02000000 ffffffffffffffff 1c000000",
		  "unknown version" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 20000000",
		  "different lengths" },
		{ "0a0d0d0a 04000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000", "cannot be" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
		  "06000000 20000000 00000000 00000000 00000000 00000000 00000000 20000000",
		  "the block at byte 28 holds a packet of an interface that is not declared" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
		  "01000000 14000000 f700 0000 00000000 14000000"
		  "06000000 20000000 00000000 00000000 00000000 01000000 01000000 20000000",
		  "the block at byte 48 holds a packet longer than itself" },
		{ "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
		  "ff000000 0c000010 ffff",
		  "the block at byte 28 is cut off" },
		{ "d4c3b2a1 0900 0400 0000000000000000 ffff0000 f7000000", "cannot be read" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GByteArray *file = g_byte_array_new();
		char message[512] = "";

		build_hex(file, rows[i].hex);
		g_assert_null(capture_parse(file->data, file->len, "made-up", message,
					    sizeof(message)));
		g_test_message("%s", message);
		g_assert_nonnull(strstr(message, rows[i].message));
		g_byte_array_free(file, true);
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
	g_assert_cmpuint(capture->counts.damaged, ==, 1000);
	g_assert_cmpuint(g_strv_length(capture->warnings), ==, 101);
	g_assert_cmpstr(capture->warnings[100], ==,
			"made-up: 900 more warnings like these are left out");
	capture_free(capture);
	g_byte_array_free(packet, true);
	g_byte_array_free(file, true);
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
		g_byte_array_free(file, true);
		g_free(path);
	}
	g_rmdir(dir);
	g_free(dir);
}

static void test_no_such_file(void)
{
	char message[512] = "";

	g_assert_null(capture_read("/no/such/file.pcap", message, sizeof(message)));
	g_assert_nonnull(strstr(message, "/no/such/file.pcap"));
}

/* ---- real captures ---- */

/* From the list that comes with them: frames, MADs by class. Every CRC in them is correct. */
static const struct {
	const char *file;
	size_t frames, dr, sa, cm;
	enum capture_transport transport;
} real[] = {
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
	g_autofree char *folder = source_path("../shared/captures");

	return g_build_filename(folder, name, NULL);
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
		char *path = real_path(real[i].file), message[512] = "";
		struct capture *capture = capture_read(path, message, sizeof(message));
		size_t by_class[256] = { 0 };

		g_test_message("%s %s", real[i].file, message);
		g_assert_nonnull(capture);
		g_assert_cmpstr(capture->warnings[0], ==, NULL);
		g_assert_cmpuint(capture->counts.frames, ==, real[i].frames);
		g_assert_cmpuint(capture->mad_count + capture->counts.skipped, ==, real[i].frames);
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
	char *path, message[512] = "";
	struct capture *capture;
	const struct capture_mad *mad = NULL;

	if (!real_is_there())
		return;
	path = real_path(real[0].file);
	capture = capture_read(path, message, sizeof(message));
	g_assert_nonnull(capture);
	for (size_t i = 0; i < capture->mad_count; i++) {
		if (capture->mads[i].frame == 32)
			mad = &capture->mads[i];
	}
	g_assert_nonnull(mad);
	g_assert_cmpint(capture->first_ns + mad->time_ns, ==, INT64_C(1210794729074913144));
	g_assert_cmpuint(mad->addr.slid, ==, 4);
	g_assert_cmpuint(mad->addr.dlid, ==, 1);
	g_assert_cmphex(mad->addr.qkey, ==, QKEY_GSI);
	g_assert_cmphex(mad->addr.psn, ==, 0x002f1e);
	g_assert_cmphex(get_be64(mad->mad + MAD_TID), ==, 0x0000000bb9647f9e);
	g_assert_cmpint(mad->interface, ==, 1);
	capture_free(capture);
	g_free(path);
}

/*
 * Without libpcap the same frames come of a pcap file as with it: their bytes, lengths and times.
 * 'file' becomes a file for it. Returns how many there are.
 */
static size_t agree_on_file(const GByteArray *file)
{
	char message[512], why[FRAME_WHY_SIZE], errbuf[PCAP_ERRBUF_SIZE];
	struct capture_source *source = capture_source_memory(file->data, file->len, "made-up",
							      message, sizeof(message));
	struct capture_container *container = pcap_direct_open(source);
	char *path = NULL;
	int fd = g_file_open_tmp("umadrig-test-XXXXXX", &path, NULL), ours, theirs;
	struct pcap_pkthdr *header;
	struct capture_frame frame;
	const u_char *bytes;
	size_t frames = 0;
	pcap_t *pcap;

	g_assert_cmpint(write(fd, file->data, file->len), ==, file->len);
	close(fd);
	pcap = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, errbuf);
	g_assert_nonnull(container);
	g_assert_nonnull(pcap);
	for (;; frames++) {
		theirs = pcap_next_ex(pcap, &header, &bytes);
		ours = container->next(container, &frame, why);
		if (ours != 1 || theirs != 1)
			break;
		g_assert_cmpmem(frame.bytes, frame.captured, bytes, header->caplen);
		g_assert_cmpuint(frame.original, ==, header->len);
		g_assert_cmpint(frame.epoch_ns, ==,
				(int64_t)header->ts.tv_sec * 1000000000 + header->ts.tv_usec);
		g_assert_cmpuint(frame.link_type, ==, (unsigned int)pcap_datalink(pcap));
	}
	g_assert_cmpint(ours == 0, ==, theirs == PCAP_ERROR_BREAK);
	pcap_close(pcap);
	container->free(container);
	capture_source_free(source);
	unlink(path);
	g_free(path);
	return frames;
}

static void put_number(GByteArray *file, guint at, uint32_t value, bool big)
{
	put_be32(file->data + at, big ? value : GUINT32_SWAP_LE_BE(value));
}

static void test_without_libpcap(void)
{
	enum { SNAPSHOT_AT = 16, SECOND = 4, SIZE_MAX_BYTES = 262144 };
	static const uint32_t magics[] = { 0xa1b2c3d4, 0xa1b23c4d };
	static const uint32_t snapshots[] = { 0, 1, 100, 65535, UINT32_MAX };

	for (unsigned int i = 0; i < 2 * G_N_ELEMENTS(magics) * G_N_ELEMENTS(snapshots); i++) {
		bool big = i & 1;
		GByteArray *file = g_byte_array_new(), *packet = vector_bytes(NATIVE);
		guint end;

		build_pcap(file, magics[i / 2 % 2], LINKTYPE_INFINIBAND, big);
		put_number(file, SNAPSHOT_AT, snapshots[i / 4], big);
		build_pcap_record(file, 3, 4, packet->data, packet->len, packet->len, big);
		build_pcap_record(file, 0x7fffffff, 999, packet->data, 50, packet->len, big);
		build_pcap_record(file, 0x7fffffff, 1999999, packet->data, 0, 7, big);
		end = file->len;
		build_pcap_record(file, 5, 6, packet->data, 20, 20, big);
		g_assert_cmpuint(agree_on_file(file), ==, 4);
		/* A length that cannot be, and a file that ends everywhere in its last record. */
		put_number(file, end + 2 * SECOND, SIZE_MAX_BYTES + 1, big);
		g_assert_cmpuint(agree_on_file(file), ==, 3);
		put_number(file, end + 2 * SECOND, 20, big);
		while (file->len > end) {
			g_byte_array_set_size(file, file->len - 1);
			g_assert_cmpuint(agree_on_file(file), ==, 3);
		}
		g_byte_array_free(packet, true);
		g_byte_array_free(file, true);
	}
}

/* In both byte orders the last time is in 2106. */
static void test_after_2038(void)
{
	for (unsigned int big = 0; big < 2; big++) {
		GByteArray *file = g_byte_array_new(), *packet = vector_bytes(NATIVE);
		struct capture *capture;

		build_pcap(file, 0xa1b23c4d, LINKTYPE_INFINIBAND, big);
		build_pcap_record(file, 0xffffffff, 4, packet->data, packet->len, packet->len, big);
		capture = parse(file);
		g_assert_cmpint(capture->first_ns, ==, INT64_C(4294967295) * 1000000000 + 4);
		capture_free(capture);
		g_byte_array_free(packet, true);
		g_byte_array_free(file, true);
	}
}

/* Other headers are libpcap's: nothing is taken of them. */
static void test_left_to_libpcap(void)
{
	static const struct { const char *hex; bool is_taken; } rows[] = {
		{ "d4c3b2a1 0200 0400 0000000000000000 ffff0000 f7000000", true },
		{ "a1b23c4d 0002 0004 0000000000000000 0000ffff 000000f7", true },
		{ "d4c3b2a1 0200 0300 0000000000000000 ffff0000 f7000000", false },
		{ "d4c3b2a1 0900 0400 0000000000000000 ffff0000 f7000000", false },
		{ "34cdb2a1 0200 0400 0000000000000000 ffff0000 f7000000", false },
		{ "d4c3b2a1 0200 0400 0000000000000000 ffff0000 f7000014", false },
		{ "d4c3b2a1 0200 0400 0000000000000000 ffff0000 f70000", false },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GByteArray *file = g_byte_array_new();
		struct capture_container *container;
		struct capture_source *source;
		char message[512];

		build_hex(file, rows[i].hex);
		source = capture_source_memory(file->data, file->len, "made-up", message,
					       sizeof(message));
		container = pcap_direct_open(source);
		g_assert_cmpint(container != NULL, ==, rows[i].is_taken);
		g_assert_cmpuint(capture_source_at(source), ==, rows[i].is_taken ? file->len : 0);
		if (container)
			container->free(container);
		capture_source_free(source);
		g_byte_array_free(file, true);
	}
}

/* Our reader of pcapng and libpcap's agree on every frame of every real file. */
static size_t agree_on_frames(const char *path, pcap_t *pcap)
{
	char message[512], why[FRAME_WHY_SIZE];
	struct capture_source *source = capture_source_open(path, message, sizeof(message));
	struct capture_names *names = capture_names_new();
	struct capture_container *container;
	struct capture_frame frame;
	size_t frames = 0;

	g_assert_nonnull(source);
	g_assert_cmpint(container_format(source, path), ==, CONTAINER_PCAPNG);
	container = pcapng_open(source, names);
	while (container->next(container, &frame, why)) {
		struct pcap_pkthdr *header;
		const u_char *bytes;

		g_assert_cmpint(pcap_next_ex(pcap, &header, &bytes), ==, 1);
		g_assert_cmpmem(frame.bytes, frame.captured, bytes, header->caplen);
		g_assert_cmpuint(frame.original, ==, header->len);
		g_assert_cmpint(frame.epoch_ns, ==,
				(int64_t)header->ts.tv_sec * 1000000000 + header->ts.tv_usec);
		frames++;
	}
	container->free(container);
	capture_names_free(names);
	capture_source_free(source);
	return frames;
}

/* How many frames of a pcapng file are the same as libpcap has them: all. */
static size_t agree_on_path(const char *path)
{
	char errbuf[PCAP_ERRBUF_SIZE];
	pcap_t *pcap = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO,
							       errbuf);
	size_t frames;

	g_assert_nonnull(pcap);
	frames = agree_on_frames(path, pcap);
	pcap_close(pcap);
	return frames;
}

static void test_agrees_with_libpcap(void)
{
	g_autofree char *own = source_path("doc/examples/march.pcapng");

	g_assert_cmpuint(agree_on_path(own), >, 50);
	for (size_t i = 0; i < G_N_ELEMENTS(real); i++) {
		g_autofree char *path = real_path(real[i].file);

		if (g_str_has_suffix(path, ".pcapng") && g_file_test(path, G_FILE_TEST_EXISTS))
			g_assert_cmpuint(agree_on_path(path), ==, real[i].frames);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
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
	g_test_add_func("/capture-read/without-libpcap", test_without_libpcap);
	g_test_add_func("/capture-read/after-2038", test_after_2038);
	g_test_add_func("/capture-read/left-to-libpcap", test_left_to_libpcap);
	g_test_add_func("/capture-read/agrees-with-libpcap", test_agrees_with_libpcap);
	return leak_end(g_test_run());
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures without the names of their site: nothing that was replaced is left anywhere, what is the
 * same stays the same, and all else stays as it was.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/capture/frame.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/scrub/scrub-text.h"
#include "sim/scrub/scrub.h"
#include "tests/rig/capture-vectors.h"
#include "tests/rig/leak.h"
#include "tests/sim/scrub-rig.h"

/* ---- aliases ---- */

static void test_aliases(void)
{
	const char *const keys[] = { NULL, "secret" };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		struct alias_book *book = alias_book_new(keys[i]);
		uint64_t one, two;

		alias_learn(book, ALIAS_GUID, GUID_2);
		alias_learn(book, ALIAS_GUID, GUID_1);
		alias_learn(book, ALIAS_GUID, GUID_1);
		alias_learn(book, ALIAS_GUID, 0);
		alias_learn(book, ALIAS_Q_KEY, 0x80123456);
		alias_learn(book, ALIAS_Q_KEY, QKEY_GSI);
		/* An alias of the numbered ones is an original. */
		alias_learn(book, ALIAS_GUID, UINT64_C(0x025c52b000000001));
		alias_book_seal(book);
		one = alias_of(book, ALIAS_GUID, GUID_1);
		two = alias_of(book, ALIAS_GUID, GUID_2);
		g_assert_cmpuint(alias_count(book, ALIAS_GUID), ==, 3);
		g_assert_cmpuint(one >> 32, ==, 0x025c52b0);
		g_assert_cmpuint(one, !=, two);
		g_assert_cmpuint(one, !=, UINT64_C(0x025c52b000000001));
		if (!keys[i])
			g_assert_cmpuint(one, <, two);
		g_assert_cmpuint(alias_of(book, ALIAS_GUID, 0), ==, 0);
		g_assert_cmpuint(alias_of(book, ALIAS_GUID, GUID_1 + 1), ==, 0);
		g_assert_cmpuint(alias_of(book, ALIAS_Q_KEY, QKEY_GSI), ==, QKEY_GSI);
		g_assert_cmpuint(alias_of(book, ALIAS_Q_KEY, 0x80123456) >> 24, ==, 0xdc);
		g_assert_cmpuint(alias_of(book, ALIAS_PREFIX, UINT64_C(0xfe80) << 48), ==,
				 UINT64_C(0xfe80) << 48);
		alias_book_free(book);
	}
}

/* With a key, the other originals of a file do not matter; with another one, all is different. */
static void test_key(void)
{
	uint64_t aliases[3];
	char *names[3];

	for (size_t i = 0; i < 3; i++) {
		struct alias_book *book = alias_book_new(i < 2 ? "secret" : "another");

		if (i == 1)
			alias_learn(book, ALIAS_GUID, 5);
		if (i == 1)
			alias_learn_name(book, "aaaa", 4);
		alias_learn(book, ALIAS_GUID, GUID_1);
		alias_learn_name(book, "rack7", 64);
		alias_book_seal(book);
		aliases[i] = alias_of(book, ALIAS_GUID, GUID_1);
		names[i] = alias_of_name(book, "rack7", 64);
		alias_book_free(book);
	}
	g_assert_cmpuint(aliases[0], ==, aliases[1]);
	g_assert_cmpuint(aliases[0], !=, aliases[2]);
	g_assert_cmpstr(names[0], ==, names[1]);
	g_assert_cmpstr(names[0], !=, names[2]);
	for (size_t i = 0; i < 3; i++)
		g_free(names[i]);
}

static void test_names(void)
{
	static const struct { const char *name, *want; } rows[] = {
		{ "node7 HCA-1", "host-0003 HCA-1" }, { "node7 HCA-2", "host-0003 HCA-2" },
		{ "node7", "host-0003" }, { "node7 mlx5_12", "host-0003 mlx5_12" },
		{ "node8 HCA-top secret", "host-0004" }, { "anon-0001", "host-0001" },
		{ "node-0002", "host-0002" }, { "x", "host-0005" }, { "", "" },
		{ "Mellanox Technologies Aggregation Node",
		  "Mellanox Technologies Aggregation Node" },
	};
	struct alias_book *book = alias_book_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		alias_learn_name(book, rows[i].name, strlen(rows[i].name));
	alias_book_seal(book);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *alias = alias_of_name(book, rows[i].name, 64);

		g_assert_cmpstr(alias, ==, rows[i].want);
	}
	alias_book_free(book);
}

/* ---- text ---- */

static void test_text(void)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "nothing here, at 12:30:45 on 4.0.17", NULL },
		{ "to 0x0002c903a1b2c3d4.", "to 0x025c52b000000001." },
		{ "to 0002C903A1B2C3D4", "to 025c52b000000001" },
		{ "to 0x2c903a1b2c3d4!", "to 0x25c52b000000001!" },
		{ "S-0002c903a1b2c3d4[3]", "S-025c52b000000001[3]" },
		{ "0002:c903:a1b2:c3d4", "025c:52b0:0000:0001" },
		{ "00:02:c9:03:a1:b2:c3:d4", "02:5c:52:b0:00:00:00:01" },
		{ "gid fe80::2:c903:a1b2:c3d4,", "gid fe80::25c:52b0:0:1," },
		{ "host rack7 HCA-1 or rack70", "host anon-0002 HCA-1 or anon-00020" },
		{ "H1[2] and H1 and [1]", "anon-0001[2] and H1 and [1]" },
		{ "from 10.1.2.3:4791", "from 240.0.0.1:4791" },
		{ "mac e4:1d:2d:aa:bb:cc", "mac 02:5c:52:00:00:01" },
		{ "key 0x1122334455667788", "key 0x5c52b00000000001" },
		{ "a GUID of nobody 0x00117500deadbeef", "a GUID of nobody 0x025c52b000000002" },
		{ "umadrig: /home/me/rack.net, seed 1", "umadrig: (path), seed 1" },
		{ "of ~/x (/tmp/y) at x/y 1/20@S1 / or // end",
		  "of (path) ((path)) at x/y 1/20@S1 / or // end" },
		{ "", NULL },
	};
	struct value_book values = { .aliases = alias_book_new(NULL) };

	alias_learn(values.aliases, ALIAS_GUID, GUID_1);
	alias_learn(values.aliases, ALIAS_KEY, KEY_1);
	alias_learn_name(values.aliases, "rack7 HCA-1", 11);
	alias_learn_name(values.aliases, "H1", 2);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		g_free(scrub_text(&values, rows[i].text));
	alias_book_seal(values.aliases);
	values.replace = true;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = scrub_text(&values, rows[i].text);

		g_assert_cmpstr(text, ==, rows[i].want ? rows[i].want : rows[i].text);
	}
	alias_book_free(values.aliases);
}

static void test_interfaces(void)
{
	static const struct { const char *name, *want; } rows[] = {
		{ "H1[1]", "anon-0001[1]" }, { "mlx5_0", "mlx5_0" }, { "ib0", "ib0" },
		{ "enp3s0f1", "enp3s0f1" }, { "S-0002c903a1b2c3d4[0]", "S-025c52b000000001[0]" },
		{ "ssh: db.example.com", "anon-0002" }, { "x[secret]", "anon-0003" },
	};
	struct value_book values = { .aliases = alias_book_new(NULL) };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		g_free(scrub_text_interface(&values, rows[i].name));
	alias_book_seal(values.aliases);
	values.replace = true;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *name = scrub_text_interface(&values, rows[i].name);

		g_assert_cmpstr(name, ==, rows[i].want);
	}
	alias_book_free(values.aliases);
}

/* ---- packets ---- */

/* Every wrapping: addresses gone, CRCs as right as before, the rest as it was. */
static void test_wrappings(void)
{
	for (unsigned int vector = NATIVE; vector <= ROCE_V2_IPV6; vector++) {
		GByteArray *packet = vector_bytes(vector), *file = g_byte_array_new(), *result;
		struct capture *capture;

		if (vector == ROCE_V2_IPV4)
			goto next;	/* its IP options may be addresses: see below */
		build_pcap(file, 0xa1b2c3d4, vector < ROCE_V1 ? LINKTYPE_INFINIBAND :
								LINKTYPE_ETHERNET, false);
		build_pcap_record(file, 3, 4, packet->data, packet->len, packet->len, false);
		result = scrubbed(file, &no_options, NULL);
		g_assert_cmpuint(result->len, ==, file->len);
		capture = parse(result);
		g_assert_cmpuint(capture->mad_count, ==, 1);
		g_assert_true(capture->mads[0].icrc_ok);
		g_assert_true(capture->mads[0].addr.has_grh == (vector != NATIVE));
		g_assert_cmpuint(get_be64(capture->mads[0].mad + MAD_TID), ==, 0x1234);
		if (vector != NATIVE) {
			g_assert_cmpuint(get_be64(capture->mads[0].addr.sgid), ==,
					 UINT64_C(0xfe80) << 48);
			g_assert_cmpuint(get_be64(capture->mads[0].addr.sgid + 8), ==,
					 UINT64_C(0x025c52b000000001));
		}
		capture_free(capture);
		g_byte_array_free(result, true);
next:
		g_byte_array_free(file, true);
		g_byte_array_free(packet, true);
	}
}

/* RoCE v2 over IPv4, without options, with both its checksums: they are right afterwards. */
static void test_ipv4(void)
{
	static const char *const ip = "45000134000040004011 cccc 0a0000010a000002";
	GByteArray *packet = g_byte_array_new(), *file = g_byte_array_new(), *result;
	struct packet_layout { size_t ip; } at = { 14 };
	struct capture *capture;
	uint32_t sum = 0;

	build_hex(packet, MACS "0800");
	build_hex(packet, ip);
	build_hex(packet, "c35112b701200000" BTH_DETH MAD_HEADER);
	build_zero(packet, at.ip + 28 + BTH_SIZE + DETH_SIZE + MAD_SIZE - packet->len);
	put_be16(packet->data + at.ip + 10, 0);
	for (size_t i = 0; i < 20; i += 2)
		sum += get_be16(packet->data + at.ip + i);
	put_be16(packet->data + at.ip + 10, (uint16_t)~((sum & 0xffff) + (sum >> 16)));
	build_number(packet, frame_roce_icrc(packet->data + at.ip, 28, true), 4, false);
	build_pcap(file, 0xa1b2c3d4, LINKTYPE_ETHERNET, false);
	build_pcap_record(file, 3, 4, packet->data, packet->len, packet->len, false);
	result = scrubbed(file, &no_options, NULL);
	capture = parse(result);
	g_assert_true(capture->mads[0].icrc_ok);
	g_assert_cmphex(get_be32(capture->mads[0].addr.sgid + 12), ==, 0xf0000001);
	g_assert_cmphex(get_be32(capture->mads[0].addr.dgid + 12), ==, 0xf0000002);
	sum = 0;
	for (size_t i = 0; i < 20; i += 2)
		sum += get_be16(result->data + 24 + 16 + at.ip + i);
	g_assert_cmphex((sum & 0xffff) + (sum >> 16), ==, 0xffff);
	g_assert_null(memmem(result->data + 40, result->len - 40, packet->data, 6));
	capture_free(capture);
	g_byte_array_free(result, true);
	g_byte_array_free(file, true);
	g_byte_array_free(packet, true);
}

/* What is not understood to the end is dropped, and counted. */
static void test_dropped(void)
{
	GByteArray *file = pcap_begin(), *packet = vector_bytes(NATIVE), *result;
	GByteArray *options = vector_bytes(ROCE_V2_IPV4);
	static const uint8_t connected[] = { 0x10, 0x22, 0, 2, 0, 7, 0, 1, 0x04, 0, 0xff, 0xff, 0,
					     0, 0, 5, 0, 0, 0, 7, 0xaa, 0xaa, 0xaa, 0xaa, 0, 0 };
	struct scrub_options keep = { .keep_other = true };
	struct scrub_report report;

	build_pcap_record(file, 1, 0, packet->data, 200, packet->len, false);
	build_pcap_record(file, 1, 0, connected, sizeof(connected), sizeof(connected), false);
	build_pcap_record(file, 1, 0, "raw", 3, 3, false);
	build_pcap_record(file, 1, 0, packet->data, packet->len, packet->len, false);
	result = scrubbed(file, &no_options, &report);
	g_assert_cmpuint(report.frames, ==, 4);
	g_assert_cmpuint(report.mads, ==, 1);
	g_assert_cmpuint(report.dropped_cut, ==, 1);
	g_assert_cmpuint(report.dropped_other, ==, 2);
	g_byte_array_free(result, true);
	/* Its headers alone are kept. */
	result = scrubbed(file, &keep, &report);
	g_assert_cmpuint(report.others, ==, 1);
	g_assert_cmpuint(report.dropped_other, ==, 1);
	g_assert_null(memmem(result->data, result->len, "\xaa\xaa", 2));
	g_byte_array_free(result, true);
	/* A file that breaks off gives what is before. */
	g_byte_array_set_size(file, file->len - 1);
	result = scrubbed(file, &no_options, &report);
	g_assert_cmpuint(report.frames, ==, 3);
	g_assert_nonnull(strstr(report.why, "longer than what is left"));
	g_byte_array_free(result, true);
	g_byte_array_free(file, true);
	file = g_byte_array_new();
	build_pcap(file, 0xa1b2c3d4, LINKTYPE_ETHERNET, true);
	build_pcap_record(file, 1, 0, options->data, options->len, options->len, true);
	result = scrubbed(file, &no_options, &report);
	g_assert_cmpuint(report.dropped_broken, ==, 1);
	g_byte_array_free(result, true);
	g_byte_array_free(options, true);
	g_byte_array_free(packet, true);
	g_byte_array_free(file, true);
}

/* A CRC that was wrong is wrong, one that was never computed is not there. */
static void test_wrong_crc(void)
{
	GByteArray *file = pcap_begin(), *packet = vector_bytes(NATIVE), *result;
	struct capture *capture;

	packet->data[LRH_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE] ^= 1;
	build_pcap_record(file, 1, 0, packet->data, packet->len, packet->len, false);
	memset(packet->data + packet->len - ICRC_SIZE - VCRC_SIZE, 0, ICRC_SIZE + VCRC_SIZE);
	build_pcap_record(file, 1, 0, packet->data, packet->len, packet->len, false);
	result = scrubbed(file, &no_options, NULL);
	capture = parse(result);
	g_assert_true(capture->mads[0].icrc_wrong);
	g_assert_true(!capture->mads[1].icrc_wrong && !capture->mads[1].icrc_ok);
	capture_free(capture);
	g_byte_array_free(result, true);
	g_byte_array_free(packet, true);
	g_byte_array_free(file, true);
}

/* ---- files ---- */

/* pcapng: names and comments are scrubbed, machine and user are gone, all else is as it was. */
static void test_pcapng(void)
{
	GByteArray *file = g_byte_array_new(), *packet, *options = g_byte_array_new(), *body;
	GByteArray *result;
	struct capture *capture;
	uint8_t mad[MAD_SIZE];

	mad_begin(mad, MAD_CLASS_SUBN_LID, MAD_METHOD_GET_RESP, 0x0010);
	memcpy(mad + SMP_DATA, "rack7 HCA-1", 11);
	packet = packet_with(mad);
	body = g_byte_array_new();
	build_number(body, 0x1a2b3c4d, 4, true);
	build_number(body, 1, 2, true);
	build_number(body, 0, 2, true);
	build_number(body, UINT64_MAX, 8, true);
	build_option(body, 1, "of rack7", 8, true);
	build_option(body, 2, "Xeon of rack7", 13, true);
	build_option(body, 3, "Linux of rack7", 14, true);
	build_option(body, 0, NULL, 0, true);
	build_block(file, 0x0a0d0d0a, body, true);
	build_interface(file, LINKTYPE_INFINIBAND, "rack7[1]", 9, 5, true);
	build_option(options, 1, "sent by rack7", 13, true);
	build_option(options, 2, "\0\0\0\2", 4, true);
	build_option(options, 3, "hash of what it was", 19, true);
	build_option(options, 0, NULL, 0, true);
	build_enhanced(file, 0, 123456789, packet, options, true);
	body = g_byte_array_new();
	g_byte_array_append(body, (const guint8 *)"MESSAGE=on rack7\n_HOSTNAME=rack7\n", 33);
	build_zero(body, 3);
	build_block(file, 9, body, true);
	body = g_byte_array_new();
	build_number(body, 0, 4, true);
	build_block(file, 4, body, true);
	result = scrubbed(file, &no_options, NULL);
	g_assert_null(memmem(result->data, result->len, "rack7", 5));
	g_assert_null(memmem(result->data, result->len, "Xeon", 4));
	g_assert_null(memmem(result->data, result->len, "hash", 4));
	capture = parse(result);
	g_assert_cmpuint(capture->mad_count, ==, 1);
	g_assert_cmpstr(capture->mads[0].interface_name, ==, "anon-0001[1]");
	g_assert_cmpstr(capture->mads[0].comment, ==, "sent by anon-0001");
	g_assert_cmpint(capture->mads[0].direction, ==, CAPTURE_OUTBOUND);
	g_assert_cmpint(capture->first_ns, ==, INT64_C(5123456789));
	g_assert_cmpuint(capture->note_count, ==, 1);
	g_assert_cmpstr(capture->notes[0].text, ==, "on anon-0001");
	g_assert_null(*capture->warnings);
	capture_free(capture);
	g_byte_array_free(result, true);
	g_byte_array_free(packet, true);
	g_byte_array_free(options, true);
	g_byte_array_free(file, true);
}

static void test_file(void)
{
	g_autofree char *directory = g_dir_make_tmp("scrub-XXXXXX", NULL);
	g_autofree char *in = g_build_filename(directory, "in.pcap", NULL);
	g_autofree char *out = g_build_filename(directory, "out.pcap", NULL);
	GByteArray *file = pcap_begin();
	struct scrub_report report;
	char message[512] = "";
	struct stat st;

	g_assert_true(g_file_set_contents(in, (const char *)file->data, file->len, NULL));
	g_assert_cmpint(scrub_file(in, out, &no_options, &report, message, sizeof(message)), ==, 0);
	g_assert_cmpint(stat(out, &st), ==, 0);
	g_assert_cmpuint(st.st_mode & 0777, ==, 0600);
	g_assert_cmpint(scrub_file(in, in, &no_options, &report, message, sizeof(message)), ==,
			-EEXIST);
	g_assert_nonnull(strstr(message, "one file"));
	g_assert_true(g_file_set_contents(in, "no capture at all", 17, NULL));
	g_assert_cmpint(scrub_file(in, out, &no_options, &report, message, sizeof(message)), ==,
			-EBADMSG);
	g_assert_nonnull(strstr(message, "this is text, not a capture"));
	g_assert_cmpint(g_remove(in), ==, 0);
	g_assert_cmpint(g_remove(out), ==, 0);
	/* Nothing else is left. */
	g_assert_cmpint(g_rmdir(directory), ==, 0);
	g_byte_array_free(file, true);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/scrub/aliases", test_aliases);
	g_test_add_func("/scrub/key", test_key);
	g_test_add_func("/scrub/names", test_names);
	g_test_add_func("/scrub/text", test_text);
	g_test_add_func("/scrub/interfaces", test_interfaces);
	g_test_add_func("/scrub/wrappings", test_wrappings);
	g_test_add_func("/scrub/ipv4", test_ipv4);
	g_test_add_func("/scrub/dropped", test_dropped);
	g_test_add_func("/scrub/wrong-crc", test_wrong_crc);
	scrub_field_tests();
	g_test_add_func("/scrub/pcapng", test_pcapng);
	g_test_add_func("/scrub/file", test_file);
	return leak_end(g_test_run());
}

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

#define GUID_1 UINT64_C(0x0002c903a1b2c3d4)
#define GUID_2 UINT64_C(0xe41d2d0300aabbcc)
#define PREFIX_1 UINT64_C(0xfec0123456789abc)
#define KEY_1 UINT64_C(0x1122334455667788)

static const struct scrub_options no_options;

/* ---- the rig ---- */

/* What becomes of a file; it must be readable. */
static GByteArray *scrubbed(const GByteArray *file, const struct scrub_options *options,
			    struct scrub_report *report)
{
	struct scrub_report mine;
	char message[512] = "";
	char *bytes = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&bytes, &size);
	GByteArray *result = g_byte_array_new();

	g_assert_cmpint(scrub_bytes(file->data, file->len, "made-up", to, options,
				    report ? report : &mine, message, sizeof(message)), ==, 0);
	g_assert_cmpstr(message, ==, "");
	fclose(to);
	g_byte_array_append(result, (const guint8 *)bytes, (guint)size);
	free(bytes);
	return result;
}

/* A native packet with this MAD, sealed. */
static GByteArray *packet_with(const uint8_t *mad)
{
	struct packet_addr addr = { .slid = 1, .dlid = 2, .pkey = PKEY_DEFAULT, .src_qp = 1,
				    .dest_qp = 1, .qkey = QKEY_GSI };
	GByteArray *bytes = g_byte_array_new();
	struct packet packet = { .mad_size = MAD_SIZE };

	packet_build(&packet, &addr);
	memcpy(packet_mad(&packet), mad, MAD_SIZE);
	packet_seal(&packet);
	g_byte_array_append(bytes, packet.bytes, (guint)packet_size(&packet));
	return bytes;
}

static GByteArray *pcap_begin(void)
{
	GByteArray *file = g_byte_array_new();

	build_pcap(file, 0xa1b2c3d4, LINKTYPE_INFINIBAND, false);
	return file;
}

static void pcap_add(GByteArray *file, const uint8_t *mad)
{
	GByteArray *packet = packet_with(mad);

	build_pcap_record(file, 1, 2, packet->data, packet->len, packet->len, false);
	g_byte_array_free(packet, true);
}

/* The MADs of a pcap file that is scrubbed; the file is freed. */
static struct capture *scrubbed_mads(GByteArray *file, const struct scrub_options *options,
				     struct scrub_report *report)
{
	GByteArray *result = scrubbed(file, options, report);
	struct capture *capture = parse(result);

	for (size_t i = 0; i < capture->mad_count; i++)
		g_assert_true(capture->mads[i].icrc_ok && capture->mads[i].vcrc_ok);
	g_byte_array_free(file, true);
	g_byte_array_free(result, true);
	return capture;
}

static void mad_begin(uint8_t *mad, uint8_t mgmt_class, uint8_t method, uint16_t attr_id)
{
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1;
	mad[MAD_METHOD] = method;
	put_be64(mad + MAD_TID, 0x1234);
	put_be16(mad + MAD_ATTR_ID, attr_id);
}

static bool holds(const void *bytes, size_t size, uint64_t value)
{
	uint8_t big[8], little[8];

	put_be64(big, value);
	memcpy(little, &value, 8);
	return memmem(bytes, size, big, 8) || memmem(bytes, size, little, 8);
}

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

/* ---- fields ---- */

/* Puts a value nobody else has into the field, and says how to find it again: 0 where it stays. */
static uint64_t mark(const struct mad_field *f, uint8_t *data, uint64_t number)
{
	uint8_t *at = data + f->bit / 8;
	uint64_t value = UINT64_C(0xa7b3000000000000) | number << 24 | 0xc5d9e1;

	switch (f->identity) {
	case MAD_IDENTITY_GUID:
	case MAD_IDENTITY_PREFIX:
		put_be64(at, value);
		return value;
	case MAD_IDENTITY_GID:
		put_be64(at, UINT64_C(0xfe80) << 48);
		put_be64(at + 8, value);
		return value;
	case MAD_IDENTITY_KEY:
		if (f->width == 32) {
			put_be32(at, (uint32_t)value);
			return 0;
		}
		put_be64(at + f->width / 8 - 8, value);
		return value;
	case MAD_IDENTITY_NAME:
		memcpy(at, "Secret of the site", 19);
		return 0;
	case MAD_IDENTITY_PRIVATE:
		put_be64(at, value);
		return value;
	case MAD_IDENTITY_NONE:
	case MAD_IDENTITY_P_KEY:
	case MAD_IDENTITY_LID:
	case MAD_IDENTITY_LID_TOP:
	case MAD_IDENTITY_LID_BLOCK:
	case MAD_IDENTITY_LID_TABLE:
		return 0;
	}
	return 0;
}

/* Of every attribute: fields that tell of a site are replaced, the others are as before. */
static void test_fields(void)
{
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		for (const struct mad_attribute *a = info->attributes; a->name; a++) {
			uint64_t values[64], number = 0, count = 0;
			uint8_t mad[MAD_SIZE];
			struct capture *capture;
			GByteArray *file = pcap_begin();

			/* Of ranges that overlap, the last is where the first does not count. */
			mad_begin(mad, info->last, MAD_METHOD_GET_RESP, a->id);
			for (const struct mad_field *f = a->fields; f && f->name; f++)
				if (f->identity == MAD_IDENTITY_NONE && f->width <= 64 &&
				    mad_field_is_number(f))
					mad_field_set(f, mad + info->data_at, 0x55);
			for (const struct mad_field *f = a->fields; f && f->name; f++) {
				uint64_t value = mark(f, mad + info->data_at, number++);

				if (value)
					values[count++] = value;
			}
			pcap_add(file, mad);
			capture = scrubbed_mads(file, &no_options, NULL);
			for (size_t i = 0; i < count; i++)
				g_assert_false(holds(capture->mads[0].mad, MAD_SIZE, values[i]));
			g_assert_null(memmem(capture->mads[0].mad, MAD_SIZE, "Secret", 6));
			for (const struct mad_field *f = a->fields; f && f->name; f++)
				if (f->identity == MAD_IDENTITY_NONE && f->width <= 64 &&
				    mad_field_is_number(f))
					g_assert_cmpuint(mad_field_get(f, capture->mads[0].mad +
								       info->data_at), ==,
							 0x55 & mad_field_max(f));
			capture_free(capture);
		}
}

/* Headers' keys, at the places where each class has its own. */
static void test_header_keys(void)
{
	static const struct { uint8_t mgmt_class; unsigned int at; } rows[] = {
		{ MAD_CLASS_SUBN_DR, 24 }, { MAD_CLASS_SUBN_LID, 24 }, { MAD_CLASS_SUBN_ADM, 36 },
		{ MAD_CLASS_BM, 24 }, { MAD_CLASS_CONG_MGT, 24 }, { 0x0a, 24 }, { 0x0b, 24 },
		{ 0x0c, 24 },
	};
	GByteArray *file = pcap_begin();
	struct capture *capture;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint8_t mad[MAD_SIZE];

		mad_begin(mad, rows[i].mgmt_class, MAD_METHOD_GET, 0x0077);
		put_be64(mad + rows[i].at, KEY_1);
		pcap_add(file, mad);
	}
	capture = scrubbed_mads(file, &no_options, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		g_assert_cmphex(get_be64(capture->mads[i].mad + rows[i].at), ==,
				UINT64_C(0x5c52b00000000001));
	capture_free(capture);
}

/* Where no field is known: any byte order, before or after the place where it was learned. */
static void test_anywhere(void)
{
	GByteArray *file = pcap_begin();
	uint8_t vendor[MAD_SIZE], info[MAD_SIZE], described[MAD_SIZE];
	uint64_t little = GUID_1, turned = GUID_1 << 32 | GUID_1 >> 32;
	struct capture *capture;
	const uint8_t *mad;

	mad_begin(vendor, MAD_CLASS_SUBN_LID, MAD_METHOD_GET_RESP, 0xff21);
	put_be64(vendor + 65, GUID_1);
	memcpy(vendor + 75, &little, 8);
	put_be64(vendor + 85, turned);
	memcpy(vendor + 100, "on rack7, row 3", 15);
	memcpy(vendor + 120, "\x12\x34\x56", 3);
	mad_begin(info, MAD_CLASS_SUBN_LID, MAD_METHOD_GET_RESP, 0x0011);
	put_be64(info + SMP_DATA + 12, GUID_1);
	mad_begin(described, MAD_CLASS_SUBN_LID, MAD_METHOD_GET_RESP, 0x0010);
	memcpy(described + SMP_DATA, "rack7 HCA-1", 11);
	pcap_add(file, vendor);
	pcap_add(file, info);
	pcap_add(file, described);
	capture = scrubbed_mads(file, &no_options, NULL);
	mad = capture->mads[0].mad;
	g_assert_cmphex(get_be64(mad + 65), ==, UINT64_C(0x025c52b000000001));
	g_assert_cmphex(get_be64(mad + 75), ==, UINT64_C(0x01000000b0525c02));
	g_assert_cmphex(get_be64(mad + 85), ==, UINT64_C(0x00000001025c52b0));
	g_assert_cmpmem(mad + 100, 15, "on anon-, row 3", 15);
	g_assert_cmpmem(mad + 120, 3, "\x12\x34\x56", 3);
	g_assert_cmpstr((const char *)capture->mads[2].mad + SMP_DATA, ==, "anon-0001 HCA-1");
	capture_free(capture);
}

/* A notice's details, by its trap. */
static void test_notices(void)
{
	GByteArray *file = pcap_begin();
	struct capture *capture;
	uint8_t mad[MAD_SIZE];

	mad_begin(mad, MAD_CLASS_SUBN_LID, MAD_METHOD_TRAP, 0x0002);
	mad[SMP_DATA] = 0x80;
	put_be16(mad + SMP_DATA + 4, 145);
	put_be64(mad + SMP_DATA + 16, GUID_1);
	pcap_add(file, mad);
	put_be16(mad + SMP_DATA + 4, 258);
	put_be64(mad + SMP_DATA + 28, PREFIX_1);
	put_be64(mad + SMP_DATA + 36, GUID_2);
	pcap_add(file, mad);
	capture = scrubbed_mads(file, &no_options, NULL);
	g_assert_cmphex(get_be64(capture->mads[0].mad + SMP_DATA + 16), ==,
			UINT64_C(0x025c52b000000001));
	g_assert_cmphex(get_be64(capture->mads[1].mad + SMP_DATA + 28), ==,
			UINT64_C(0x20010db800000001));
	g_assert_cmphex(get_be64(capture->mads[1].mad + SMP_DATA + 36), ==,
			UINT64_C(0x025c52b000000002));
	capture_free(capture);
}

/* RDMA CM's addresses become aliases, what a program added becomes zero. */
static void test_private_data(void)
{
	GByteArray *file = pcap_begin();
	struct capture *capture;
	uint8_t mad[MAD_SIZE], *data = mad + MAD_HDR_SIZE;
	const uint8_t *result;

	mad_begin(mad, MAD_CLASS_CM, MAD_METHOD_SEND, 0x0010);
	put_be64(data + 8, UINT64_C(0x0000000001061234));
	data[140 + 1] = 0x40;
	put_be16(data + 142, 0x1234);
	put_be32(data + 140 + 16, 0x0a000001);
	put_be32(data + 140 + 32, 0x0a000002);
	memcpy(data + 140 + 36, "password", 8);
	pcap_add(file, mad);
	/* Another service's: all of it. */
	put_be64(data + 8, 0x77);
	pcap_add(file, mad);
	capture = scrubbed_mads(file, &no_options, NULL);
	result = capture->mads[0].mad + MAD_HDR_SIZE;
	g_assert_cmphex(get_be16(result + 142), ==, 0x1234);
	g_assert_cmphex(get_be32(result + 140 + 16), ==, 0xf0000001);
	g_assert_cmphex(get_be32(result + 140 + 32), ==, 0xf0000002);
	g_assert_cmphex(get_be64(result + 140 + 36), ==, 0);
	result = capture->mads[1].mad + MAD_HDR_SIZE;
	for (size_t i = 140; i < 232; i++)
		g_assert_cmpuint(result[i], ==, 0);
	capture_free(capture);
}

/* ---- RMPP ---- */

enum { RECORD_SIZE = 112, RECORDS = 7, SEGMENT_DATA = MAD_SIZE - SA_DATA };

/* NodeRecords one after the other: GUIDs and descriptions run over the ends of segments. */
static void fill_records(uint8_t *stream)
{
	memset(stream, 0, RECORDS * RECORD_SIZE + SEGMENT_DATA);
	for (unsigned int i = 0; i < RECORDS; i++) {
		uint8_t *record = stream + i * RECORD_SIZE;

		put_be16(record, (uint16_t)(i + 1));
		put_be64(record + 4 + 4, GUID_1 + i);
		put_be64(record + 4 + 12, GUID_1 + i);
		put_be64(record + 4 + 20, GUID_2 + i);
		snprintf((char *)record + 44, 64, "the database of row %u, rack %u, shelf %u HCA-1",
			 i, i, i);
	}
}

static void add_segment(GByteArray *file, const uint8_t *stream, unsigned int number,
			unsigned int count)
{
	uint8_t mad[MAD_SIZE];
	size_t last = RECORDS * RECORD_SIZE - (count - 1) * SEGMENT_DATA;

	mad_begin(mad, MAD_CLASS_SUBN_ADM, 0x92, 0x0011);
	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	mad[RMPP_FLAGS] = (uint8_t)(RMPP_FLAG_ACTIVE | (number == 1 ? RMPP_FLAG_FIRST : 0) |
				    (number == count ? RMPP_FLAG_LAST : 0));
	put_be32(mad + RMPP_SEGMENT, number);
	if (number == count)
		put_be32(mad + RMPP_PAYLEN_NEWWIN, (uint32_t)last + 20);
	put_be16(mad + SA_ATTR_OFFSET, RECORD_SIZE / 8);
	memcpy(mad + SA_DATA, stream + (number - 1) * SEGMENT_DATA, SEGMENT_DATA);
	/* Left from something else. */
	if (number == count)
		memset(mad + SA_DATA + last, 0xbb, SEGMENT_DATA - last);
	pcap_add(file, mad);
}

static void test_segments(void)
{
	const unsigned int count = (RECORDS * RECORD_SIZE + SEGMENT_DATA - 1) / SEGMENT_DATA;
	uint8_t stream[RECORDS * RECORD_SIZE + SEGMENT_DATA];
	GByteArray *file = pcap_begin(), *whole = g_byte_array_new();
	struct scrub_report report;
	struct capture *capture;

	fill_records(stream);
	for (unsigned int number = 1; number <= count; number++) {
		add_segment(file, stream, number, count);
		if (number == 2)
			add_segment(file, stream, number, count);
	}
	capture = scrubbed_mads(file, &no_options, &report);
	g_assert_cmpuint(capture->mad_count, ==, count + 1);
	g_assert_cmpuint(report.blanked, ==, 0);
	g_assert_cmpmem(capture->mads[1].mad, MAD_SIZE, capture->mads[2].mad, MAD_SIZE);
	for (unsigned int i = 0; i <= count; i++)
		if (i != 2)
			g_byte_array_append(whole, capture->mads[i].mad + SA_DATA, SEGMENT_DATA);
	for (unsigned int i = 0; i < RECORDS; i++) {
		const uint8_t *record = whole->data + i * RECORD_SIZE;
		char name[32];

		snprintf(name, sizeof(name), "anon-%04u HCA-1", i + 1);
		g_assert_cmpuint(get_be16(record), ==, i + 1);
		g_assert_cmphex(get_be64(record + 8), ==, UINT64_C(0x025c52b000000001) + i);
		g_assert_cmphex(get_be64(record + 16), ==, UINT64_C(0x025c52b000000001) + i);
		g_assert_cmphex(get_be64(record + 24), ==, UINT64_C(0x025c52b000000001) + RECORDS +
				i);
		g_assert_cmpstr((const char *)record + 44, ==, name);
	}
	g_assert_null(memchr(whole->data, 0xbb, whole->len));
	capture_free(capture);
	g_byte_array_free(whole, true);
}

/* A segment that was lost: the pieces of its neighbours' fields become zero. */
static void test_lost_segment(void)
{
	const unsigned int count = (RECORDS * RECORD_SIZE + SEGMENT_DATA - 1) / SEGMENT_DATA;

	for (unsigned int lost = 1; lost <= count; lost++) {
		uint8_t stream[RECORDS * RECORD_SIZE + SEGMENT_DATA];
		GByteArray *file = pcap_begin();
		struct scrub_report report;
		struct capture *capture;

		fill_records(stream);
		for (unsigned int number = 1; number <= count; number++)
			if (number != lost)
				add_segment(file, stream, number, count);
		capture = scrubbed_mads(file, &no_options, &report);
		/* The last one happens to begin between two fields. */
		g_assert_cmpuint(report.blanked != 0, ==, lost != count);
		for (size_t i = 0; i < capture->mad_count; i++) {
			const uint8_t *mad = capture->mads[i].mad;

			g_assert_null(memmem(mad, MAD_SIZE, "\x02\xc9\x03", 3));
			g_assert_null(memmem(mad, MAD_SIZE, "base", 4));
			g_assert_null(memmem(mad, MAD_SIZE, "rack", 4));
			g_assert_null(memmem(mad, MAD_SIZE, "shelf", 4));
		}
		capture_free(capture);
	}
}

/* ---- LIDs ---- */

/* LIDs move in groups: tables of them, and what says how long one is, go along. */
static void test_lids(void)
{
	const struct scrub_options lids = { .lids = true }, keyed = { .lids = true, .key = "k" };
	uint8_t mad[MAD_SIZE];

	for (unsigned int with_key = 0; with_key < 2; with_key++) {
		GByteArray *file = pcap_begin();
		struct capture *capture;
		uint16_t group;

		mad_begin(mad, MAD_CLASS_SUBN_DR, MAD_METHOD_GET_RESP, 0x0015);
		put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, 7);
		put_be16(mad + SMP_DATA + 16, 5);
		put_be16(mad + SMP_DATA + 18, 200);
		pcap_add(file, mad);
		mad_begin(mad, MAD_CLASS_SUBN_LID, MAD_METHOD_GET_RESP, 0x0019);
		put_be32(mad + MAD_ATTR_MOD, 3);
		pcap_add(file, mad);
		mad_begin(mad, MAD_CLASS_SUBN_LID, MAD_METHOD_GET_RESP, 0x0012);
		put_be16(mad + SMP_DATA + 6, 200);
		pcap_add(file, mad);
		capture = scrubbed_mads(file, with_key ? &keyed : &lids, NULL);
		group = get_be16(capture->mads[0].mad + SMP_DATA + 18) & 0xff80;
		g_assert_cmpuint(get_be16(capture->mads[0].mad + SMP_DR_SLID), ==, 0xffff);
		g_assert_cmpuint(get_be16(capture->mads[0].mad + SMP_DR_DLID) & 0x7f, ==, 7);
		g_assert_cmpuint(get_be16(capture->mads[0].mad + SMP_DATA + 16) & 0x7f, ==, 5);
		g_assert_cmpuint(get_be16(capture->mads[0].mad + SMP_DATA + 16), !=, 5);
		g_assert_cmpuint(capture->mads[0].addr.slid & 0x7f, ==, 1);
		g_assert_cmpuint(capture->mads[0].addr.slid >> 7, ==,
				 get_be16(capture->mads[0].mad + SMP_DR_DLID) >> 7);
		g_assert_cmpuint(get_be32(capture->mads[1].mad + MAD_ATTR_MOD), ==, group / 64 + 1);
		g_assert_cmpuint(get_be16(capture->mads[2].mad + SMP_DATA + 6), >=, group + 72);
		capture_free(capture);
	}
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
	g_assert_nonnull(strstr(message, "neither pcap nor pcapng"));
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
	g_test_add_func("/scrub/fields", test_fields);
	g_test_add_func("/scrub/header-keys", test_header_keys);
	g_test_add_func("/scrub/anywhere", test_anywhere);
	g_test_add_func("/scrub/notices", test_notices);
	g_test_add_func("/scrub/private-data", test_private_data);
	g_test_add_func("/scrub/segments", test_segments);
	g_test_add_func("/scrub/lost-segment", test_lost_segment);
	g_test_add_func("/scrub/lids", test_lids);
	g_test_add_func("/scrub/pcapng", test_pcapng);
	g_test_add_func("/scrub/file", test_file);
	return leak_end(g_test_run());
}

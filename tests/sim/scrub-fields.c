/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures without the names of their site: the fields of MADs, those that go over several
 * segments, and LIDs.
 */
#define _GNU_SOURCE
#include "tests/sim/scrub-rig.h"

#include <stdio.h>
#include <string.h>

#include "sim/capture/frame.h"
#include "sim/dictionary/mad-dictionary.h"
#include "tests/rig/capture-vectors.h"

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

void scrub_field_tests(void)
{
	g_test_add_func("/scrub/fields", test_fields);
	g_test_add_func("/scrub/header-keys", test_header_keys);
	g_test_add_func("/scrub/anywhere", test_anywhere);
	g_test_add_func("/scrub/notices", test_notices);
	g_test_add_func("/scrub/private-data", test_private_data);
	g_test_add_func("/scrub/segments", test_segments);
	g_test_add_func("/scrub/lost-segment", test_lost_segment);
	g_test_add_func("/scrub/lids", test_lids);
}

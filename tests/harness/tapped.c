/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The captures of taps at the end of a run: put in order, and without pieces of records.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/record/tapped.h"
#include "lib/base/wire.h"
#include "tests/rig/leak.h"

enum {
	FILE_HEADER = 24,
	ERF = 16,
	PACKET = LRH_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE + ICRC_SIZE,
	RECORD = 16 + ERF + PACKET,
	MARK_AT = 12,
};

#define SECOND UINT64_C(1000000000)

static char *path;

static void put_le32(uint8_t *p, uint32_t v)
{
	put_be32(p, __builtin_bswap32(v));
}

/* A record of this time; 'number' is in its MAD. */
static void add(GByteArray *file, uint64_t time_ns, uint32_t number)
{
	uint8_t record[RECORD] = { 0 };

	put_le32(record, (uint32_t)(time_ns / SECOND));
	put_le32(record + 4, (uint32_t)(time_ns % SECOND));
	put_le32(record + 8, RECORD - 16);
	put_le32(record + 12, RECORD - 16);
	put_le32(record + 20, (uint32_t)(time_ns / SECOND));
	record[24] = 21;
	put_be16(record + 26, RECORD - 16);
	put_be32(record + RECORD - 8, number);
	g_byte_array_append(file, record, sizeof(record));
}

static GByteArray *begin(void)
{
	static const uint32_t header[] = { 0xa1b23c4d, 0x00040002, 0, 0, 0xffff, 197 };
	GByteArray *file = g_byte_array_new();

	g_byte_array_append(file, (const uint8_t *)header, sizeof(header));
	return file;
}

/* The numbers of the records after tapped_finish(), as text. */
static char *finish(GByteArray *file, struct tapped_report *report)
{
	g_autoptr(GError) error = NULL;
	GString *numbers = g_string_new(NULL);
	g_autofree char *bytes = NULL;
	struct stat status;
	size_t size;

	g_assert_true(g_file_set_contents(path, (const char *)file->data, file->len, NULL));
	g_assert_cmpint(g_chmod(path, 0600), ==, 0);
	g_assert_true(tapped_finish(path, report, &error));
	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
	g_assert_cmpint(stat(path, &status), ==, 0);
	g_assert_cmpuint(status.st_mode & 0777, ==, 0600);
	g_assert_cmpuint((size - FILE_HEADER) % RECORD, ==, 0);
	for (size_t at = FILE_HEADER; at < size; at += RECORD)
		g_string_append_printf(numbers, "%u ",
				       get_be32((uint8_t *)bytes + at + RECORD - 8));
	g_byte_array_unref(file);
	return g_string_free(numbers, false);
}

static void test_in_order(void)
{
	g_autofree char *numbers = NULL;
	GByteArray *file = begin();
	struct tapped_report report;

	for (unsigned int i = 0; i < 5; i++)
		add(file, 7 * SECOND + i, i);
	numbers = finish(file, &report);
	g_assert_cmpstr(numbers, ==, "0 1 2 3 4 ");
	g_assert_cmpuint(report.records, ==, 5);
	g_assert_cmpuint(report.moved + report.cut, ==, 0);
	g_assert_false(report.has_ended);
}

/* Of the same time, what was written first is first. */
static void test_moved(void)
{
	static const uint64_t times[] = { 5, 3, 8, 8, 4, 9 };
	g_autofree char *numbers = NULL;
	GByteArray *file = begin();
	struct tapped_report report;

	for (unsigned int i = 0; i < G_N_ELEMENTS(times); i++)
		add(file, SECOND + times[i], i);
	numbers = finish(file, &report);
	g_assert_cmpstr(numbers, ==, "1 4 0 2 3 5 ");
	g_assert_cmpuint(report.moved, ==, 2);
}

/* An order by times that are wrong would be none. */
static void test_set_back(void)
{
	g_autofree char *numbers = NULL;
	GByteArray *file = begin();
	struct tapped_report report;

	add(file, 3600 * SECOND, 0);
	add(file, 10 * SECOND, 1);
	add(file, 9 * SECOND, 2);
	numbers = finish(file, &report);
	g_assert_cmpstr(numbers, ==, "0 1 2 ");
	g_assert_cmpint(report.set_back_ns, ==, 3591 * (int64_t)SECOND);
}

/* Cut at every byte, at the end and in the middle: the others stay. */
static void test_torn(void)
{
	for (unsigned int keep = 1; keep < RECORD; keep++) {
		g_autofree char *numbers = NULL;
		GByteArray *file = begin();
		struct tapped_report report;

		file->data[MARK_AT] = 1;
		add(file, 1 * SECOND, 1);
		add(file, 2 * SECOND, 2);
		g_byte_array_set_size(file, FILE_HEADER + RECORD + keep);
		add(file, 3 * SECOND, 3);
		add(file, 4 * SECOND, 4);
		g_byte_array_set_size(file, FILE_HEADER + 2 * RECORD + 2 * keep);
		numbers = finish(file, &report);
		g_assert_cmpstr(numbers, ==, "1 3 ");
		g_assert_cmpuint(report.cut, ==, 2);
		g_assert_cmpuint(report.cut_bytes, ==, 2 * keep);
		g_assert_true(report.has_ended);
	}
}

static void test_refuses(void)
{
	g_autoptr(GError) error = NULL;
	struct tapped_report report;

	g_assert_false(tapped_finish("/nowhere/capture.pcap", &report, &error));
	g_assert_nonnull(strstr(error->message, "/nowhere/capture.pcap"));
	g_clear_error(&error);
	g_assert_true(g_file_set_contents(path, "", 0, NULL));
	g_assert_false(tapped_finish(path, &report, &error));
	g_assert_nonnull(strstr(error->message, "header"));
}

int main(int argc, char **argv)
{
	g_autofree char *dir = NULL;
	int status;

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	dir = g_dir_make_tmp("tapped-XXXXXX", NULL);
	path = g_build_filename(dir, "capture.pcap", NULL);
	g_test_add_func("/tapped/in-order", test_in_order);
	g_test_add_func("/tapped/moved", test_moved);
	g_test_add_func("/tapped/set-back", test_set_back);
	g_test_add_func("/tapped/torn", test_torn);
	g_test_add_func("/tapped/refuses", test_refuses);
	status = leak_end(g_test_run());
	g_remove(path);
	g_rmdir(dir);
	g_free(path);
	return status;
}

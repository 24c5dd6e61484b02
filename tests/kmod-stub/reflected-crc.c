/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * CRCs by tables and by folding: the same as bit by bit, for every length and alignment, in pieces,
 * and when threads are the first to ask at the same time.
 */
#include <glib.h>

#include "kmod-stub/reflected-crc.h"
#include "kmod-stub/wire-crc.h"
#include "tests/rig/leak.h"

enum { SIZE_MAX_TESTED = 4096, ALIGNMENTS = 16, THREADS = 8 };

static struct reflected_crc crcs[3];

static void prepare_0(void)
{
	reflected_crc_prepare(&crcs[0]);
}

static void prepare_1(void)
{
	reflected_crc_prepare(&crcs[1]);
}

static void prepare_2(void)
{
	reflected_crc_prepare(&crcs[2]);
}

/* CRC-32, CRC-16 of the VCRC, and CRC-32C, to which nothing here is made to measure. */
static struct reflected_crc crcs[] = {
	{ .polynomial = 0xedb88320, .once = PTHREAD_ONCE_INIT, .prepare = prepare_0 },
	{ .polynomial = 0x0000d008, .once = PTHREAD_ONCE_INIT, .prepare = prepare_1 },
	{ .polynomial = 0x82f63b78, .once = PTHREAD_ONCE_INIT, .prepare = prepare_2 },
};

static const uint32_t starts[] = { 0xffffffff, 0x0000ffff, 0x12345678 };

/* The definition: a bit at a time. */
static uint32_t next_byte(uint32_t polynomial, uint32_t value, uint8_t byte)
{
	value ^= byte;
	for (unsigned int bit = 0; bit < 8; bit++)
		value = value & 1 ? value >> 1 ^ polynomial : value >> 1;
	return value;
}

static void fill(uint8_t *bytes, size_t size)
{
	GRand *rand = g_rand_new_with_seed(20260);

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)g_rand_int(rand);
	g_rand_free(rand);
}

static void test_every_length(void)
{
	uint8_t bytes[SIZE_MAX_TESTED];

	fill(bytes, sizeof(bytes));
	if (!reflected_crc_folds())
		g_test_message("this processor cannot fold: only the tables are tested");
	for (size_t i = 0; i < G_N_ELEMENTS(crcs); i++) {
		uint32_t right = starts[i];

		for (size_t size = 0; size <= sizeof(bytes); size++) {
			g_assert_cmphex(reflected_crc_by_table(&crcs[i], starts[i], bytes, size),
					==, right);
			g_assert_cmphex(reflected_crc_by_folding(&crcs[i], starts[i], bytes, size),
					==, right);
			g_assert_cmphex(reflected_crc_update(&crcs[i], starts[i], bytes, size), ==,
					right);
			if (size < sizeof(bytes))
				right = next_byte(crcs[i].polynomial, right, bytes[size]);
		}
	}
}

static void test_every_alignment(void)
{
	uint8_t bytes[300 + ALIGNMENTS];

	fill(bytes, sizeof(bytes));
	for (size_t i = 0; i < G_N_ELEMENTS(crcs); i++)
		for (size_t at = 0; at < ALIGNMENTS; at++) {
			uint32_t right = starts[i];

			for (size_t byte = 0; byte < 300; byte++)
				right = next_byte(crcs[i].polynomial, right, bytes[at + byte]);
			g_assert_cmphex(reflected_crc_update(&crcs[i], starts[i], bytes + at, 300),
					==, right);
		}
}

static void test_pieces(void)
{
	uint8_t bytes[300];

	fill(bytes, sizeof(bytes));
	for (size_t i = 0; i < G_N_ELEMENTS(crcs); i++) {
		uint32_t whole = reflected_crc_update(&crcs[i], starts[i], bytes, sizeof(bytes));

		for (size_t first = 0; first <= sizeof(bytes); first++) {
			uint32_t value = reflected_crc_update(&crcs[i], starts[i], bytes, first);

			g_assert_cmphex(reflected_crc_update(&crcs[i], value, bytes + first,
							     sizeof(bytes) - first), ==, whole);
		}
	}
}

/* The check values that catalogues of CRCs have, and what long runs of ones and zeros make. */
static void test_known(void)
{
	static const uint8_t digits[] = "123456789";
	uint8_t bytes[32] = { 0 };

	g_assert_cmphex(~wire_crc32(WIRE_CRC32_INIT, digits, 9), ==, 0xcbf43926);
	g_assert_cmphex(wire_crc16(digits, 9), ==, 0x0a3d);
	g_assert_cmphex(~reflected_crc_update(&crcs[2], UINT32_MAX, digits, 9), ==, 0xe3069283);
	/* RFC 3720, B.4: 32 bytes of zeros, of ones, and counting up. */
	g_assert_cmphex(~reflected_crc_update(&crcs[2], UINT32_MAX, bytes, 32), ==, 0x8a9136aa);
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		bytes[i] = 0xff;
	g_assert_cmphex(~reflected_crc_update(&crcs[2], UINT32_MAX, bytes, 32), ==, 0x62a8ab43);
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	g_assert_cmphex(~reflected_crc_update(&crcs[2], UINT32_MAX, bytes, 32), ==, 0x46dd794e);
}

/* ---- the first to ask ---- */

static struct reflected_crc shared;

static void prepare_shared(void)
{
	reflected_crc_prepare(&shared);
}

static struct reflected_crc shared = {
	.polynomial = 0xedb88320, .once = PTHREAD_ONCE_INIT, .prepare = prepare_shared,
};

static void *ask(void *bytes)
{
	return GUINT_TO_POINTER(~reflected_crc_update(&shared, UINT32_MAX, bytes, 9));
}

static void test_threads(void)
{
	uint8_t digits[] = "123456789";
	GThread *threads[THREADS];

	for (unsigned int i = 0; i < THREADS; i++)
		threads[i] = g_thread_new("crc", ask, digits);
	for (unsigned int i = 0; i < THREADS; i++)
		g_assert_cmphex(GPOINTER_TO_UINT(g_thread_join(threads[i])), ==, 0xcbf43926);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/reflected-crc/threads", test_threads);
	g_test_add_func("/reflected-crc/every-length", test_every_length);
	g_test_add_func("/reflected-crc/every-alignment", test_every_alignment);
	g_test_add_func("/reflected-crc/pieces", test_pieces);
	g_test_add_func("/reflected-crc/known", test_known);
	return leak_end(g_test_run());
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Chance: the same numbers everywhere, streams that do not disturb each other.
 */
#include <glib.h>

#include "sim/time/chance.h"
#include "tests/rig/leak.h"

/* Computed once by another implementation (in Python); they must never change. */
static void test_vectors(void)
{
	static const struct {
		uint64_t seed;
		const char *name;
		uint64_t first, second;
	} rows[] = {
		{ 0, "", UINT64_C(0x99ec5f36cb75f2b4), UINT64_C(0xbf6e1f784956452a) },
		{ 1, "", UINT64_C(0xb3f2af6d0fc710c5), UINT64_C(0x853b559647364cea) },
		{ 7, "H1[1]", UINT64_C(0x393f36636da1259d), UINT64_C(0xc5aaa51388f0e65c) },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct chance chance;

		chance_init(&chance, rows[i].seed, rows[i].name);
		g_assert_cmphex(chance_next(&chance), ==, rows[i].first);
		g_assert_cmphex(chance_next(&chance), ==, rows[i].second);
	}
}

static void test_streams_differ(void)
{
	struct chance a, b, again;

	chance_init(&a, 7, "H1[1]");
	chance_init(&b, 7, "H1[2]");
	chance_init(&again, 7, "H1[1]");
	for (unsigned int i = 0; i < 100; i++) {
		uint64_t value = chance_next(&a);

		g_assert_cmphex(value, !=, chance_next(&b));
		g_assert_cmphex(value, ==, chance_next(&again));
	}
}

static void test_below(void)
{
	unsigned int seen[7] = { 0 };
	struct chance chance;

	chance_init(&chance, 3, "below");
	for (unsigned int i = 0; i < 70000; i++)
		seen[chance_below(&chance, 7)]++;
	for (unsigned int i = 0; i < 7; i++) {
		g_assert_cmpuint(seen[i], >, 9500);
		g_assert_cmpuint(seen[i], <, 10500);
	}
	g_assert_false(chance_hits(&chance, 0, 10));
	g_assert_true(chance_hits(&chance, 10, 10));
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/chance/vectors", test_vectors);
	g_test_add_func("/chance/streams-differ", test_streams_differ);
	g_test_add_func("/chance/below", test_below);
	return leak_end(g_test_run());
}

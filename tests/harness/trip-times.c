/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Round trips, counted: percentiles of known series, exact where they can be and to a 32nd
 * elsewhere.
 */
#include <glib.h>

#include "harness/show/trip-times.h"

/* 1, 2, ... COUNT, each TIMES nanoseconds. */
static void test_series(void)
{
	static const struct {
		int64_t count, times;
	} rows[] = {
		{ 1, 7 }, { 2, 5 }, { 31, 1 }, { 100, 1 }, { 100, 1000 }, { 1000, 12345 },
		{ 10000, 60000000 }, { 3, INT64_C(1) << 60 },
	};
	static const unsigned int percents[] = { 1, 50, 90, 99, 100 };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct trip_times times = { 0 };

		/* The order does not matter. */
		for (int64_t n = rows[i].count; n > 0; n--)
			trip_times_add(&times, n * rows[i].times);
		g_assert_cmpint((int64_t)times.count, ==, rows[i].count);
		g_assert_cmpint(times.least_ns, ==, rows[i].times);
		g_assert_cmpint(times.most_ns, ==, rows[i].count * rows[i].times);
		for (size_t p = 0; p < G_N_ELEMENTS(percents); p++) {
			int64_t rank = (rows[i].count * percents[p] + 99) / 100;
			int64_t exact = rank * rows[i].times;
			int64_t found = trip_times_percentile(&times, percents[p]);

			g_assert_cmpint(found, >=, exact);
			g_assert_cmpint(found - exact, <=, exact / 32);
		}
		trip_times_clear(&times);
	}
}

static void test_none(void)
{
	struct trip_times times = { 0 };

	g_assert_cmpint(trip_times_percentile(&times, 50), ==, 0);
	trip_times_add(&times, 0);
	g_assert_cmpint(trip_times_percentile(&times, 99), ==, 0);
	trip_times_clear(&times);
	g_assert_cmpint((int64_t)times.count, ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trip-times/series", test_series);
	g_test_add_func("/trip-times/none", test_none);
	return g_test_run();
}

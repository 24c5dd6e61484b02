/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Round trips, counted: the least, the mean, percentiles, the most. Memory does not grow with their
 * number: percentiles are right to a 32nd (3 %), the others exact.
 */
#ifndef UMADRIG_HARNESS_SHOW_TRIP_TIMES_H
#define UMADRIG_HARNESS_SHOW_TRIP_TIMES_H

#include <stdint.h>

enum { TRIP_OCTAVES = 64, TRIP_STEPS = 32 };

/* All zero: none so far. */
struct trip_times {
	uint64_t count;
	int64_t sum_ns, least_ns, most_ns;
	uint32_t *octaves[TRIP_OCTAVES];	/* TRIP_STEPS counts each, or NULL */
};

void trip_times_add(struct trip_times *times, int64_t ns);
/* What 'percent' of 100 are not longer than: by the nearest rank. 0 of none. */
int64_t trip_times_percentile(const struct trip_times *times, unsigned int percent);
void trip_times_clear(struct trip_times *times);

#endif

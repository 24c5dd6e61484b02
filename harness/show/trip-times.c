/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Round trips, counted: see harness/show/trip-times.h.
 */
#include "harness/show/trip-times.h"

#include <glib.h>

enum { STEP_BITS = 5 };	/* of TRIP_STEPS */

/* Each octave is divided into TRIP_STEPS equal parts; below TRIP_STEPS a number has its own. */
static unsigned int octave_of(uint64_t ns)
{
	return ns < TRIP_STEPS ? 0 : 64 - (unsigned int)__builtin_clzll(ns) - STEP_BITS;
}

static unsigned int step_of(uint64_t ns)
{
	unsigned int octave = octave_of(ns);

	return octave == 0 ? (unsigned int)ns : (unsigned int)(ns >> (octave - 1)) - TRIP_STEPS;
}

/* The greatest number of a step. */
static uint64_t end_of(unsigned int octave, unsigned int step)
{
	return octave == 0 ? step :
	       ((uint64_t)(TRIP_STEPS + step + 1) << (octave - 1)) - 1;
}

void trip_times_add(struct trip_times *times, int64_t ns)
{
	unsigned int octave = octave_of((uint64_t)ns);

	times->least_ns = times->count ? MIN(times->least_ns, ns) : ns;
	times->most_ns = times->count ? MAX(times->most_ns, ns) : ns;
	times->sum_ns += ns;
	times->count++;
	if (!times->octaves[octave])
		times->octaves[octave] = g_new0(uint32_t, TRIP_STEPS);
	times->octaves[octave][step_of((uint64_t)ns)]++;
}

int64_t trip_times_percentile(const struct trip_times *times, unsigned int percent)
{
	uint64_t rank = (times->count * percent + 99) / 100, before = 0;

	for (unsigned int octave = 0; octave < TRIP_OCTAVES; octave++) {
		for (unsigned int step = 0; times->octaves[octave] && step < TRIP_STEPS; step++) {
			before += times->octaves[octave][step];
			if (before >= MAX(rank, 1))
				return CLAMP((int64_t)end_of(octave, step), times->least_ns,
					     times->most_ns);
		}
	}
	return 0;
}

void trip_times_clear(struct trip_times *times)
{
	for (unsigned int octave = 0; octave < TRIP_OCTAVES; octave++)
		g_free(times->octaves[octave]);
	*times = (struct trip_times){ 0 };
}

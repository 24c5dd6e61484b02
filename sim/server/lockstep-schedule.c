/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The schedule of a session: see sim/server/lockstep-schedule.h. */
#include "config.h"

#include "sim/server/lockstep-schedule.h"

#include <glib.h>

#include "lib/base/mix64.h"
#include "sim/time/chance.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Where the first priority falls: two seeds in a row, with both orders of threads, have the same
 * point, and as many such pairs as there are points have all of them. Steps of the golden ratio
 * spread the first few evenly.
 */
static uint64_t first_fall(const struct schedule *schedule)
{
	uint64_t points = schedule->points, stride = points * 618 / 1000 + 1;

	while (common_divisor(stride, points) != 1)
		stride++;
	return (schedule->seed / 2 + 1) % points * stride % points;
}

void lockstep_schedule_begin(struct lockstep_table *table, const struct schedule *schedule)
{
	struct chance chance;

	chance_init(&chance, schedule->seed, "schedule");
	table->strategy = schedule->strategy;
	table->order = schedule->seed;
	table->lowest = UINT64_C(1) << 62;
	if (schedule->strategy == SCHEDULE_PCT)
		table->falls = MIN(schedule->depth, SCHEDULE_DEPTH_MAX) - 1;
	for (uint32_t i = 0; i < table->falls; i++)
		table->fall[i] = i == 0 ? first_fall(schedule) :
					  chance_below(&chance, schedule->points);
	/* xorshift64 stays where it is at 0. */
	table->schedule = schedule->strategy == SCHEDULE_WALK ?
			  schedule->seed * MIX64_STEP : chance_next(&chance) | 1;
}

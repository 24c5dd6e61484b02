/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-way.h. */
#include "harness/explore/explore-way.h"

void explore_way_clear(void *data)
{
	struct explore_way *way = data;

	explore_verdict_clear(&way->verdict);
	explore_point_clear(&way->point);
	explore_point_clear(&way->least);
	g_clear_pointer(&way->directory, g_free);
	g_clear_pointer(&way->command, g_free);
}

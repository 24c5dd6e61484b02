/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Entering a fabric: see sim/fabric/entry.h.
 */
#include "sim/fabric/entry.h"

int fabric_enter_wary(struct umadrig_fabric *fabric)
{
	int ret;

	if (fabric_thread_is_only() && !fabric->is_watched)
		return clock_enter_alone(fabric->clock);
	ret = clock_enter_quick(fabric->clock);
	if (ret < 0)
		return ret;
	if (fabric->is_watched)
		clock_shield(fabric->clock);
	if (!fabric->options.virtual_clock)
		clock_catch_up(fabric->clock);
	return 0;
}

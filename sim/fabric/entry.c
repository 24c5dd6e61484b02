/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Into a fabric: see sim/fabric/entry.h.
 */
#include "sim/fabric/entry.h"

/* Does what happens in the fabric reach files, or functions that are not ours? */
static bool reaches_out(const struct umadrig_fabric *fabric)
{
	return fabric->capture || fabric->trace || fabric->watch || fabric->divert ||
	       fabric->replay_timed || fabric->tap_count > 0 || fabric->issm_count > 0;
}

int fabric_enter_quick(struct umadrig_fabric *fabric)
{
	int ret = clock_enter_quick(fabric->clock);

	if (ret < 0)
		return ret;
	if (reaches_out(fabric))
		clock_shield(fabric->clock);
	clock_catch_up(fabric->clock);
	return 0;
}

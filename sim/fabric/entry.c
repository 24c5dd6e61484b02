/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Into a fabric: see sim/fabric/entry.h.
 */
#include "config.h"

#include "sim/fabric/entry.h"

#ifdef HAVE_SYS_SINGLE_THREADED_H
#include <sys/single_threaded.h>
#endif

/* Does what happens in the fabric reach files, or functions that are not ours? */
static bool reaches_out(const struct umadrig_fabric *fabric)
{
	return fabric->capture || fabric->trace || fabric->watch || fabric->divert ||
	       fabric->replay_timed || fabric->tap_count > 0 || fabric->issm_count > 0;
}

/*
 * Has the process one thread? Then what it reads of the fabric is true without the lock, and stays
 * true while it is inside, unless it calls what is not ours.
 */
static inline bool is_only_thread(void)
{
#ifdef HAVE_SYS_SINGLE_THREADED_H
	return __libc_single_threaded;
#else
	return false;
#endif
}

int fabric_enter_quick(struct umadrig_fabric *fabric)
{
	int ret;

	if (is_only_thread() && !reaches_out(fabric))
		return clock_enter_alone(fabric->clock);
	ret = clock_enter_quick(fabric->clock);
	if (ret < 0)
		return ret;
	if (reaches_out(fabric))
		clock_shield(fabric->clock);
	if (!fabric->options.virtual_clock)
		clock_catch_up(fabric->clock);
	return 0;
}

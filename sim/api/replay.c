/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about replays: see sim/run/replay-fabric.h.
 */
#include <errno.h>
#include <glib.h>

#include "sim/capture/replay.h"
#include "sim/fabric/entry.h"
#include "sim/run/replay-fabric.h"
#include "sim/run/replay-timed.h"

size_t umadrig_replay_unmatched(struct umadrig_fabric *fabric)
{
	size_t unmatched;

	if (fabric_enter(fabric) < 0)
		return 0;
	unmatched = fabric->replay ? replay_unmatched(fabric->replay) : 0;
	fabric_leave(fabric);
	return unmatched;
}

void umadrig_replay_count(struct umadrig_fabric *fabric, struct umadrig_replay_counts *ret)
{
	*ret = (struct umadrig_replay_counts){ 0 };
	if (fabric_enter(fabric) < 0)
		return;
	if (fabric->replay)
		replay_count(fabric->replay, ret);
	fabric_leave(fabric);
}

void umadrig_replay_progress(struct umadrig_fabric *fabric, struct umadrig_replay_progress *ret)
{
	*ret = (struct umadrig_replay_progress){ 0 };
	if (fabric_enter(fabric) < 0)
		return;
	if (fabric->replay_timed)
		replay_timed_progress(fabric->replay_timed, ret);
	fabric_leave(fabric);
}

int umadrig_replay(struct umadrig_fabric *fabric, const struct umadrig_replay *replay, char *reterr,
		   size_t reterr_size)
{
	int ret = fabric_enter(fabric);

	if (ret < 0) {
		g_snprintf(reterr, reterr_size, "%s: the fabric is this process's parent's",
			   replay->capture);
		return ret;
	}
	ret = replay_begin(fabric, replay, reterr, reterr_size);
	fabric_leave(fabric);
	return ret;
}

int umadrig_replay_answer(struct umadrig_fabric *fabric, const char *capture, char *reterr,
			  size_t reterr_size)
{
	const struct umadrig_replay replay = { .capture = capture };

	return umadrig_replay(fabric, &replay, reterr, reterr_size);
}

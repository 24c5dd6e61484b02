/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about replays: see sim/run/replay-fabric.h.
 */
#include <errno.h>
#include <glib.h>
#include <stdio.h>

#include "sim/capture/capture.h"
#include "sim/capture/replay.h"
#include "sim/fabric/entry.h"
#include "sim/run/replay-fabric.h"

size_t umadrig_replay_unmatched(struct umadrig_fabric *fabric)
{
	size_t unmatched;

	if (fabric_enter(fabric) < 0)
		return 0;
	unmatched = fabric->replay ? replay_unmatched(fabric->replay) : 0;
	fabric_leave(fabric);
	return unmatched;
}

int umadrig_replay(struct umadrig_fabric *fabric, const struct umadrig_replay *replay, char *reterr,
		   size_t reterr_size)
{
	struct capture *capture = capture_read(replay->capture, reterr, reterr_size);
	int ret;

	if (!capture)
		return -EINVAL;
	for (char **warning = capture->warnings; *warning; warning++)
		fprintf(stderr, "%s\n", *warning);
	ret = fabric_enter(fabric);
	if (ret < 0) {
		g_snprintf(reterr, reterr_size, "%s: the fabric is this process's parent's",
			   replay->capture);
		capture_free(capture);
		return ret;
	}
	ret = replay_begin(fabric, capture, replay, reterr, reterr_size);
	fabric_leave(fabric);
	return ret;
}

int umadrig_replay_answer(struct umadrig_fabric *fabric, const char *capture, char *reterr,
			  size_t reterr_size)
{
	const struct umadrig_replay replay = { .capture = capture };

	return umadrig_replay(fabric, &replay, reterr, reterr_size);
}

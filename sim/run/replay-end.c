/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of a replay: see sim/run/replay-end.h.
 */
#include "sim/run/replay-end.h"

#include <stdio.h>

#include "sim/capture/replay.h"
#include "sim/fabric/fabric.h"
#include "sim/run/replay-expiry.h"
#include "sim/run/replay-sender.h"
#include "sim/run/replay-timed.h"

static void print_summary(const struct umadrig_fabric *fabric)
{
	struct umadrig_replay_counts counts;

	replay_count(fabric->replay, &counts);
	fprintf(stderr, "%s: requests answered as captured: %zu exactly, %zu nearly (from another "
		"requester, or in another form of the address); unanswered in the capture, too: "
		"%zu; not in the capture: %zu\n",
		fabric->name, counts.exact, counts.near, counts.silent, counts.unmatched);
	if (counts.lacking || counts.stopped)
		fprintf(stderr, "%s: captured answers in segments (RMPP) that are not replayed: "
			"%zu lack segments, %zu were stopped before their end\n", fabric->name,
			counts.lacking, counts.stopped);
}

static void print_progress(const struct umadrig_fabric *fabric)
{
	struct umadrig_replay_progress progress;

	replay_timed_progress(fabric->replay_timed, &progress);
	fprintf(stderr, "%s: MADs that arrived at their times: %zu; that were still to come: %zu; "
		"that the capture has of other ports, or as sent from this one: %zu\n",
		fabric->name, progress.arrived, progress.left, progress.others);
}

void replay_end(struct umadrig_fabric *fabric)
{
	if (fabric->replay && fabric->options.replay.summary)
		print_summary(fabric);
	if (fabric->replay_timed && fabric->options.replay.summary)
		print_progress(fabric);
	fabric->opened = NULL;
	replay_expiry_clear(fabric);
	replay_sender_free(fabric->replay_sender);
	fabric->replay_sender = NULL;
	replay_free(fabric->replay);
	fabric->replay = NULL;
	replay_timed_free(fabric->replay_timed);
	fabric->replay_timed = NULL;
	fabric_watch_changed(fabric);
}

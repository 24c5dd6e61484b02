/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as a trace that Perfetto (ui.perfetto.dev) opens: TrackEvent packets. Each port has a
 * track; a request that waits for its answer is a slice on a track below it, named after the MAD;
 * each MAD is an arrow (a flow) from the port that sent it to the one that it is for; a counter
 * below each port says how many of its requests are waiting. Timestamps are nanoseconds since the
 * first frame. A capture says when a MAD left, not when it arrived: both ends have that time.
 *
 * At most PERFETTO_WAITING_MAX requests are held; the one that has been waiting longest is ended
 * where there are more, with "(not answered)", as those are that wait at the end of the capture.
 */
#ifndef UMADRIG_HARNESS_SHOW_PERFETTO_H
#define UMADRIG_HARNESS_SHOW_PERFETTO_H

#include "harness/show/view.h"

#define PERFETTO_WAITING_MAX 65536

extern const struct view_kind perfetto_view;

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Several explorations become one.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_MERGE_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_MERGE_H

#include "harness/explore/explore-store.h"

/* One of them; all parts begun. */
struct explore_whole {
	struct explore_state state;
	struct explore_guide guide;
	struct explore_report report;
};

/*
 * Adds what 'from' has to 'to': runs are counted together, a failure that both have is there once,
 * with the smaller example. What 'from' has is moved where that is needed; it is to be ended by the
 * caller.
 */
void explore_merge(struct explore_whole *to, struct explore_whole *from);

/*
 * Copies what is kept of each failure into 'path', where the reports' failures are then. False: an
 * error.
 */
bool explore_merge_copy(struct explore_report *report, const char *path, GError **error);

#endif

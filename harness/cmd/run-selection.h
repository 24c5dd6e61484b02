/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which points umadrig run runs, and in which order.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_SELECTION_H
#define UMADRIG_HARNESS_CMD_RUN_SELECTION_H

#include "harness/cmd/run-options.h"
#include "harness/script/check/plan.h"

/* One test point. */
struct selected {
	const struct script *script;
	const struct point *point;	/* NULL: the script has errors, which are its only point */
	char *capture;			/* what its capture is called; NULL: it has none */
};

/*
 * The points of 'plans' (of struct plan *) that have one of the tags given and are in the sample:
 * GArray of struct selected, to be unref'd. A script with errors is always selected. What captures
 * are called does not depend on which points are selected.
 */
GArray *run_selection_new(const GPtrArray *plans, const struct run_options *options);

/*
 * Is there a point for each of the tags given, and one at all? Returns -1, or COMMAND_BAIL_OUT
 * after an error that lists what there is: what selects nothing must not look like a success.
 */
int run_selection_refuse(const GArray *selection, const GPtrArray *plans,
			 const struct run_options *options, const char *name);

#endif

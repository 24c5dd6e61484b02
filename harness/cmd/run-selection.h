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
	const char *issue;		/* why it is expected to fail; NULL: it is not */
	unsigned int issue_line;	/* where --expected-failures says so */
};

/*
 * The points of 'plans' (of struct plan *) that have one of the tags given and are in the sample:
 * GArray of struct selected, to be unref'd. A script with errors is always selected. What captures
 * are called does not depend on which points are selected.
 */
GArray *run_selection_new(const GPtrArray *plans, const struct run_options *options);

/*
 * Keeps those points that are in this run's part of the whole (--shard): every Nth. Each point is
 * in exactly one part.
 */
void run_selection_shard(GArray *selection, const struct run_options *options);

/* Fills 'order' (of guint) with the indices 0, 1, ..., as they are to run in this round. */
void run_selection_order(GArray *order, const struct run_options *options, guint round);

/*
 * Is there a point for each of the tags given, and one at all? Returns -1, or COMMAND_BAIL_OUT
 * after an error that lists what there is: what selects nothing must not look like a success.
 */
int run_selection_refuse(const GArray *selection, const GPtrArray *plans,
			 const struct run_options *options, const char *name);

#endif

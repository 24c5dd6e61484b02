/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs, several at a time, and their results in order.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_CREW_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_CREW_H

#include "harness/explore/explore-orders.h"
#include "harness/explore/explore-verdict.h"

struct explore_result {
	unsigned int at;	/* which run, from 0 */
	struct explore_point point;
	struct explore_verdict verdict;
	struct explore_orders orders;
	GHashTable *traits;	/* harness/explore/explore-traits.h; NULL: not wanted */
	uint64_t met;		/* explore_verdict_met() */
	uint64_t instants;	/* explore_run_instants() */
	uint64_t points;	/* of struct lockstep_end */
	char *directory;	/* of its run; removed afterwards unless the taker moves it away */
};

struct explore_crew {
	const struct explore_test *test;
	unsigned int jobs;
	unsigned int first, end;	/* the runs: from 'first' on, and 'end' no more */
	unsigned int step;	/* each so many of them; 0: 1 */
	bool wants_traits;
	const char *prefix;	/* of their directories' names; a number of six digits follows */
	void *ctx;
	/* The point of run 'at'; the crew frees it. */
	struct explore_point (*point)(void *ctx, unsigned int at);
	/* Takes a result, in the order of the runs. False: no more are wanted. */
	bool (*take)(void *ctx, struct explore_result *result);
};

/*
 * Does all runs. Returns 0, -errno if one cannot be started, or -EINTR: a signal ended it, which
 * '*ret_sig' then is. What still ran when no more were wanted has been ended.
 */
int explore_crew_work(const struct explore_crew *crew, int *ret_sig);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A search for less that fails in the same way, in steps. A step is a list of points, the smallest
 * first; the first of them that fails in the same way is where the next step begins.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_SEARCH_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_SEARCH_H

#include "harness/explore/explore-crew.h"

struct explore_shrunk {
	struct explore_point point;	/* the least that was found */
	unsigned int runs;		/* that it took */
	bool is_less;			/* less than what there was */
};

struct explore_search {
	const struct explore_test *test;
	const struct explore_verdict *verdict;	/* of what failed */
	const char *directory;	/* what came of the least is there, if is_less */
	unsigned int jobs;
	GArray *points;		/* of struct explore_point: the step's */
	bool is_found;
	unsigned int found_at;	/* which of them, if is_found */
	struct explore_shrunk *shrunk;
	int err, *sig;
};

/* Adds a point to the step; what '*point' has is then the search's. */
void explore_search_add(struct explore_search *search, const struct explore_point *point);
/* Tries the points of a step, and empties it. True: one of them fails in the same way. */
bool explore_search_step(struct explore_search *search);

#endif

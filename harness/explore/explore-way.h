/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A way in which runs have failed, and its example.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_WAY_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_WAY_H

#include "harness/explore/explore-verdict.h"

struct explore_way {
	struct explore_verdict verdict;
	unsigned int first, count;	/* the first run, from 1; and how many of them */
	struct explore_point point;	/* of the first one */
	struct explore_point least;	/* what it was shrunk to; its faults are NULL: nothing */
	char *directory;		/* where the least is kept; NULL: it is not known yet */
	char *command;			/* that repeats it; or NULL */
};

/* 'way': a struct explore_way, whose parts are freed. */
void explore_way_clear(void *way);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A schedule as the switches that it takes: where a thread did not run in order. Those of a run
 * that failed are tried alone, which repeats the run, and then fewer and fewer of them.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_SWITCHES_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_SWITCHES_H

#include "harness/explore/explore-search.h"

/* A schedule that needs more than these stays what it is. */
enum { EXPLORE_SWITCHES_MAX = 64 };

/* Looks for fewer, from the point that the search has got to; 'directory' has what came of it. */
void explore_switches_shrink(struct explore_search *search, const char *directory);

/*
 * What threads did at each of them, in the run that is kept there, for people: lines, to be freed
 * with the array.
 */
GPtrArray *explore_switches_read(const char *directory);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Less that fails in the same way: without a schedule of its own, without each of the faults, with
 * each fault on as few packets as will do, and then with as few switches between threads.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_SHRINK_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_SHRINK_H

#include "harness/explore/explore-search.h"

/*
 * Looks for it. What came of the last run that failed is then in 'directory', as in
 * explore_result. Returns 0, or as explore_crew_work(); '*ret' is to be cleared in any case.
 */
int explore_shrink(const struct explore_test *test, unsigned int jobs,
		   const struct explore_result *failure, const char *directory,
		   struct explore_shrunk *ret, int *ret_sig);
void explore_shrunk_clear(struct explore_shrunk *shrunk);

#endif

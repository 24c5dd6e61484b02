/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What options of umadrig explore say of each run.
 */
#ifndef UMADRIG_HARNESS_CMD_EXPLORE_TEST_H
#define UMADRIG_HARNESS_CMD_EXPLORE_TEST_H

#include "harness/cmd/explore-options.h"
#include "harness/explore/explore-run.h"

/*
 * Takes what they say, whose strings stay the caller's, and the command, in test->argv, which may
 * be NULL: then it is the plan's. Messages name test->name. COMMAND_OK, or an exit status. To be
 * cleared in any case.
 */
int explore_test_take(struct explore_test *test, struct explore_options *options);
void explore_test_clear(struct explore_test *test);

#endif

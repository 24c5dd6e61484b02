/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which scenarios are meant by tags, and lists of them on stdout: umadrig run --list.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_LIST_H
#define UMADRIG_HARNESS_CMD_RUN_LIST_H

#include "harness/script/check/plan.h"

/* Has the point one of 'tags' (NULL: all have), of its scenario or its row, "X:7" for "X" too? */
bool point_has_tag(const struct point *point, char **tags);

/*
 * Prints the points of 'plans' (of struct plan *) in the world 'on_sim' says, a line each.
 * With one tag that has numbers: the points that cover each number.
 */
void run_list(const GPtrArray *plans, bool on_sim, char **tags);

#endif

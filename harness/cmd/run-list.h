/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Selects scenarios by tag, and lists them on stdout: umadrig run --list.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_LIST_H
#define UMADRIG_HARNESS_CMD_RUN_LIST_H

#include "harness/script/check/plan.h"

/*
 * Does the point, by its scenario or its row, have one of 'tags'? "X:7" matches "X" too; NULL
 * matches all points.
 */
bool point_has_tag(const struct point *point, char **tags);

/*
 * Prints the points of 'plans' (of struct plan *), a line each, in the world that 'on_sim' selects.
 * With one tag that has numbers, prints the points that cover each number.
 */
void run_list(const GPtrArray *plans, bool on_sim, char **tags);

#endif

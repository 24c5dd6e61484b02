/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Expansion: turns a scenario into test points, each a flat list of lines.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_EXPAND_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_EXPAND_H

#include "harness/script/check/plan.h"

/*
 * The points of a scenario in the world that 'on_sim' selects: a GPtrArray of struct point *, to be
 * freed with g_ptr_array_unref(); their lines belong to the plan. What cannot be expanded is
 * diagnosed.
 */
GPtrArray *scenario_expand(struct plan *plan, const struct plan_scenario *scenario, bool on_sim);

/* Does the scenario have 'on' blocks? Otherwise its points are the same in both worlds. */
bool scenario_worlds_differ(const struct scenario *scenario);

#endif

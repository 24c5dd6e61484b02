/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: from tree to plan.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_CHECK_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_CHECK_H

#include "harness/script/check/plan.h"

/*
 * Expands every scenario for both worlds and checks names, types, bindings, values, times. Errors
 * go to script->diagnostics; if there are none there, including those of the parser, the plan is
 * ready to run. Never NULL; to be freed with plan_free(), before the script.
 *
 * A topology that is of no use is no error of the script: its scenario alone cannot run
 * (plan_scenario.objection).
 */
struct plan *script_check(const struct script *script);

/* Makes those errors of the script after all, for those who want to hear of everything at once. */
void plan_diagnose_objections(const struct plan *plan);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is right in a script, and yet hardly meant: names that nothing uses, events that never
 * happen, settings that another line replaces. Only what is certain.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_LINT_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_LINT_H

#include "harness/script/check/plan.h"

/* Adds warnings to the script's diagnostics; 'plan' is its plan, and neither has errors. */
void script_lint(struct script *script, const struct plan *plan);

#endif

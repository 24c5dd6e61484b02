/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the lines of a point would change in a fabric that others use.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_CHANGES_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_CHANGES_H

#include "harness/script/check/plan.h"

/*
 * What the line of a point would change (sim/dictionary/mad-change.h): MADs that A sends or that
 * B's agent sends to A, the IsSM bit; and what cannot be known before it runs, or is broken on
 * purpose (mut=). NULL: nothing; else to be freed.
 */
char *step_change(const struct point *point, const struct plan_step *step);

#endif

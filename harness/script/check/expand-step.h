/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of scenarios as steps of a point.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_EXPAND_STEP_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_EXPAND_STEP_H

#include "harness/script/check/expand-expr.h"

/*
 * An expression of a step: the row's cells filled in (and, where it is a cell, expanded itself).
 * False: diagnosed.
 */
bool expand_in_step(struct expander *expander, const struct expr **expr);

/* Appends a line to the steps of the point; or diagnoses it. */
void expand_step(struct expander *expander, const struct step *line);

#endif

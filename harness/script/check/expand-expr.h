/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Expressions with their names replaced.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_EXPAND_EXPR_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_EXPAND_EXPR_H

#include "harness/script/check/plan.h"
#include "harness/script/check/vary.h"

/* What is being expanded. */
struct expander {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *label;		/* of the script */
	const struct plan_scenario *plan;
	const struct scenario *scenario;
	bool on_sim;
	struct bindings row;
	struct bindings varied;	/* visible everywhere, in defines too */
	GPtrArray *steps;
	unsigned int depth;
	size_t *work;		/* the plan's */
};

/* Counts one more expansion for 'place'; reports once that there are too many, or too deep ones. */
bool expander_has_room(struct expander *expander, struct place place);

/* 'expr' with bound names replaced and the first 'defines' expanded; NULL: diagnosed. */
const struct expr *expand_expr(struct expander *expander, const struct expr *expr,
			       const struct bindings *bindings, guint defines);

/* The same of a MAD. */
struct mad_expr *expand_mad(struct expander *expander, const struct mad_expr *mad,
			    const struct bindings *bindings, guint defines);

#endif

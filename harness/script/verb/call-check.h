/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls as the checker resolves them, for lines that make or start a call.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_CALL_CHECK_H
#define UMADRIG_HARNESS_SCRIPT_VERB_CALL_CHECK_H

#include "harness/script/check/checker.h"
#include "harness/script/verb/call-table.h"

/* A call, resolved. */
struct call_plan {
	const struct call_kind *kind;
	struct call_args args;
	const struct mad_pattern *mad;		/* what it sends, or NULL */
};

/* Fills in 'ret'. NULL: diagnosed. */
const struct call_kind *check_call_args(struct checker *checker, const struct call_expr *call,
					struct call_plan *ret);

#endif

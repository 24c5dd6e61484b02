/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a call tells besides its value, as NAME=VALUE behind it:
 *
 *	umad_get_ca($CA) = 0, numports=1 node_type=1 ca_name="sim0"
 *
 * A fact is a number, a text or a list of them: names={"sim0", "sim1"}.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_CALL_FACT_H
#define UMADRIG_HARNESS_SCRIPT_VERB_CALL_FACT_H

#include "harness/script/check/checker.h"
#include "harness/script/run/run.h"

/* How a fact is written. */
enum fact_form {
	FACT_DECIMAL,
	FACT_HEX,
	FACT_TEXT,
	FACT_GID,	/* text of which only the address counts: "fe80::1" */
};

/* A fact that a call may tell; a table of them ends with a NULL name. Each has 'errno', too. */
struct fact_kind {
	const char *name;
	enum fact_form form;
};

/* The facts of one call that was made, in any order. */
struct facts;

struct facts *facts_new(void);
/* NULL is allowed. */
void facts_free(struct facts *facts);

/*
 * Adds a value to the fact 'name', which is a list if it has another number than one. The text is
 * copied; NULL is "".
 */
void facts_add_number(struct facts *facts, const char *name, uint64_t number);
void facts_add_text(struct facts *facts, const char *name, const char *text);

/*
 * Checks NAME=VALUE... ('told', may be NULL) of 'call', which may tell 'kinds', and binds what a
 * ?name captures.
 */
void check_facts(struct checker *checker, const char *call, const struct fact_kind *kinds,
		 const struct mad_expr *told);

/* Compares them with what the call told (NULL: nothing), and captures; fails the run. */
void expect_facts(struct run *run, const struct plan_step *step, const char *call,
		  const struct fact_kind *kinds, const struct mad_expr *told,
		  const struct facts *facts);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs on the fabric, for 'run' and for the lines that start one and tell of its end.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_PROGRAM_H
#define UMADRIG_HARNESS_SCRIPT_VERB_PROGRAM_H

#include "harness/script/check/checker.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/run.h"

/* What follows 'run'; 'name': what it is started as, or NULL. NULL: diagnosed. */
struct step *parse_program(struct parser *parser, const struct token *name);

/* How it must end: a status, lines=, prints=. */
void check_program_result(struct checker *checker, const struct result_expr *result);

/* The program that 'started' has started is over in the window of 'step', and has ended so. */
void run_program_end(struct run *run, const struct plan_step *step,
		     const struct plan_step *started, const struct result_expr *result);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs on the fabric, for 'run' and for the lines that start and end one.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_PROGRAM_H
#define UMADRIG_HARNESS_SCRIPT_VERB_PROGRAM_H

#include "harness/script/check/checker.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/run.h"

/*
 * Parses what follows 'run'; 'name' is the name that the program is started as, or NULL. NULL:
 * diagnosed.
 */
struct step *parse_program(struct parser *parser, const struct token *name);

/* Checks how it must end: a status, lines=, prints=. */
void check_program_result(struct checker *checker, const struct result_expr *result);

/*
 * Checks that the program that 'started' has started ends in the window of 'step', and as the line
 * expects.
 */
void run_program_end(struct run *run, const struct plan_step *step,
		     const struct plan_step *started, const struct result_expr *result);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs on the fabric, and what becomes of its cables and nodes meanwhile:
 *
 *	0        start sm = run opensm -f osm.log
 *	0~20s    run saquery -N = 0, lines=5 prints="H1"
 *	+0       link down "S1[1]"
 *	+0       stop sm
 *	+0~+5s   end sm = 0
 *
 * Parsing and checking the lines are declared where the parser's and checker's insides are.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_PROGRAM_H
#define UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_PROGRAM_H

#include "harness/script/run/script-run.h"

/* The program of a STEP_RUN. */
const char *program_name(const struct step *step);

void run_program(struct run *run, const struct step *step);
void run_stop(struct run *run, const struct step *step);
void run_link(struct run *run, const struct step *step);

/* STEP_END: false where it does not name a program. */
bool programs_end(struct run *run, const struct step *step);

/* Ends those that still run, and takes their directory away. */
void programs_free(struct run *run);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that lines have started on the fabric.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_PROGRAMS_H
#define UMADRIG_HARNESS_SCRIPT_RUN_PROGRAMS_H

#include "harness/script/run/run.h"
#include "kmod-stub/event.h"

/* Asks a program to end: SIGTERM, for its group. */
void program_stop(struct run *run, struct world_program *program);

/* How often to check whether a program has ended, in real time. */
#define PROGRAM_LOOK_NS (10 * NS_PER_MS)

struct run_program {
	const struct plan_step *step;	/* the line that started it */
	const char *name;		/* the program's */
	struct place place;		/* of that name */
	char *session;			/* what the fabric knows it and its descendants by */
	bool must_open;			/* one of them has to open the fabric */
	struct world_program *running;	/* NULL: it is over, or was never started */
};

/* A program of the line 'step', which is not running yet. It is the run's. */
struct run_program *program_add(struct run *run, const struct plan_step *step);
/* At the end: fails for the first program that had to open the fabric, and never did. */
void programs_check_use(struct run *run);

/* The program that 'step' has started, or NULL. */
struct run_program *program_find(struct run *run, const struct plan_step *step);

/* Asks the program to end, waits a little, and frees it. NULL is allowed. */
void program_end(struct run *run, struct world_program *program);

/* Ends the programs that still run and what any has left behind, and removes their directory. */
void programs_free(struct run *run);

#endif

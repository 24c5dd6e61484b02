/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that lines have started on the fabric.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_PROGRAMS_H
#define UMADRIG_HARNESS_SCRIPT_RUN_PROGRAMS_H

#include "harness/script/run/run.h"
#include "kmod-stub/event.h"

/* How often it is looked whether a program is over. */
#define PROGRAM_LOOK_NS (10 * NS_PER_MS)

struct run_program {
	const struct plan_step *step;	/* that started it */
	struct world_program *running;
};

/* The one that 'step' has started, or NULL. */
struct run_program *program_find(struct run *run, const struct plan_step *step);

/* Asks it to end, waits a little, and frees it. NULL is allowed. */
void program_end(struct run *run, struct world_program *program);

/* Ends those that still run, and takes their directory away. */
void programs_free(struct run *run);

#endif

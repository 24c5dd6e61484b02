/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig record with a name in .mad: a scenario of what a program, or a captured port, did.
 */
#ifndef UMADRIG_HARNESS_CMD_RECORD_SCENARIO_H
#define UMADRIG_HARNESS_CMD_RECORD_SCENARIO_H

#include "harness/exec/exec.h"

struct record_scenario {
	const char *name;	/* of the command, for messages */
	const char *path;	/* the scenario to be made; its name ends in .mad */
	const char *spec;	/* the fabric and its options (sim/run/spec.h) */
	/*
	 * "H1[1]", or "A=LID 5", "B=LID 7": whose MADs, and who answers; NULL-terminated. NULL: of
	 * the port that asks most.
	 */
	char *const *ports;
	const char *from;	/* a capture or a bundle; NULL: 'job' is run */
	uint64_t size_max;	/* of it, as of capture_read_within() */
	const struct exec_job *job;
	/* Runs a program as umadrig exec does. An exit status. */
	int (*run)(void *ctx, const struct exec_job *job);
	void *ctx;
};

/* Is 'path' the name of a scenario? */
bool record_is_scenario(const char *path);

/* Makes it, and runs it once to see that it passes. An exit status. */
int record_scenario(const struct record_scenario *record);

#endif

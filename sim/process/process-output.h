/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that are run to their end, and what they print.
 */
#ifndef UMADRIG_SIM_PROCESS_PROCESS_OUTPUT_H
#define UMADRIG_SIM_PROCESS_PROCESS_OUTPUT_H

#include "sim/process/process-spawn.h"

enum { OUTPUT_MAX = 4 << 20 };	/* bytes that are kept of each; the rest is read and forgotten */

/* To be freed by output_clear(); what a caller keeps of it, by g_free(). */
struct output {
	char *printed;		/* to its standard output */
	char *errors;		/* to its standard error, or "" if 'spawn' says where that goes */
};

/*
 * Runs a program until it has ended, however long that takes: its status as of waitpid(2), and what
 * it has printed until then. What it has left behind may hold its descriptors open, and is not
 * waited for. 'spawn->output' is not looked at, nor is 'spawn->errors' if that is 0. -errno: it
 * could not be started, or another has waited for it; there is no output then.
 */
int output_take(const struct spawn *spawn, struct output *ret);
void output_clear(struct output *output);

#endif

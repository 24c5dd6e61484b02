/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The programs of a fabric, for code below those who know them: a server's, in virtual time
 * (sim/server/served-fabric.c).
 */
#ifndef UMADRIG_SIM_FABRIC_FABRIC_PROGRAMS_H
#define UMADRIG_SIM_FABRIC_FABRIC_PROGRAMS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A command has ended: its status as of waitpid(2), and the last line that it has printed. */
typedef void fabric_told_fn(void *ctx, int status, const char *said);

/* Lock held, while all programs wait. */
struct fabric_programs {
	/*
	 * Sends a signal to the programs of a name: how many, or -errno with the reason in 'why'.
	 */
	int (*signal)(void *ctx, const char *name, int sig, GString *why);
	/*
	 * Has each of them no more than so many bytes of memory of its own? If not, the first one
	 * that has more is appended to 'why' (may be NULL).
	 */
	bool (*are_small)(void *ctx, uint64_t bytes, GString *why);
	/*
	 * Commands will be started: to be called while the session is being made. 0; or -EOPNOTSUPP
	 * with the reason in 'why': it has been, and nobody is there who could.
	 */
	int (*expect)(void *ctx, GString *why);
	/*
	 * Starts a command of the shell among the programs: a number from 1, or -errno with the
	 * reason in 'why'. 'told' is called when it has ended, unless that is NULL.
	 */
	int64_t (*start)(void *ctx, const char *command, fabric_told_fn *told, void *told_ctx,
			 GString *why);
	/* What becomes of a command that was started so is not asked any more. */
	void (*forget)(void *ctx, int64_t number);
};

#endif

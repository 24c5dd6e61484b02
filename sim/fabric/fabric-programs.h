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
};

#endif

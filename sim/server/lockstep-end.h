/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the programs of a session in virtual time leave in the table, when they have ended.
 */
#ifndef UMADRIG_SIM_SERVER_LOCKSTEP_END_H
#define UMADRIG_SIM_SERVER_LOCKSTEP_END_H

#include "lib/lockstep/table.h"

enum { LOCKSTEP_WAITS_SIZE = 512 };

struct lockstep_end {
	uint64_t points;	/* that the threads were at (lib/lockstep/strategy.h) */
	/*
	 * What threads wait for where the session ended before them, each kind once for each
	 * program: "opensm for mutex, time; sh for a child's end"; "": none does.
	 */
	char waits[LOCKSTEP_WAITS_SIZE];
	char runs[LOCKSTEP_NAME_SIZE];	/* the program that has the baton then; "": none */
	uint32_t crashes;	/* used entries of crash */
	struct lockstep_crash crash[LOCKSTEP_CRASHES];
};

/*
 * Copies of the table what the next function reads, while programs run; async-signal-safe.
 */
void server_lockstep_end_copy(const struct lockstep_table *table, struct lockstep_table *ret);
/* Reads it of the table, which programs can write, and cleans it. */
void server_lockstep_end_read(const struct lockstep_table *table, struct lockstep_end *ret);
/* The same; what waits and runs is that of the copy, unless it is NULL. */
void server_lockstep_end_read_both(const struct lockstep_table *table,
				   const struct lockstep_table *copy, struct lockstep_end *ret);
/* Has all numbers within their bounds, and all texts printable. */
void server_lockstep_end_clean(struct lockstep_end *end);

#endif

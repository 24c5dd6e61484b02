/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the threads of a session in virtual time did not run in order, and where they are not to:
 * lib/words/schedule-switch.h.
 */
#ifndef UMADRIG_SIM_SERVER_LOCKSTEP_SWITCHES_H
#define UMADRIG_SIM_SERVER_LOCKSTEP_SWITCHES_H

#include "lib/lockstep/table.h"

/* How many the text of switches= has; NULL has none. */
unsigned int lockstep_switches_count(const char *text);
/* Has the session make them; of more than LOCKSTEP_SWITCHES, the first ones. */
void lockstep_switches_begin(struct lockstep_table *table, const char *text);

/*
 * A line for each that a session has made, in order of time, to be freed: its text, the program
 * that chose, what that waited for, and the one that ran instead, with tabs between them. NULL:
 * they were more than are noted. Programs can write the table: what is read is within bounds.
 */
char *lockstep_switches_end(const struct lockstep_table *table);

#endif

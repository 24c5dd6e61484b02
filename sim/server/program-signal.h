/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signals that a fabric sends to the programs on it: "signal opensm KILL".
 */
#ifndef UMADRIG_SIM_SERVER_PROGRAM_SIGNAL_H
#define UMADRIG_SIM_SERVER_PROGRAM_SIGNAL_H

#include <glib.h>

struct lockstep_table;
struct server_lockstep;

/*
 * Sends a signal to the programs of a session in virtual time that have this name (as in
 * /proc/PID/comm), while all of them wait: those that are killed have ended afterwards, others take
 * it when they are next. How many; -ESRCH, and 'why', if there is none.
 */
int program_signal(struct server_lockstep *lockstep, const char *name, int sig, GString *why);

/*
 * A process has been sent a signal: one of its threads that waits and does not block it takes it,
 * as lib/lockstep/baton.c chooses. While all wait.
 */
void program_signal_wake(struct lockstep_table *table, int pid, int sig);

#endif

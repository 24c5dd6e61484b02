/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signals that a fabric sends to the programs on it: "signal opensm KILL".
 */
#ifndef UMADRIG_SIM_SERVER_PROGRAM_SIGNAL_H
#define UMADRIG_SIM_SERVER_PROGRAM_SIGNAL_H

#include <glib.h>

struct server_lockstep;

/*
 * Sends a signal to the programs of a session in virtual time that have this name (as in
 * /proc/PID/comm), while all of them wait: those that are killed have ended afterwards, others take
 * it when they are next. How many; -ESRCH, and 'why', if there is none.
 */
int program_signal(struct server_lockstep *lockstep, const char *name, int sig, GString *why);

#endif

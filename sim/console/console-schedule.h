/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of the console that are carried out later, once or again and again, when the fabric's time
 * has come there: links that flap, nodes that lose power at night.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_SCHEDULE_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_SCHEDULE_H

#include "sim/console/console.h"

/*
 * Carries out 'line', which has been checked, 'first_ns' from now, and then each 'every_ns' (0:
 * not again), 'times' times in all (0: without an end), as part of entry 'id' (0: of a new one).
 * Its id.
 */
int schedule_add(struct console *console, const char *line, int64_t first_ns, int64_t every_ns,
		 uint64_t times, int id);

/* Checks words from 'from' on as a line for later: to be freed; NULL with an error. */
char *schedule_line(struct console *console, const struct console_words *words, unsigned int from);

/*
 * May Start have a command, now or later? The session is to be able to do it then. 0, or a
 * negative errno with an error.
 */
int schedule_expect_start(struct console *console);

/* Ends what is done again and again. */
void schedule_end_repeated(struct umadrig_fabric *fabric);

/* Ends and frees all entries. */
void schedule_clear(struct umadrig_fabric *fabric);

#endif

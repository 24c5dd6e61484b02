/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Exceptions to a schedule in order: where a thread lets another one run that it would not be
 * otherwise. What is returned: lib/words/number.h.
 *
 *	1001.1@17:1001.3	at the 17th choice of thread 1 of process 1001, thread 3 of it runs
 *
 * Choices: lib/lockstep/strategy.h. A list of them has a '+' between each two.
 */
#ifndef UMADRIG_LIB_WORDS_SCHEDULE_SWITCH_H
#define UMADRIG_LIB_WORDS_SCHEDULE_SWITCH_H

#include <stdint.h>

enum { SCHEDULE_SWITCH_SIZE = 80 };	/* of its text, with the terminator */

struct schedule_switch {
	uint32_t pid, thread;		/* which chooses; the number of a thread in its process */
	uint32_t next_pid, next_thread;	/* which runs */
	uint64_t choice;		/* of that thread, from 1 */
};

/* Takes the one that '*at' begins with and the '+' behind it, and moves '*at' behind them. */
int schedule_switch_take(const char **at, struct schedule_switch *ret);
/* The text without a '+', in 'text'. */
const char *schedule_switch_text(const struct schedule_switch *one,
				 char text[SCHEDULE_SWITCH_SIZE]);
/* By process, thread and choice: less than 0, 0, or more, as of strcmp(3). */
static inline int schedule_switch_compare(const struct schedule_switch *a,
					  const struct schedule_switch *b)
{
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->choice > b->choice) - (a->choice < b->choice);
}

#endif

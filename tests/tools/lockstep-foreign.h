/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the files of lockstep-foreign share: what is printed, and its parts in other files.
 */
#ifndef UMADRIG_TESTS_TOOLS_LOCKSTEP_FOREIGN_H
#define UMADRIG_TESTS_TOOLS_LOCKSTEP_FOREIGN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <stdio.h>
#include <time.h>

/* Since the session's start, in us: the machine is then up for 1000 s. */
static inline long now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (at.tv_sec - 1000) * 1000000L + at.tv_nsec / 1000;
}

static inline void say(const char *what, long value)
{
	printf("%ld %s %ld\n", now(), what, value);
	fflush(stdout);
}

static inline void pause_us(long us)
{
	const struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

/* Counts a signal from now on; sigaction(2)'s flags. */
void handle(int sig, int flags);

/* tests/tools/lockstep-foreign-shared.c */
void part_shared(void);
void part_files(void);
void part_locks(void);
void part_semaphores(void);
void part_queues(void);

/* tests/tools/lockstep-foreign-signals.c */
void part_senders(void);
void part_deaths(void);
void part_interests(void);
void part_terminals(void);
void part_refusals(void);
void part_paths(void);
void part_cancel(void);
void part_sessions(void);
void part_rests(void);

/* tests/tools/lockstep-foreign-children.c */
void part_children(void);
void part_many(void);

/* tests/tools/lockstep-foreign-splices.c */
void part_splices(void);

/* tests/tools/lockstep-foreign-notices.c */
void part_notices(void);

/* tests/tools/lockstep-foreign-messages.c */
void part_messages(void);

/* tests/tools/lockstep-foreign-connections.c */
void part_connections(void);

#endif

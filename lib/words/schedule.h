/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Schedules: which of several threads that can run does so next. What is returned:
 * lib/words/number.h.
 *
 *	0			in order: the one that has been able to run for longest
 *	7, walk:7		a random walk with seed 7
 *	pct:7:3:500		probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010):
 *				with seed 7, for bugs of depth 3, among 500 points
 *	pct:7:3, pct:7		the same with the usual number of points, and depth
 *	pos:7			partial order sampling (Yuan et al., CAV 2018) with seed 7
 */
#ifndef UMADRIG_LIB_WORDS_SCHEDULE_H
#define UMADRIG_LIB_WORDS_SCHEDULE_H

#include <stdint.h>

enum {
	SCHEDULE_DEPTH = 3,		/* the usual one */
	SCHEDULE_DEPTH_MAX = 16,
	SCHEDULE_POINTS = 1000,		/* the usual number */
	SCHEDULE_TEXT_SIZE = 64,	/* with the terminator */
};

enum schedule_strategy {
	SCHEDULE_IN_ORDER,
	SCHEDULE_WALK,
	SCHEDULE_PCT,
	SCHEDULE_POS,
};

struct schedule {
	enum schedule_strategy strategy;
	uint64_t seed;		/* of SCHEDULE_IN_ORDER: 0; of SCHEDULE_WALK: not 0 */
	/* Of SCHEDULE_PCT: */
	unsigned int depth;	/* from 1; one less is how often a thread's priority falls */
	uint64_t points;	/* from 1: among so many first ones are those where it does */
};

/* A random walk; in order if 'seed' is 0. */
struct schedule schedule_walk(uint64_t seed);

int schedule_parse(const char *text, struct schedule *ret);
/* Writes the text that schedule_parse() takes, the shortest one. */
const char *schedule_text(const struct schedule *schedule, char text[SCHEDULE_TEXT_SIZE]);

#endif

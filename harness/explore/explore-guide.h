/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which runs come next: as the plan has them in turn, or near one of those that have shown
 * something new. These are half of all while they bring something, and one in sixteen if not.
 *
 * What runs show counts from the next generation on. So the same runs are done however many are
 * done at a time. The first generation is the first run, alone; the second one has 32, which are
 * the plan's; the next ones have a quarter of what has been done, or 32 if that is less.
 *
 * What is varied is drawn, too, by what has come of it so far: another schedule is no other run for
 * a program with one thread.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_GUIDE_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_GUIDE_H

#include "harness/explore/explore-corpus.h"
#include "harness/explore/explore-crew.h"

struct explore_guide {
	const struct explore_plan *plan;
	struct explore_corpus corpus;
	bool is_blind;		/* all runs are as the plan has them */
	unsigned int step;	/* between runs: how many there are that share the work */
	unsigned int done;	/* runs, in former generations */
	unsigned int in_turn;	/* the next run of the plan's, from 0 */
	GArray *points;		/* of this generation, as the next two */
	GArray *variations;	/* enum explore_variation; EXPLORE_VARIATIONS: the plan's own */
	/* Of each variation: runs that had it, and how many of them were like no other. */
	unsigned int tried[EXPLORE_VARIATIONS], fresh[EXPLORE_VARIATIONS];
	unsigned int first, end;	/* its runs, from 0: each 'step'th */
};

/* 'first': the first run, from 0. 'plan' has to outlive it. */
void explore_guide_begin(struct explore_guide *guide, const struct explore_plan *plan,
			 unsigned int first, unsigned int step);
void explore_guide_end(struct explore_guide *guide);

/* Goes on with run 'next' where a former guide has ended, after so many runs. */
void explore_guide_resume(struct explore_guide *guide, unsigned int next, unsigned int done);

/* The next generation: 'first' and 'end', which is at most 'end'. */
void explore_guide_next(struct explore_guide *guide, unsigned int end);

/* Run 'at' of this generation; to be freed with explore_point_clear(). */
struct explore_point explore_guide_point(const struct explore_guide *guide, unsigned int at);

/*
 * What has come of a run. 'is_fresh': its capture is like none before. True: it has shown
 * something new.
 */
bool explore_guide_take(struct explore_guide *guide, const struct explore_result *result,
			bool is_fresh);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What umadrig explore says: each failure with the command that repeats it, and a summary.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_REPORT_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_REPORT_H

#include "harness/explore/explore-corpus.h"
#include "harness/explore/explore-shrink.h"
#include "harness/explore/explore-way.h"

struct explore_report {
	const struct explore_test *test;
	const struct explore_corpus *corpus;
	unsigned int runs, failures;
	uint64_t mads;
	uint64_t met;		/* by any run: explore_verdict_met() */
	bool is_whole;		/* all runs were done: explore_report_summary() */
	GHashTable *orders, *contents;	/* hashes of those that were seen */
	GHashTable *kinds;	/* name of a MAD: in how many runs it was, GUINT_TO_POINTER() */
	GArray *ways;		/* of struct explore_way, in the order of their first runs */
	struct status_line *line;	/* how far it is; NULL: there is no terminal */
	int64_t began_ns;	/* monotonic_ns() */
};

/* What both point to has to outlive it. */
void explore_report_begin(struct explore_report *report, const struct explore_test *test,
			  const struct explore_corpus *corpus);
void explore_report_end(struct explore_report *report);

/*
 * Has a run failed in the same way before (explore_verdict_is_alike())? Then it is counted, and a
 * line says so; nothing else need be said of it.
 */
bool explore_report_is_known(struct explore_report *report, const struct explore_result *failure);

/* Counts a result. True: its capture is like none before. */
bool explore_report_take(struct explore_report *report, const struct explore_result *result);
/* Says on a terminal how far it is; 'runs': how many there are to be, or 0. */
void explore_report_goes_on(const struct explore_report *report, unsigned int runs);
/* A failure is looked into, which may take a while: the terminal's line says so. */
void explore_report_shrinks(struct explore_report *report, unsigned int at);

/* A script in the directory of a failure (harness/explore/explore-environment.h). */
#define EXPLORE_REPEAT "repeat"

/*
 * Prints a failure, which is kept in 'directory', and writes the command that repeats it into the
 * file "command" there, and with its environment into EXPLORE_REPEAT. 'shrunk': NULL, or what was
 * found, kept in 'small'.
 */
void explore_report_failure(struct explore_report *report, const struct explore_result *failure,
			    const char *directory, const struct explore_shrunk *shrunk,
			    const char *small);

/* Prints each way in which runs have failed, as it is kept. */
void explore_report_ways(const struct explore_report *report);

/*
 * The end; 'is_whole': all runs have been done. False: what was to be seen sometimes was in none of
 * them.
 */
bool explore_report_summary(struct explore_report *report, bool is_whole);

/*
 * What was to be seen sometimes and was in no run, if all were done: the first from '*at', 0 at the
 * beginning, which it moves on. NULL: no more.
 */
const char *explore_report_unseen(const struct explore_report *report, unsigned int *at);

/* "seed=3 schedule=2 fault=drop 1%"; to be freed. */
char *explore_report_point(const struct explore_test *test, const struct explore_point *point);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Points whose kernel runs out of memory (umadrig run --fail-allocations): each allocation fails in
 * turn, in a run of its own.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_ALLOCATIONS_H
#define UMADRIG_HARNESS_CMD_RUN_ALLOCATIONS_H

#include "harness/cmd/run-point.h"

/* A run is over after that time, or it hangs; without --timeout. */
enum { RUN_ALLOCATIONS_LIMIT_S = 60 };

/*
 * Each of so many fails; of those behind them fewer, the farther the fewer: they are of few places,
 * and their runs are long.
 */
enum { RUN_ALLOCATIONS_ALL = 512, RUN_ALLOCATIONS_STEPS = 16 };

/* What became of them. */
struct run_allocations {
	guint64 count;		/* how many runs there were in which one failed */
	guint64 last;		/* the greatest number of those */
	guint64 first_bad;	/* number of the first after which it went wrong; 0: none */
	char *message;		/* of that one, in a line; to be freed */
	GString *details;	/* lines: of that one first; to be freed */
};

/*
 * Runs the point again and again, each time in a process of its own in which the next allocation of
 * 'options->kernel' fails, until a run makes fewer (see above); or once, if the options name one.
 * What the lines of the scenario do then does not matter, as long as the kernel does not crash,
 * hang, or keep something, and its checks find nothing. 'ret' is to be cleared.
 */
void run_allocations(const struct run_options *options, const struct run_try *try,
		     struct run_allocations *ret);
void run_allocations_clear(struct run_allocations *allocations);

#endif

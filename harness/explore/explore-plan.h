/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What runs of umadrig explore have in common, and what each has of its own: the fabric of the
 * command line taken apart into its seeds, its faults, and the rest.
 *
 * harness/explore/, from the bottom up: explore-plan.c (explore-draw.c draws the faults of each
 * run); explore-guide.c says which runs come next, by what they have shown (explore-traits.c) and
 * those that have shown it first (explore-corpus.c); explore-run.c is one run, a child process;
 * explore-verdict.c judges it, and explore-signature.c says where it failed (explore-symbol.c asks
 * gdb); explore-orders.c says what was seen on the wire; explore-crew.c has several run at a time,
 * and hands their results out in order; explore-shrink.c looks for less that fails in the same way
 * (explore-search.c does a step of that, explore-switches.c takes schedules apart);
 * explore-report.c says it (explore-environment.c: how it is repeated), and gathers the ways in
 * which runs fail (explore-way.h), of which explore-json.c and explore-junit.c make reports.
 * harness/cmd/explore.c is above them: after a failure it stops, or goes on.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_PLAN_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_PLAN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/words/schedule.h"

/* What one run has of its own. */
struct explore_point {
	uint64_t seed;
	struct schedule schedule;
	char *switches;		/* exceptions to a schedule in order; NULL: none */
	char **faults;		/* rules, NULL-terminated; never NULL */
	/*
	 * --each: its line comes when so many packets have crossed cables; EXPLORE_NEVER: never, as
	 * in the first run, which counts them.
	 */
	uint64_t instant;
};

#define EXPLORE_NEVER UINT64_MAX

/* The fabric of all runs. */
struct explore_plan {
	char *file;		/* with the comma-separated options that no run changes */
	bool has_clock;		/* clock= is given; else it is virtual */
	bool is_real;		/* clock=real: there are no schedules */
	bool has_seed;		/* seed= is given: all runs have it */
	bool has_schedule;
	uint64_t first_schedule;	/* the number of the first run's */
	uint64_t points;	/* SCHEDULE_POINTS, or as many as the first run had */
	bool any_addresses;	/* runs differ in addresses only */
	const char *each;	/* a line of the console, another time in each run; or NULL */
	unsigned int runs;	/* for 'each': over which the instants are spread */
	uint64_t instants;	/* that the first run had */
	bool all_faults;	/* each run has all faults as they are given */
	struct explore_point first;	/* the first run's; its faults are all */
};

/*
 * Takes "FABRIC[,OPTION=VALUE...]" apart. 'seed': that of the first run, where the fabric has none;
 * its schedule is one less, so that the first run of all has the usual one, 0.
 * False with an error of COMMAND_ERROR; otherwise to be freed with explore_plan_clear().
 */
bool explore_plan_parse(struct explore_plan *plan, const char *fabric, uint64_t seed,
			GError **error);
void explore_plan_clear(struct explore_plan *plan);

/*
 * Run number 'at', from 0, to be freed with explore_point_clear(). Without a schedule of their own,
 * runs have those of all strategies in turn; that of number 0 is in order. Faults are drawn
 * (harness/explore/explore-draw.h), but for the first run and where the seed is given.
 */
struct explore_point explore_plan_point(const struct explore_plan *plan, unsigned int at);

/* What may be another in a run. */
enum explore_variation {
	EXPLORE_SCHEDULE,
	EXPLORE_SEED,
	EXPLORE_FAULTS,
	EXPLORE_INSTANT,	/* of --each */
	EXPLORE_VARIATIONS,
};

/* Can it be, for a run near 'from', or is it given? */
bool explore_plan_varies(const struct explore_plan *plan, const struct explore_point *from,
			 enum explore_variation variation);
/* A run near 'from', for run number 'at', with something that can be another. */
struct explore_point explore_plan_near(const struct explore_plan *plan,
				       const struct explore_point *from,
				       enum explore_variation variation, unsigned int at);

/* How many points the first run had, and how many instants for plan->each. */
void explore_plan_learn(struct explore_plan *plan, uint64_t points, uint64_t instants);

/* The line of plan->each for a run, to be freed; NULL: there is none. */
char *explore_plan_line(const struct explore_plan *plan, const struct explore_point *point);

/* The fabric of a run, for umadrig exec; to be freed. 'capture': the file's name, or NULL. */
char *explore_plan_fabric(const struct explore_plan *plan, const struct explore_point *point,
			  const char *capture);

void explore_point_copy(struct explore_point *to, const struct explore_point *from);
void explore_point_clear(struct explore_point *point);

#endif

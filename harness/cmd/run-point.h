/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs one point in a world of its own.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_POINT_H
#define UMADRIG_HARNESS_CMD_RUN_POINT_H

#include "harness/cmd/run-options.h"
#include "harness/script/check/needs.h"
#include "harness/script/run/run.h"

/* What points run on, with these options. */
struct rig run_rig(const struct run_options *options);

/* The kernel that a scenario's simulated hosts have. */
enum kmod_profile run_profile(const struct run_options *options, const struct scenario *scenario);

/*
 * Is it in real time? On the simulator only a point that runs programs may be: if the scenario says
 * so, or says nothing and 'umadrig run' was told to give programs other means (--how) than the
 * library that keeps virtual time. Then no two runs are the same.
 */
bool run_point_is_in_real_time(const struct run_options *options, const struct point *point);

/* A point, and the seeds that it is run with. */
struct run_try {
	const struct point *point;
	guint64 seed;
	guint64 schedule;	/* which of its programs runs next; 0: in order */
	bool has_schedule;	/* that is to be said: its programs are in virtual time */
	guint64 failing;	/* of the kernel's allocations, the one that fails; 0: none */
};

/* What the point runs with when it is run for the 'round'th time, counting from 0. */
struct run_try run_try_of(const struct run_options *options, const struct point *point,
			  unsigned int round);

/* Runs the point, capturing to 'capture' (NULL: no capture). 'ret' is to be cleared. */
void run_point_once(const struct run_options *options, const struct run_try *try,
		    const char *capture, struct outcome *ret);

/*
 * The same without a capture. '*ret_faults', to be freed: what the checks of its kernel have found,
 * a line for each, or NULL; they do not fail the point here.
 */
void run_point_faults(const struct run_options *options, const struct run_try *try,
		      struct outcome *ret, char **ret_faults);

struct amendments;

/*
 * Runs the point without a capture; its lines are amended and do not fail where that is possible
 * (harness/script/run/amend.h). 'ret' is to be cleared.
 */
void run_point_amend(const struct run_options *options, const struct run_try *try,
		     struct amendments *amendments, struct outcome *ret);

/*
 * Runs the point again for a capture at 'path': the same failure, as the seed is the same. False:
 * none was written.
 */
bool run_point_capture(const struct run_options *options, const struct run_try *try,
		       const char *path);

/*
 * Runs the point twice more, with captures in the directory 'scratch'. True: both are the same, as
 * they must be.
 */
bool run_point_is_same_twice(const struct run_options *options, const struct run_try *try,
			     const char *scratch);

#endif

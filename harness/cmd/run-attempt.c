/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs a selected point: see harness/cmd/run-attempt.h.
 *
 * Each point runs in a fresh world with its own seed. One that fails on the simulator is run again
 * with a capture, which shows the same failure, because the same seed gives the same bytes.
 */
#include "harness/cmd/run-attempt.h"

#include <string.h>

#include "harness/cmd/run-allocations.h"
#include "harness/cmd/run-diagram.h"
#include "harness/cmd/run-point.h"
#include "harness/cmd/run-report.h"

/* The path of its capture. A round that comes later has a capture of its own. */
static char *capture_path(const struct run_options *options, const struct selected *selected,
			  unsigned int round)
{
	g_autofree char *name = NULL;

	if (round > 0)
		name = g_strdup_printf("%.*s@%u.pcapng",
				       (int)(strlen(selected->capture) - strlen(".pcapng")),
				       selected->capture, round + 1);
	else
		name = g_strdup(selected->capture);
	return options->keep ? g_build_filename(options->keep, name, NULL) :
	       g_steal_pointer(&name);
}

static void name_round(const struct run_options *options, unsigned int round,
		       struct run_result *ret)
{
	char *name = ret->name;

	if (options->repeat == 1)
		return;
	ret->name = g_strdup_printf("%s (round %u)", name, round + 1);
	g_free(name);
}

/* ---- verdicts ---- */

/* It has failed; that may be known. */
static void fail(struct run_result *ret)
{
	ret->state = ret->selected->issue ? RUN_EXPECTED_FAILURE : RUN_FAILED;
}

static void judge_pass(const struct run_options *options, const struct run_try *try,
		       const char *scratch, const struct outcome *outcome, struct run_result *ret)
{
	if (options->twice && !run_point_is_in_real_time(options, try->point) &&
	    !run_point_is_same_twice(options, try, scratch)) {
		fail(ret);
		ret->message = g_strdup("two runs with one seed wrote different captures");
		ret->text = g_strdup(ret->message);
		return;
	}
	if (ret->selected->issue) {
		ret->state = RUN_UNEXPECTED_PASS;
		ret->message = g_strdup_printf("it passes, but %s:%u says that it fails (%s): "
					       "remove that line", options->expected_failures,
					       ret->selected->issue_line, ret->selected->issue);
		return;
	}
	ret->state = RUN_PASSED;
	if (options->ladder)
		run_report_ladder(outcome, ret);
}

static void judge_fail(const struct run_options *options, const struct run_try *try,
		       const struct outcome *outcome, const char *path, struct run_result *ret)
{
	fail(ret);
	/* After a timeout it would take as long again to make a capture. */
	if (!ret->capture && outcome->verdict == VERDICT_FAIL &&
	    !run_point_is_in_real_time(options, try->point) &&
	    run_point_capture(options, try, path))
		ret->capture = g_strdup(path);
	run_report_failure(options, try, outcome, ret);
}

static void judge(const struct run_options *options, const struct run_try *try,
		  const struct outcome *outcome, const char *path, const char *scratch,
		  struct run_result *ret)
{
	switch (outcome->verdict) {
	case VERDICT_PASS:
		judge_pass(options, try, scratch, outcome, ret);
		return;
	case VERDICT_SKIP:
		if (run_options_forbid_skip(options, outcome->message)) {
			ret->state = RUN_FAILED;
			ret->message = g_strdup_printf("skipped (--fail-on-skip): %s",
						       outcome->message);
		} else {
			ret->state = RUN_SKIPPED;
			ret->message = g_strdup(outcome->message);
		}
		return;
	case VERDICT_BROKEN:
		ret->state = RUN_INCONCLUSIVE;
		ret->message = g_strdup(outcome->message);
		/* All points share the real ports. */
		ret->rig_is_gone = !options->on_sim;
		return;
	case VERDICT_TIMED_OUT:
	case VERDICT_FAIL:
		judge_fail(options, try, outcome, path, ret);
		return;
	}
}

/* Draws the capture, if there is one and that is wanted. */
static void add_diagram(const struct run_options *options, struct run_result *ret)
{
	g_autoptr(GError) error = NULL;

	if (!options->mermaid || !ret->capture)
		return;
	ret->diagram = run_diagram_write(ret->capture, &error);
	if (ret->diagram || ret->state != RUN_PASSED)
		return;
	ret->state = RUN_FAILED;
	ret->message = g_strdup_printf("--mermaid: %s", error->message);
}

/* ---- attempts ---- */

/* The point has passed: does the kernel bear that an allocation of its fails, whichever? */
static void fail_allocations(const struct run_options *options, const struct run_try *try,
			     struct run_result *ret)
{
	struct run_allocations allocations;
	struct run_try failing = *try;
	struct outcome outcome = { .verdict = VERDICT_FAIL };

	run_allocations(options, try, &allocations);
	if (allocations.first_bad) {
		fail(ret);
		failing.failing = allocations.first_bad;
		outcome.place = try->point->scenario->place;
		outcome.message = allocations.message;
		outcome.details = allocations.details;
		run_report_failure(options, &failing, &outcome, ret);
	} else {
		ret->text = g_strdup_printf("%" G_GUINT64_FORMAT " allocations have failed in turn"
					    ", the last of them number %" G_GUINT64_FORMAT,
					    allocations.count, allocations.last);
	}
	run_allocations_clear(&allocations);
}

static void run_it(const struct run_options *options, const struct selected *selected,
		   unsigned int round, const char *scratch, struct run_result *ret)
{
	g_autofree char *path = capture_path(options, selected, round);
	const struct run_try try = run_try_of(options, selected->point, round);
	const struct rig rig = run_rig(options);
	struct outcome outcome = { .verdict = VERDICT_SKIP };

	outcome.message = point_unmet(selected->point, &rig);
	if (!outcome.message && options->fails_allocations && point_runs_programs(try.point))
		outcome.message = g_strdup("runs programs: --fail-allocations would have them run "
					   "again and again");
	if (!outcome.message && options->keep && options->on_sim)
		ret->capture = g_strdup(path);
	if (!outcome.message)
		run_point_once(options, &try, ret->capture, &outcome);
	ret->end_ns = outcome.end_ns;
	judge(options, &try, &outcome, path, scratch, ret);
	if (options->fails_allocations && ret->state == RUN_PASSED)
		fail_allocations(options, &try, ret);
	add_diagram(options, ret);
	outcome_clear(&outcome);
}

void run_attempt(const struct run_options *options, const struct selected *selected,
		 unsigned int round, const char *scratch, struct run_result *ret)
{
	gint64 began_us = g_get_monotonic_time();

	run_result_init(ret, selected);
	name_round(options, round, ret);
	if (selected->point) {
		run_it(options, selected, round, scratch, ret);
	} else {
		ret->state = RUN_FAILED;
		run_report_unreadable(selected->script, ret);
	}
	ret->elapsed_us = g_get_monotonic_time() - began_us;
}

void run_attempt_lost(const struct run_options *options, const struct selected *selected,
		      unsigned int round, const char *why, struct run_result *ret)
{
	run_result_init(ret, selected);
	name_round(options, round, ret);
	ret->state = RUN_INCONCLUSIVE;
	ret->message = g_strdup(why);
}

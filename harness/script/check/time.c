/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: times and windows. Lines must not go back in time, and nothing may be expected where
 * another line says that nothing comes.
 */
#include "harness/script/check/checker.h"

#include <string.h>

static void check_window(struct checker *checker, struct plan_step *step, int64_t from_ns)
{
	const struct plan_time *time = &step->time;
	unsigned int timing = step_timing(step->line);
	int64_t to_ns = (time->to_relative ? checker->base_ns : 0) + time->to_ns;

	if ((timing & (STEP_WAITS | STEP_SILENT)) == 0) {
		check_error(checker, time->place, "expected a point in time, such as +1ms");
		return;
	}
	if (!checker->base_known && time->from_relative != time->to_relative)
		return;
	if (to_ns <= from_ns) {
		check_error(checker, time->place, "this window ends before it begins");
		return;
	}
	if (checker->base_known || !time->from_relative)
		step->when = (struct plan_when) { true, from_ns, to_ns };
	if ((timing & STEP_SILENT) && (timing & STEP_OUTBOUND) && checker->base_known &&
	    to_ns > checker->quiet_ns) {
		checker->quiet_ns = to_ns;
		checker->quiet_line = step->place.line;
	}
	if ((timing & STEP_WAITS) && checker->base_known) {
		checker->busy_ns = to_ns;
		checker->busy_line = step->place.line;
	}
}

void check_time(struct checker *checker, struct plan_step *step)
{
	const struct plan_time *time = &step->time;
	unsigned int timing = step_timing(step->line);
	bool retried = (timing & STEP_RETRIED) != 0;
	int64_t from_ns = time->from_ns;

	if (time->kind == STEP_TIME_ANY || retried) {
		/* How long a program takes is unknown: times after it count from its end. */
		if (retried ? time->kind == STEP_TIME_ANY : (timing & STEP_WAITS) == 0)
			check_error(checker, time->place,
				    "only '>', umad_recv(), 'end' and 'wire' can have the time "
				    "'*'");
		checker->base_known = false;
		checker->busy_ns = checker->quiet_ns = 0;
		return;
	}
	if (time->from_relative && __builtin_add_overflow(checker->base_ns, from_ns, &from_ns)) {
		check_error(checker, time->place, "this time is too long (292 years)");
		return;
	}
	if (time->to_relative && time->to_ns > INT64_MAX / 2 - checker->base_ns) {
		check_error(checker, time->place, "this time is too long (292 years)");
		return;
	}
	if (time->kind == STEP_TIME_WINDOW) {
		check_window(checker, step, from_ns);
		return;
	}
	if ((timing & STEP_SILENT) && (timing & STEP_OUTBOUND)) {
		check_error(checker, time->place, "expected a window, such as +0~+50ms");
		return;
	}
	if (!checker->base_known && time->from_relative)
		return;
	if (checker->base_known && from_ns < checker->base_ns) {
		char buf[32];

		check_error(checker, time->place,
			    "this goes back in time: the previous line is at %s",
			    time_format(checker->base_ns, buf, sizeof(buf)));
		return;
	}
	if (from_ns < checker->busy_ns)
		check_error(checker, time->place,
			    "line %u may still be waiting at this time: end its window here or "
			    "earlier",
			    checker->busy_line);
	if ((timing & STEP_OUTBOUND) && from_ns < checker->quiet_ns)
		check_error(checker, time->place,
			    "line %u says that nothing leaves until after this time",
			    checker->quiet_line);
	step->when = (struct plan_when) { true, from_ns, from_ns };
	checker->base_ns = from_ns;
	checker->base_known = true;
}

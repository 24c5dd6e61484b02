/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: times and windows. Lines do not go back in time, and nothing is expected where
 * another line says that nothing comes.
 */
#include "harness/script/check/script-checker.h"

#include <string.h>

static bool waits(const struct step *step)
{
	bool is_recv = step->verb == STEP_CALL && strcmp(step->call->name, "umad_recv") == 0;

	return step->verb == STEP_LEAVES || step->verb == STEP_SAME || step->verb == STEP_END ||
	       step->verb == STEP_WIRE ||
	       (is_recv && !expr_is_nothing(step->result));
}

/* Asked again and again until it fits: nobody knows when that is. */
static bool asks_again(const struct step *step)
{
	return (step->verb == STEP_RUN && step->bind == NULL) ||
	       (step->verb == STEP_DO && step->time.kind == STEP_TIME_WINDOW);
}

static bool is_silence(const struct step *step)
{
	return step->verb == STEP_SILENCE ||
	       (step->verb == STEP_CALL && strcmp(step->call->name, "umad_recv") == 0 &&
		expr_is_nothing(step->result));
}

static void check_window(struct checker *checker, const struct step *step, int64_t from_ns)
{
	const struct step_time *time = &step->time;
	int64_t to_ns = (time->to_relative ? checker->base_ns : 0) + time->to_ns;

	if (!waits(step) && !is_silence(step) && step->verb != STEP_CALL) {
		check_error(checker, time->place, "this happens at a point in time, as +1ms");
		return;
	}
	if (!checker->base_known && time->from_relative != time->to_relative)
		return;
	if (to_ns <= from_ns) {
		check_error(checker, time->place, "this window ends before it begins");
		return;
	}
	if (step->verb == STEP_SILENCE && checker->base_known && to_ns > checker->quiet_ns) {
		checker->quiet_ns = to_ns;
		checker->quiet_line = step->place.line;
	}
	if (waits(step) && checker->base_known) {
		checker->busy_ns = to_ns;
		checker->busy_line = step->place.line;
	}
}

void check_time(struct checker *checker, const struct step *step)
{
	const struct step_time *time = &step->time;
	int64_t from_ns = time->from_ns;

	if (time->kind == STEP_TIME_ANY || asks_again(step)) {
		/* How long a program takes nobody knows: what follows counts from its end. */
		if (asks_again(step) ? time->kind == STEP_TIME_ANY : !waits(step))
			check_error(checker, time->place,
				    "only '>', umad_recv(), 'end' and 'wire' happen at any time");
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
	if (step->verb == STEP_SILENCE) {
		check_error(checker, time->place, "say how long nothing leaves: +0~+50ms");
		return;
	}
	if (!checker->base_known && time->from_relative)
		return;
	if (checker->base_known && from_ns < checker->base_ns) {
		char buf[32];

		check_error(checker, time->place,
			    "this goes back in time: the line before is at %s",
			    time_format(checker->base_ns, buf, sizeof(buf)));
		return;
	}
	if (from_ns < checker->busy_ns)
		check_error(checker, time->place,
			    "line %u may wait until after this time: let its window end here or "
			    "before",
			    checker->busy_line);
	if ((step->verb == STEP_LEAVES || step->verb == STEP_SAME) && from_ns < checker->quiet_ns)
		check_error(checker, time->place,
			    "line %u says that nothing leaves until after this time",
			    checker->quiet_line);
	checker->base_ns = from_ns;
	checker->base_known = true;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How a point fails.
 */
#include "harness/script/run/verdict.h"

#include <string.h>

#include "kmod-stub/event.h"

bool run_failed(const struct run *run)
{
	return run->outcome->verdict != VERDICT_PASS;
}

void run_fail(struct run *run, struct place place, const char *format, ...)
{
	va_list args;

	if (run_failed(run))
		return;
	run->outcome->verdict = VERDICT_FAIL;
	run->outcome->place = place;
	va_start(args, format);
	run->outcome->message = g_strdup_vprintf(format, args);
	va_end(args);
}

/* "200ms", in one of a few buffers, for messages. */
const char *say_time(int64_t ns)
{
	static char buffers[4][32];
	static unsigned int next;

	next = (next + 1) % G_N_ELEMENTS(buffers);
	return time_format(ns, buffers[next], sizeof(buffers[next]));
}

void run_note(struct run *run, int64_t at_ns, const char *arrow, const char *text, const char *note)
{
	uint64_t us = at_ns < 0 ? 0 : (uint64_t)at_ns / NS_PER_US;

	g_string_append_printf(run->outcome->ladder, "%8" G_GUINT64_FORMAT ".%03" G_GUINT64_FORMAT
			       "ms  %-1s %-52s", us / 1000, us % 1000, arrow, text);
	if (run->step)
		g_string_append_printf(run->outcome->ladder, "  line %-3u", run->step->place.line);
	g_string_append_printf(run->outcome->ladder, " %s\n", note);
}

static char *expected_text(const struct due_window *due, const char *what)
{
	if (due->low_ns == due->high_ns)
		return g_strdup_printf("{ time: %s, mad: %s }", say_time(due->target_ns), what);
	return g_strdup_printf("{ time: %s, window: [%s, %s], mad: %s }", say_time(due->target_ns),
			       say_time(due->low_ns), say_time(due->high_ns), what);
}

/* The text of a line after its time, for "expected". */
static char *step_text(const struct plan_step *step)
{
	const struct source *source = step->place.source;
	size_t end = step->place.offset;

	while (end < source->size && source->text[end] != '\n' && source->text[end] != '\r')
		end++;
	return g_strstrip(g_strndup(source->text + step->place.offset, end - step->place.offset));
}

void fail_expected(struct run *run, const struct plan_step *step, const struct due_window *due)
{
	g_autofree char *text = step_text(step);

	if (!run->outcome->expected)
		run->outcome->expected = expected_text(due, text);
}

/* Something came at the wrong time. */
void fail_time(struct run *run, const struct plan_step *step, const struct due_window *due,
		      int64_t at_ns, const char *what)
{
	g_autofree char *window = NULL;

	if (due->low_ns != due->high_ns)
		window = g_strdup_printf(" (window %s +%s)", say_time(due->low_ns - due->target_ns),
					 say_time(due->high_ns - due->target_ns));
	run_fail(run, step->place, "%s by %s%s", at_ns < due->low_ns ? "early" : "late",
		 say_time(at_ns < due->low_ns ? due->target_ns - at_ns : at_ns - due->target_ns),
		 window ? window : "");
	fail_expected(run, step, due);
	if (!run->outcome->actual)
		run->outcome->actual =
			g_strdup_printf("{ time: %s, mad: %s }", say_time(at_ns), what);
	run_note(run, at_ns, ">", what, at_ns < due->low_ns ? "EARLY" : "LATE");
}

void fail_unexpected(struct run *run, struct place place, const struct world_packet *packet)
{
	g_autofree char *summary = mad_summary(packet->mad);

	run_fail(run, place, "unexpected > %s at %s", summary, say_time(packet->at_ns));
	if (!run->outcome->actual)
		run->outcome->actual =
			g_strdup_printf("{ time: %s, mad: %s }", say_time(packet->at_ns), summary);
	run->step = NULL;
	run_note(run, packet->at_ns, ">", summary, "UNEXPECTED");
}

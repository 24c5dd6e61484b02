/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How a point fails.
 */
#include "harness/script/run/script-verdict.h"

#include <string.h>

#include "kmod-stub/event.h"
#include "harness/script/run/script-peer.h"

/* How far a failed wait is followed, to say how late it would have been. */
#define PROBE_STEPS_MAX 100000

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

/* "200ms": one of a few buffers, for messages. */
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
	if (run->step != NULL)
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

/* The text of a line behind its time, for "expected". */
static char *step_text(const struct step *step)
{
	const struct source *source = step->place.source;
	size_t end = step->place.offset;

	while (end < source->size && source->text[end] != '\n' && source->text[end] != '\r')
		end++;
	return g_strstrip(g_strndup(source->text + step->place.offset, end - step->place.offset));
}

void fail_expected(struct run *run, const struct step *step, const struct due_window *due)
{
	g_autofree char *text = step_text(step);

	if (run->outcome->expected == NULL)
		run->outcome->expected = expected_text(due, text);
}

/* Something came at the wrong time. */
void fail_time(struct run *run, const struct step *step, const struct due_window *due,
		      int64_t at_ns, const char *what)
{
	g_autofree char *window = NULL;

	if (due->low_ns != due->high_ns)
		window = g_strdup_printf(" (window %s +%s)", say_time(due->low_ns - due->target_ns),
					 say_time(due->high_ns - due->target_ns));
	run_fail(run, step->place, "%s by %s%s", at_ns < due->low_ns ? "early" : "late",
		 say_time(at_ns < due->low_ns ? due->target_ns - at_ns : at_ns - due->target_ns),
		 window != NULL ? window : "");
	fail_expected(run, step, due);
	if (run->outcome->actual == NULL)
		run->outcome->actual =
			g_strdup_printf("{ time: %s, mad: %s }", say_time(at_ns), what);
	run_note(run, at_ns, ">", what, at_ns < due->low_ns ? "EARLY" : "LATE");
}

void fail_unexpected(struct run *run, struct place place, const struct world_packet *packet)
{
	g_autofree char *summary = mad_summary(packet->mad);

	run_fail(run, place, "unexpected > %s at %s", summary, say_time(packet->at_ns));
	if (run->outcome->actual == NULL)
		run->outcome->actual =
			g_strdup_printf("{ time: %s, mad: %s }", say_time(packet->at_ns), summary);
	run->step = NULL;
	run_note(run, packet->at_ns, ">", summary, "UNEXPECTED");
}

/*
 * What was waited for did not come. On the simulator it costs nothing to look further: is it late,
 * or can nothing happen any more? 'handle' NULL: a packet was waited for.
 */
void fail_missing(struct run *run, const struct step *step, const struct due_window *due,
			 struct run_handle *handle)
{
	GQueue *queue = handle != NULL ? &handle->inbox : &run->outbox;
	const char *what = handle != NULL ? "arrives at the handle" : "leaves the port";
	unsigned int steps = 0;
	int64_t next_ns = 0;

	fail_expected(run, step, due);
	while (run->world->kind->is_sim && g_queue_is_empty(queue) && !run_failed(run) &&
	       steps++ < PROBE_STEPS_MAX) {
		next_ns = MIN(run->world->kind->next_ns(run->world), peer_due_ns(run->peer));
		if (next_ns == TIME_NEVER)
			break;
		run_advance_once(run, next_ns);
	}
	if (run_failed(run))
		return;
	if (!g_queue_is_empty(queue)) {
		const struct world_packet *packet = g_queue_peek_head(queue);
		const struct run_item *item = g_queue_peek_head(queue);
		int64_t at_ns = handle != NULL ? item->at_ns : packet->at_ns;
		g_autofree char *summary = mad_summary(handle != NULL ? item->mad : packet->mad);

		fail_time(run, step, due, at_ns, summary);
		return;
	}
	run->outcome->actual = g_strdup("nothing");
	if (run->world->kind->arrive == NULL && handle == NULL && peer_fd(run->peer) < 0)
		run_fail(run, step->place,
			 "nothing is seen to leave where nobody listens: real ports need "
			 "'peer listens class=... methods={...}'");
	else if (run->world->kind->is_sim && next_ns == TIME_NEVER)
		run_fail(run, step->place,
			 "nothing can happen any more: this line waits for a MAD that %s, "
			 "no timer is armed and no answer is scripted",
			 what);
	else
		run_fail(run, step->place, "nothing %s up to %s", what, say_time(due->high_ns));
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How a point fails.
 */
#include "harness/script/run/verdict.h"

#include <string.h>

#include "harness/script/run/run-ladder.h"

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

/* In one line no more differences are told. */
#define SAID_MAX 3

char *say_differences(const char *lines)
{
	g_auto(GStrv) all = g_strsplit(lines, "\n", -1);
	GString *out = g_string_new(NULL);
	guint count = g_strv_length(all);

	/* What ends with a newline has nothing behind it. */
	count -= count > 0 && *all[count - 1] == '\0';
	for (guint i = 0; i < MIN(count, SAID_MAX); i++) {
		char *bytes = strstr(all[i], "  (byte");

		if (bytes)
			*bytes = '\0';
		g_string_append_printf(out, "%s%s", i > 0 ? "; " : "", all[i]);
	}
	if (count > SAID_MAX)
		g_string_append_printf(out, "; and %u more", count - SAID_MAX);
	g_string_replace(out, "  expected ", ": expected ", 0);
	g_string_replace(out, "  actual ", ", actual ", 0);
	g_string_replace(out, "  byte ", " byte ", 0);
	return g_string_free(out, false);
}

/* "90ms"; "0 .. 50ms", up to and not at the end; "100ms (99ms .. 125ms)" with tolerances. */
static char *due_text(const struct plan_step *step, const struct due_window *due)
{
	const char *low = say_time(MAX(due->low_ns, 0));

	switch (step->time.kind) {
	case STEP_TIME_ANY:
		return g_strdup("at any time");
	case STEP_TIME_WINDOW:
		return g_strdup_printf("%s .. %s", low, say_time(due_end_ns(step, due)));
	case STEP_TIME_POINT:
		break;
	}
	if (due->low_ns == due->high_ns)
		return g_strdup(say_time(due->target_ns));
	return g_strdup_printf("%s (%s .. %s)", say_time(due->target_ns), low,
			       say_time(due->high_ns));
}

int64_t due_end_ns(const struct plan_step *step, const struct due_window *due)
{
	return step->time.kind == STEP_TIME_WINDOW ? due->high_ns + 1 : due->high_ns;
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
	g_autofree char *when = due_text(step, due);

	if (!run->outcome->expected)
		run->outcome->expected = g_strdup_printf("%s  %s", when, text);
}

void fail_actual(struct run *run, int64_t at_ns, const char *what)
{
	if (!run->outcome->actual)
		run->outcome->actual = g_strdup_printf("%s  %s", say_time(at_ns), what);
}

/* "late by 10ms", with the window if it is one. */
const char *fail_time(struct run *run, const struct plan_step *step, const struct due_window *due,
		      int64_t at_ns, const char *what)
{
	bool early = at_ns < due->low_ns;
	bool is_window = step->time.kind == STEP_TIME_WINDOW;
	int64_t end_ns = is_window ? due_end_ns(step, due) : due->target_ns;
	int64_t by_ns = early ? due->target_ns - at_ns : at_ns - end_ns;
	g_autofree char *when = due_text(step, due);

	if (by_ns == 0)
		run_fail(run, step->place, "late: the window %s ends before that", when);
	else if (is_window)
		run_fail(run, step->place, "%s by %s: the window is %s", early ? "early" : "late",
			 say_time(by_ns), when);
	else if (due->low_ns != due->high_ns)
		run_fail(run, step->place, "%s by %s: expected at %s", early ? "early" : "late",
			 say_time(by_ns), when);
	else
		run_fail(run, step->place, "%s by %s", early ? "early" : "late", say_time(by_ns));
	fail_expected(run, step, due);
	fail_actual(run, at_ns, what);
	return early ? "EARLY" : "LATE";
}

void fail_unexpected(struct run *run, struct place place, struct world_packet *packet)
{
	g_autofree char *summary = mad_summary(packet->mad);
	g_autofree char *text = g_strdup_printf("> %s", summary);

	run_fail(run, place, "unexpected %s at %s", text, say_time(packet->at_ns));
	fail_actual(run, packet->at_ns, text);
	run->step = NULL;
	run_note_packet(run, packet, summary, "UNEXPECTED");
}

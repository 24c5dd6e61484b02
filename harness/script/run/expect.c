/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Compares what calls returned with what lines expect.
 */
#include "harness/script/run/expect.h"

#include <poll.h>
#include <string.h>

#include "harness/script/run/timeline.h"

void append_call_value(GString *out, int64_t value)
{
	const char *name = value < 0 ? errno_name((int)-value) : NULL;

	if (name)
		g_string_append_printf(out, "-%s", name);
	else
		g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
}

/* {IN, OUT} as the bits of poll(2). */
static uint64_t poll_set(const struct expr *set)
{
	uint64_t events = 0;

	for (guint i = 0; i < set->items->len; i++) {
		const char *word = ((const struct expr *)set->items->pdata[i])->text;

		events |= strcmp(word, "IN") == 0 ? POLLIN : strcmp(word, "OUT") == 0 ? POLLOUT :
			  strcmp(word, "ERR") == 0 ? POLLERR : POLLHUP;
	}
	return events;
}

/* Compares the value that a call must return with the one it returned. */
void expect_value(struct run *run, const struct plan_step *step, const struct expected *expected,
		  int64_t value)
{
	GString *text;
	uint64_t wanted;

	if (!expected->value)
		return;
	if (expected->value->kind == EXPR_SET) {
		wanted = poll_set(expected->value);
	} else if (!run_number(run, expected->value, &wanted)) {
		run_fail(run, expected->value->place, "this has no value here");
		return;
	}
	if ((int64_t)wanted == value)
		return;
	text = g_string_new(NULL);
	append_call_value(text, value);
	run_fail(run, step->place, "%s() returned %s", expected->call, text->str);
	run->outcome->actual = g_string_free(text, false);
	text = g_string_new(NULL);
	append_call_value(text, (int64_t)wanted);
	run->outcome->expected = g_string_free(text, false);
}

void expect_fields(struct run *run, const struct plan_step *step, const struct expected *expected,
		   const struct mad_instance *instance, bool has_item)
{
	g_autoptr(GString) why = g_string_new(NULL);

	if (run_failed(run))
		return;
	if (expected->umad)
		mad_compare(expected->umad, &run->env, instance, why);
	if (expected->mad && has_item)
		mad_compare(expected->mad, &run->env, instance, why);
	if (expected->mad && !has_item)
		g_string_append(why, "nothing was read\n");
	if (why->len == 0)
		return;
	g_string_append(run->outcome->details, why->str);
	g_strdelimit(why->str, "\n", ';');
	why->str[strlen(why->str) - 1] = '\0';
	run_fail(run, step->place, "%s(): %s", expected->call, why->str);
}

void note_call(struct run *run, const char *call, int64_t value)
{
	g_autoptr(GString) text = g_string_new(call);

	g_string_append(text, "() = ");
	append_call_value(text, value);
	run_note(run, run_now(run), "", text->str, run_failed(run) ? "DIFFERS" : "ok");
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Compares what calls returned with what lines expect.
 */
#include "harness/script/run/expect.h"

#include <poll.h>
#include <string.h>

#include "harness/script/mad/mad-hex.h"
#include "harness/script/run/amend.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"

void append_call_value(GString *out, int64_t value)
{
	const char *name = value < 0 ? errno_name((int)-value) : NULL;

	if (name)
		g_string_append_printf(out, "-%s", name);
	else
		g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
}

static const struct {
	const char *name;
	uint64_t event;
} poll_events[] = {
	{ "IN", POLLIN }, { "OUT", POLLOUT }, { "ERR", POLLERR }, { "HUP", POLLHUP },
};

/* {IN, OUT} as the bits of poll(2). */
static uint64_t poll_set(const struct expr *set)
{
	uint64_t events = 0;

	for (guint i = 0; i < set->items->len; i++) {
		const char *word = ((const struct expr *)set->items->pdata[i])->text;

		for (size_t at = 0; at < G_N_ELEMENTS(poll_events); at++) {
			if (strcmp(word, poll_events[at].name) == 0)
				events |= poll_events[at].event;
		}
	}
	return events;
}

/* The name of the agent with this number, where 'old' names one too; or NULL. */
static const char *agent_name(struct run *run, const struct expr *old, int64_t id)
{
	const struct var *var = run_var_of(run, old);

	return var && var->kind == VAR_AGENT ? run_agent_name(run, var->agent.owner, id) : NULL;
}

/* A value as a line has it that now has 'old'. To be freed. */
static char *value_text(struct run *run, const struct expr *old, int64_t value)
{
	GString *text = g_string_new(NULL);
	const char *agent = agent_name(run, old, value);

	if (agent) {
		g_string_append(text, agent);
	} else if (old->kind == EXPR_SET) {
		for (size_t i = 0; i < G_N_ELEMENTS(poll_events); i++) {
			if (value & (int64_t)poll_events[i].event)
				g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
						       poll_events[i].name);
		}
		g_string_prepend_c(text, '{');
		g_string_append_c(text, '}');
	} else {
		append_call_value(text, value);
	}
	return g_string_free(text, false);
}

static bool amend_value(struct run *run, const struct expr *old, int64_t value)
{
	g_autofree char *text = run->amendments ? value_text(run, old, value) : NULL;

	return text && run_amend(run, old, text);
}

/* The same for messages: "b (agent 1)", "{IN}", "-EPERM". */
static char *said_text(struct run *run, const struct expr *expected, int64_t value)
{
	const char *agent = agent_name(run, expected, value);

	if (agent)
		return g_strdup_printf("%s (agent %" G_GINT64_FORMAT ")", agent, value);
	return value_text(run, expected, value);
}

/* Compares the value that a call must return with the one it returned. */
void expect_value(struct run *run, const struct plan_step *step, const struct expected *expected,
		  int64_t value)
{
	uint64_t wanted;

	if (!expected->value || run_failed(run))
		return;
	if (expected->value->kind == EXPR_SET) {
		wanted = poll_set(expected->value);
	} else if (!run_number(run, expected->value, &wanted)) {
		run_fail(run, expected->value->place, "this has no value here");
		return;
	}
	if ((int64_t)wanted == value || amend_value(run, expected->value, value))
		return;
	run->outcome->actual = said_text(run, expected->value, value);
	run->outcome->expected = said_text(run, expected->value, (int64_t)wanted);
	run_fail(run, step->place, "%s() returned %s, not %s", expected->call,
		 run->outcome->actual, run->outcome->expected);
}

void expect_fields(struct run *run, const struct plan_step *step, const struct expected *expected,
		   const struct mad_instance *instance, bool has_item)
{
	g_autoptr(GString) why = g_string_new(NULL);
	g_autofree char *brief = NULL;

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
	brief = say_differences(why->str);
	g_string_append(run->outcome->details, why->str);
	if (expected->umad && has_item)
		mad_hex(expected->umad, &run->env, instance, run->outcome->details);
	if (expected->mad && has_item)
		mad_hex(expected->mad, &run->env, instance, run->outcome->details);
	run_fail(run, step->place, "%s(): %s", expected->call, brief);
}

char *call_text(const char *call, int64_t value)
{
	GString *text = g_string_new(call);

	g_string_append(text, "() = ");
	append_call_value(text, value);
	return g_string_free(text, false);
}

void note_call(struct run *run, const char *call, int64_t value)
{
	g_autofree char *text = call_text(call, value);

	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
}

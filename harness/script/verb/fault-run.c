/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A line "fault" when its time has come: it becomes the text that the simulator reads everywhere
 * (sim/fabric/fault-sentence.c), with the values of its names, and a rule of the world.
 */
#include "harness/script/verb/fault-line.h"

#include <string.h>

#include "harness/script/run/peer.h"
#include "harness/script/run/timeline.h"
#include "sim/fabric/fault.h"

static bool term_value(struct run *run, const struct mad_term *term, uint64_t *ret)
{
	uint64_t known;

	if (term->value->kind == EXPR_WORD && term_word(term, term->value->text, ret))
		return true;
	if (run->env.number(run->env.ctx, term->value, ret, &known))
		return true;
	run_fail(run, term->place, "this has no value here");
	return false;
}

static void say_number(GString *text, const char *name, uint64_t value)
{
	g_string_append_printf(text, " %s=%" G_GUINT64_FORMAT, name, value);
}

/* Which MADs, by numbers: of each, 0 where any will do is left out. */
static void say_pattern(struct run *run, const struct mad_pattern *pattern, GString *text)
{
	bool has_class = mad_pattern_term(pattern, "class") != NULL;

	if (pattern->class_info) {
		if (!mad_pattern_term(pattern, "method"))
			say_number(text, "method", pattern->method);
		/* A prefix that several classes share identifies none of them. */
		if (pattern->class_info->mgmt_class == pattern->class_info->last && !has_class &&
		    !mad_class_is_smp(pattern->class_info->mgmt_class))
			say_number(text, "class", pattern->class_info->mgmt_class);
	}
	if (pattern->attr_id > 0 && !mad_pattern_term(pattern, "attr"))
		say_number(text, "attr", (uint64_t)pattern->attr_id);
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];
		uint64_t value;

		if (term_value(run, term, &value))
			say_number(text, term->info->name, value);
	}
}

static void say_lie(const struct fault_step *line, GString *text)
{
	uint64_t number = 0;
	bool has_number = expr_constant_number(fault_argument(line, "lie"), &number);
	g_autofree char *about = fault_lie_text(line, number, has_number);

	g_string_append_printf(text, " %s", about);
}

/* The words of the line, with the values of its names. */
static void say_arguments(struct run *run, const struct fault_step *line, GString *text)
{
	char buf[32];

	for (guint i = 1; i < line->call->args->len; i++) {
		const struct call_arg *arg = line->call->args->pdata[i];
		uint64_t number;
		int64_t time_ns;

		/* add_rule() has it. */
		if (strcmp(arg->name, "where") == 0)
			continue;
		if (strcmp(arg->name, "lie") == 0)
			say_lie(line, text);
		else if (fault_is_way(arg->name))
			g_string_append_printf(text, " %s \"%s\"", arg->name,
					       world_end_name(run->world, arg->value));
		else if (strcmp(arg->name, "by") == 0 && expr_constant_time(arg->value, &time_ns))
			g_string_append_printf(text, " by %s", time_ns == 0 ? "0ns" :
					       time_format(time_ns, buf, sizeof(buf)));
		else if (strcmp(arg->name, "bits") == 0)
			g_string_append_printf(text, " bits=%s", arg->value->text);
		else if (!expr_constant_number(arg->value, &number))
			g_string_append_printf(text, " %s", arg->value->text);
		else if (strcmp(arg->name, "count") == 0)
			g_string_append_printf(text, " %" G_GUINT64_FORMAT, number);
		else
			g_string_append_printf(text, strcmp(arg->name, "flips") == 0 ?
					       " %s=%" G_GUINT64_FORMAT : " %s %" G_GUINT64_FORMAT,
					       arg->name, number);
	}
}

/* How many packets the line names, if it names a number. */
static bool counts_none(const struct fault_step *line)
{
	const struct expr *count = line->mad && line->mad->kind != EXPR_MAD ? line->mad :
				   fault_argument(line, "count");
	uint64_t number;

	return count && expr_constant_number(count, &number) && number == 0;
}

/* The rule as text; see sim/fabric/fault-sentence.c. */
static char *fault_sentence(struct run *run, const struct plan_step *step)
{
	const struct fault_step *line = (const struct fault_step *)step->line;
	const struct fault_plan *plan = step->resolved;
	GString *text = g_string_new(fault_argument(line, "act")->text);
	uint64_t number;

	if (plan->mad)
		say_pattern(run, plan->mad, text);
	else if (line->mad && expr_constant_number(line->mad, &number))
		g_string_append_printf(text, " %" G_GUINT64_FORMAT, number);
	say_arguments(run, line, text);
	/* One packet is what it would say if it said more. */
	if (!strchr(text->str, ' '))
		g_string_append(text, " 1");
	return g_string_free(text, false);
}

/* Adds the rule, called after its line; where no cable is ours the peer withholds its answers. */
static int add_rule(struct run *run, const struct plan_step *step,
		    const struct umadrig_fault *fault, char *reterr, size_t reterr_size)
{
	const struct fault_plan *plan = step->resolved;
	g_autofree char *name = g_strdup_printf("line %u", step->place.line);
	const struct expr *where = fault_argument((const struct fault_step *)step->line, "where");
	struct umadrig_fault named = *fault;

	named.where = where ? where->text : NULL;
	named.where_class = fault_class_of(plan);
	if (!run->world->kind->fault) {
		peer_withhold(run->peer, step, plan->mad, fault->skip,
			      fault->count > 0 ? fault->count : UINT64_MAX);
		return 0;
	}
	named.name = name;
	return run->world->kind->fault(run->world, &named, reterr, reterr_size);
}

void fault_run_line(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	struct umadrig_fault fault;
	g_autofree char *text = NULL;
	char message[512] = "";

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	/* "drop 0" drops nothing. */
	if (counts_none((const struct fault_step *)step->line))
		return;
	text = fault_sentence(run, step);
	if (run_failed(run))
		return;
	if (fault_text_parse(text, &fault, message, sizeof(message)) < 0) {
		run_fail(run, step->place, "%s", message);
		return;
	}
	if (add_rule(run, step, &fault, message, sizeof(message)) < 0)
		run_fail(run, step->place, "%s", message);
	else
		run_note(run, run_now(run), "", "fault", "ok");
	fault_text_clear(&fault);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: finds everything that can be known about a script before anything is sent.
 *
 * It walks through the lines of every point of every scenario in order, in both worlds, with a
 * table of what is bound so far. Captures that no line uses are found at the end of a scenario.
 */
#include "harness/script/check/check.h"

#include <string.h>

#include "harness/script/check/checker.h"
#include "harness/script/check/expand.h"
#include "harness/script/check/script-fabric.h"
#include "harness/script/mad/where.h"

static void check_step(struct checker *checker, struct plan_step *step)
{
	unsigned int errors = checker->diagnostics->errors;

	checker->step = step;
	check_time(checker, step);
	/* What leaves a port may come from a program: the two cannot be told apart. */
	if ((step_timing(step->line) & STEP_OUTBOUND) && checker->runs_programs)
		check_error(checker, step->place,
			    "where programs run, what leaves a port cannot be told from theirs: "
			    "look "
			    "at the capture (--keep)");
	if (step->line->verb->check)
		step->line->verb->check(checker, step);
	if (checker->diagnostics->errors > errors)
		check_lose(checker, step->line);
}

static void predefine(struct checker *checker, const char *name, enum var_kind kind)
{
	struct place nowhere = { .source = NULL };

	check_bind(checker, nowhere, name, kind);
}

static void check_point(struct checker *checker, const struct point *point)
{
	checker->bindings = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	checker->point = point;
	checker->runs_programs = point_runs_programs(point);
	checker->left = false;
	checker->base_known = true;
	checker->base_ns = 0;
	checker->busy_ns = checker->quiet_ns = 0;
	checker->waiting = 0;
	predefine(checker, "CA", VAR_TEXT);
	predefine(checker, "PORT", VAR_NUMBER);
	predefine(checker, "PEER_CA", VAR_TEXT);
	predefine(checker, "PEER_PORT", VAR_NUMBER);
	for (guint i = 0; i < point->steps->len; i++)
		check_step(checker, point->steps->pdata[i]);
	/* An invalid line may be the one that ends it. */
	if (checker->waiting > 0 && checker->diagnostics->errors == 0)
		check_error(checker, checker->last_begun->place,
			    "no line waits for the end of this call: add 'end ... = ...'");
	g_clear_pointer(&checker->bindings, g_hash_table_unref);
}

/* What is ignored applies from the beginning, when nothing is bound. */
static void check_ignore(struct checker *checker, const struct mad_expr *mad, GPtrArray *ret)
{
	struct mad_pattern *pattern =
		mad_resolve(checker->arena, checker->diagnostics, mad, MAD_LEAVES);

	if (!pattern)
		return;
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->value->kind == EXPR_CAPTURE || term->value->kind == EXPR_USE)
			check_error(checker, term->value->place,
				    "a pattern to ignore takes values, not names");
	}
	g_ptr_array_add(ret, pattern);
}

static bool is_for_hw(const struct scenario *scenario)
{
	for (guint i = 0; i < scenario->settings.needs->len; i++) {
		const struct need *need = scenario->settings.needs->pdata[i];

		if (need->kind == NEED_HW)
			return true;
	}
	return false;
}

static void check_points(struct checker *checker, struct plan *plan, struct plan_scenario *of)
{
	g_autofree char *objection = NULL;
	const struct script_fabric *fabric = is_for_hw(of->scenario) ? NULL :
		script_fabric_of(plan->fabrics, checker->diagnostics, &of->scenario->settings,
				 &objection);

	if (objection)
		of->objection = arena_text(plan->arena, objection, strlen(objection));
	for (int on_sim = 1; on_sim >= 0; on_sim--) {
		if (!on_sim && !scenario_worlds_differ(of->scenario)) {
			of->points[0] = g_ptr_array_ref(of->points[1]);
			break;
		}
		of->points[on_sim] = scenario_expand(plan, of, on_sim);
		checker->fabric = on_sim ? fabric : NULL;
		for (guint i = 0; i < of->points[on_sim]->len; i++)
			check_point(checker, of->points[on_sim]->pdata[i]);
	}
}

/* Does a point have a line to run, in either world? */
static bool has_events(const struct plan_scenario *of)
{
	for (int on_sim = 0; on_sim < 2; on_sim++) {
		for (guint i = 0; i < of->points[on_sim]->len; i++) {
			const struct point *point = of->points[on_sim]->pdata[i];

			if (point->steps->len > 0)
				return true;
		}
	}
	return false;
}

static void check_scenario(struct plan *plan, const struct scenario *scenario)
{
	struct checker checker = {
		.arena = plan->arena,
		.diagnostics = plan->script->diagnostics,
		.captures = g_ptr_array_new_with_free_func(g_free),
		.captures_at = check_captures_new(),
		.lost = g_hash_table_new(g_str_hash, g_str_equal),
	};
	struct plan_scenario *of = arena_alloc(plan->arena, sizeof(*of));

	of->scenario = scenario;
	of->ignores = arena_array(plan->arena);
	g_ptr_array_add(plan->scenarios, of);
	for (guint i = 0; i < scenario->lost->len; i++)
		g_hash_table_add(checker.lost, scenario->lost->pdata[i]);
	check_points(&checker, plan, of);
	if (scenario->settings.schedule && scenario->settings.real_clock)
		check_error(&checker, scenario->settings.schedule->place,
			    "'schedule' is of virtual time: in real time ('clock real') chance "
			    "decides which program runs next");
	if (scenario->settings.replay)
		of->replay_where = where_resolve(checker.arena, checker.diagnostics,
						 scenario->settings.replay->where);
	for (guint i = 0; i < scenario->settings.ignores->len; i++)
		check_ignore(&checker, scenario->settings.ignores->pdata[i], of->ignores);
	for (guint i = 0; i < checker.captures->len; i++) {
		const struct captured *captured = checker.captures->pdata[i];

		/* An invalid line may be the one that uses it. */
		if (!captured->used && checker.diagnostics->errors == 0)
			check_error(&checker, captured->place, "?%s is never used: remove it",
				    captured->name);
	}
	/* If events could not be parsed, do not report that there are none. */
	if (checker.diagnostics->errors == 0 && !has_events(of))
		check_error(&checker, scenario->place, "this scenario has no events");
	g_hash_table_unref(checker.lost);
	g_hash_table_unref(checker.captures_at);
	g_ptr_array_unref(checker.captures);
}

struct plan *script_check(const struct script *script)
{
	struct plan *plan = g_new0(struct plan, 1);

	plan->script = script;
	plan->scenarios = g_ptr_array_new();
	plan->arena = arena_new();
	plan->fabrics = script_fabrics_new();
	for (guint i = 0; i < script->scenarios->len; i++)
		check_scenario(plan, script->scenarios->pdata[i]);
	return plan;
}

void plan_diagnose_objections(const struct plan *plan)
{
	for (guint i = 0; i < plan->scenarios->len; i++) {
		const struct plan_scenario *of = plan->scenarios->pdata[i];

		if (of->objection)
			diagnose_error(plan->script->diagnostics,
				       of->scenario->settings.topology_place, "%s", of->objection);
	}
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: everything that can be known of a script before anything is sent.
 *
 * Every point of every scenario is walked in the order of its lines, in both worlds, with a table
 * of what is bound by then. Captures that no line uses are found at the end of a scenario.
 */
#include "harness/script/check/script-checker.h"

#include <string.h>

#include "kmod-stub/event.h"
#include "harness/script/check/script-calls.h"
#include "harness/script/mad/script-mad.h"

void check_error(struct checker *checker, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(checker->diagnostics, place, true, format, args);
	va_end(args);
}

/* ---- calls ---- */

static void check_methods(struct checker *checker, const struct expr *expr)
{
	uint64_t mask[2];
	const struct expr *bad;

	if (expr->kind != EXPR_SET)
		check_error(checker, expr->place, "methods are a set: {Get, Set}");
	else if (!method_mask(expr, mask, &bad))
		check_error(checker, bad->place,
			    "this is no method: say Get, Set, Send, Trap, Report, TrapRepress, "
			    "GetTable, GetMulti, Delete, or a number up to 127");
}

static void check_port(struct checker *checker, const struct expr *expr)
{
	if (expr->kind == EXPR_STRING)
		return;
	if (expr->kind == EXPR_WORD &&
	    (strcmp(expr->text, "self") == 0 || strcmp(expr->text, "peer") == 0))
		return;
	if (expr->kind == EXPR_USE)
		check_bound(checker, expr, VAR_TEXT);
	else
		check_error(checker, expr->place,
			    "a port is self, peer, $CA or a device in quotes");
}

static void check_ms(struct checker *checker, const struct expr *expr)
{
	int64_t time_ns;
	uint64_t number;

	if (expr->kind == EXPR_NUMBER)
		return;
	if (!expr_constant_time(expr, &time_ns)) {
		if (!expr_constant_number(expr, &number))
			check_error(checker, expr->place, "a timeout is a time, as 100ms");
		return;
	}
	if (time_ns % NS_PER_MS != 0 || time_ns / NS_PER_MS > UINT32_MAX)
		check_error(checker, expr->place, "a timeout is a whole number of milliseconds");
}

static void check_arg(struct checker *checker, const struct param *param, const struct expr *expr)
{
	switch (param->kind) {
	case PARAM_HANDLE:
		check_bound(checker, expr, VAR_HANDLE);
		return;
	case PARAM_FILE:
		check_bound(checker, expr, VAR_FILE);
		return;
	case PARAM_AGENT:
		if (expr->kind == EXPR_NUMBER || expr->kind == EXPR_NEGATIVE)
			check_number(checker, expr);
		else
			check_bound(checker, expr, VAR_AGENT);
		return;
	case PARAM_NUMBER:
		if (expr->kind != EXPR_WORD || mad_class_by_name(expr->text) == NULL)
			check_number(checker, expr);
		return;
	case PARAM_MS:
		check_ms(checker, expr);
		return;
	case PARAM_METHODS:
		check_methods(checker, expr);
		return;
	case PARAM_PORT:
		check_port(checker, expr);
		return;
	case PARAM_WORD:
		if (expr->kind == EXPR_NUMBER)
			return;
		if (expr->kind != EXPR_WORD || !call_word_known(param, expr->text))
			check_error(checker, expr->place,
				    "a request is REGISTER_AGENT, REGISTER_AGENT2, "
				    "UNREGISTER_AGENT, ENABLE_PKEY, or a number");
		return;
	case PARAM_DATA:
		check_data(checker, expr);
		return;
	case PARAM_MAD:
		return;	/* by the caller: it is bound last */
	}
}

bool expr_is_nothing(const struct expr *expr)
{
	return expr != NULL && expr->kind == EXPR_WORD && strcmp(expr->text, "nothing") == 0;
}

static void check_poll_set(struct checker *checker, const struct expr *set)
{
	static const char *const words[] = { "IN", "OUT", "ERR", "HUP", NULL };

	for (guint i = 0; i < set->items->len; i++) {
		const struct expr *item = set->items->pdata[i];

		if (item->kind != EXPR_WORD || !g_strv_contains(words, item->text))
			check_error(checker, item->place, "what poll says is IN, OUT, ERR, HUP");
	}
}

/* What must come back. 'reads': the call reads a MAD. */
void check_result(struct checker *checker, struct step *step, const struct call_kind *kind,
		  bool reads)
{
	if (step->result == NULL)
		return;
	if (expr_is_nothing(step->result)) {
		if (!kind->is_recv || step->verb == STEP_END)
			check_error(checker, step->result->place, "only umad_recv() gives nothing");
	} else if (step->result->kind == EXPR_SET && strcmp(kind->name, "file.poll") == 0) {
		check_poll_set(checker, step->result);
	} else {
		check_number(checker, step->result);
	}
	if (step->result_umad != NULL && step->result_umad->fields->len > 0) {
		step->patterns.umad = check_mad(checker, step->result_umad, MAD_HEADER);
		for (guint i = 0; step->patterns.umad != NULL && !reads &&
		     i < step->patterns.umad->terms->len; i++) {
			const struct mad_term *term = step->patterns.umad->terms->pdata[i];

			if (term->info->where != TERM_RESULT)
				check_error(checker, term->place,
					    "%s() reads no MAD: it has errno= only", kind->name);
		}
	}
	if (step->result_mad == NULL)
		return;
	if (!reads)
		check_error(checker, step->result_mad->place, "%s() reads no MAD", kind->name);
	else
		step->patterns.result = check_mad_expr(checker, step->result_mad, MAD_RECEIVED);
}

const struct call_kind *check_call_args(struct checker *checker, struct step *step,
					struct call_args *ret_args)
{
	const char *suggestion = NULL;
	const struct call_kind *kind = call_find(step->call->name, &suggestion);

	if (kind == NULL) {
		if (suggestion != NULL)
			check_error(checker, step->call->place,
				    "there is no call %s(): did you mean %s()?", step->call->name,
				    suggestion);
		else
			check_error(checker, step->call->place, "there is no call %s()",
				    step->call->name);
		return NULL;
	}
	if (!call_bind_args(checker->diagnostics, kind, step->call, ret_args))
		return NULL;
	for (int i = 0; i < CALL_PARAMS_MAX && kind->params[i].name != NULL; i++) {
		const struct expr *arg = ret_args->at[i];

		if (arg == NULL)
			continue;
		check_arg(checker, &kind->params[i], arg);
		if (kind->params[i].kind == PARAM_MAD)
			step->patterns.mad = check_mad_expr(checker, arg, MAD_SENT);
	}
	return kind;
}

static void check_call(struct checker *checker, struct step *step)
{
	struct call_args args;
	const struct call_kind *kind = check_call_args(checker, step, &args);
	bool reads;

	if (kind == NULL)
		return;
	if (kind->waits && args.at[WAIT_AT_TIMEOUT] != NULL)
		check_error(checker, args.at[WAIT_AT_TIMEOUT]->place,
			    "a call that waits is started: start r = %s(...), and later "
			    "end r = ...", kind->name);
	if (!kind->is_recv && step->time.kind != STEP_TIME_POINT)
		check_error(checker, step->time.place, "%s() is called at a point in time, as +1ms",
			    kind->name);
	reads = kind->is_recv || strcmp(kind->name, "file.read") == 0;
	check_result(checker, step, kind, reads);
	if (step->bind != NULL)
		check_bind(checker, step->bind_place, step->bind,
			   kind->binds != VAR_NONE ? kind->binds : VAR_NUMBER);
}

/* ---- the peer ---- */

static void check_listens(struct checker *checker, const struct step *step)
{
	static const char *const names[] = { "class", "version", "oui", "methods", NULL };
	bool has_class = false, has_methods = false;

	for (guint i = 0; i < step->call->args->len; i++) {
		const struct call_arg *arg = step->call->args->pdata[i];
		const struct mad_class_info *info = arg->value->kind == EXPR_WORD ?
						    mad_class_by_name(arg->value->text) : NULL;
		uint64_t number;

		if (!g_strv_contains(names, arg->name)) {
			check_error(checker, arg->place,
				    "a peer listens to class=, version=, oui=, methods=");
			continue;
		}
		has_class |= strcmp(arg->name, "class") == 0;
		if (strcmp(arg->name, "methods") == 0) {
			has_methods = true;
			check_methods(checker, arg->value);
		} else if (!(info != NULL && strcmp(arg->name, "class") == 0) &&
			   (!expr_constant_number(arg->value, &number) || number > 0xffffff)) {
			check_error(checker, arg->value->place, "here must stand a number");
		}
	}
	if (!has_class || !has_methods)
		check_error(checker, step->place,
			    "say what the peer listens to: class= and methods={...}");
}

static void check_answers(struct checker *checker, struct step *step)
{
	int64_t after_ns;

	step->patterns.mad = check_mad_expr(checker, step->mad, MAD_ASKED);
	check_class(checker, step->patterns.mad);
	if (step->patterns.mad != NULL && (step->patterns.mad->method & MAD_METHOD_RESPONSE))
		check_error(checker, step->mad->place, "a response is not answered");
	if (step->after != NULL && !expr_constant_time(step->after, &after_ns))
		check_error(checker, step->after->place, "here must stand a time, as 1ms");
	if (step->answer != NULL)
		step->patterns.answer = check_mad(checker, step->answer, MAD_ANSWER);
}

/* ---- points ---- */

static void check_step(struct checker *checker, struct step *step)
{
	check_time(checker, step);
	switch (step->verb) {
	case STEP_ARRIVES:
		step->patterns.mad = check_mad_expr(checker, step->mad, MAD_ARRIVES);
		check_class(checker, step->patterns.mad);
		return;
	case STEP_LEAVES:
		check_no_programs(checker, step);
		step->patterns.mad = check_mad_expr(checker, step->mad, MAD_LEAVES);
		checker->left = true;
		return;
	case STEP_SAME:
		check_no_programs(checker, step);
		/* A line that is wrong may be the one that is meant. */
		if (!checker->left && checker->diagnostics->errors == 0)
			check_error(checker, step->place,
				    "there is no '>' above that this could be the same as");
		return;
	case STEP_SILENCE:
		check_no_programs(checker, step);
		return;
	case STEP_CALL:
		check_call(checker, step);
		return;
	case STEP_PEER_LISTENS:
		check_listens(checker, step);
		return;
	case STEP_PEER_ANSWERS:
		check_answers(checker, step);
		return;
	case STEP_FAULT:
		check_fault(checker, step);
		return;
	case STEP_RUN:
		check_run(checker, step);
		return;
	case STEP_STOP:
		check_stop(checker, step);
		return;
	case STEP_LINK:
	case STEP_POWER:
		check_link(checker, step);
		return;
	case STEP_DO:
		check_do(checker, step);
		return;
	case STEP_CHECK:
		check_counter(checker, step);
		return;
	case STEP_WIRE:
		check_wire(checker, step);
		return;
	case STEP_START:
		check_start(checker, step);
		return;
	case STEP_END:
		check_end(checker, step);
		return;
	}
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
	checker->left = false;
	checker->base_known = true;
	checker->base_ns = 0;
	checker->busy_ns = checker->quiet_ns = 0;
	checker->started = g_ptr_array_new();
	checker->ended = 0;
	predefine(checker, "CA", VAR_TEXT);
	predefine(checker, "PORT", VAR_NUMBER);
	predefine(checker, "PEER_CA", VAR_TEXT);
	predefine(checker, "PEER_PORT", VAR_NUMBER);
	for (guint i = 0; i < point->steps->len; i++) {
		unsigned int errors = checker->diagnostics->errors;

		check_step(checker, point->steps->pdata[i]);
		if (checker->diagnostics->errors > errors)
			check_lose(checker, point->steps->pdata[i]);
	}
	/* A line that is wrong may be the one that ends it. */
	if (checker->ended < checker->started->len && checker->diagnostics->errors == 0)
		check_error(checker, ((const struct step *)g_ptr_array_index(
					     checker->started, checker->started->len - 1))->place,
			    "no line says how this call ends: end ... = ...");
	g_clear_pointer(&checker->started, g_ptr_array_unref);
	g_clear_pointer(&checker->bindings, g_hash_table_unref);
}

/* What is ignored is so from the beginning, when nothing is bound. */
static void check_ignore(struct checker *checker, const struct mad_expr *mad)
{
	const struct mad_pattern *pattern = mad_resolve(checker->script, mad, MAD_LEAVES);

	for (guint i = 0; pattern != NULL && i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->value->kind == EXPR_CAPTURE || term->value->kind == EXPR_USE)
			check_error(checker, term->value->place,
				    "what is ignored has no names: say a value");
	}
}

static void check_scenario(struct checker *checker, struct scenario *scenario)
{
	checker->captures = g_ptr_array_new_with_free_func(g_free);
	checker->lost = scenario->lost;
	for (int on_sim = 1; on_sim >= 0; on_sim--) {
		if (!on_sim && !scenario_worlds_differ(scenario)) {
			scenario->points[0] = g_ptr_array_ref(scenario->points[1]);
			break;
		}
		scenario->points[on_sim] = scenario_expand(checker->script, scenario, on_sim);
		for (guint i = 0; i < scenario->points[on_sim]->len; i++)
			check_point(checker, scenario->points[on_sim]->pdata[i]);
	}
	check_replay(checker, scenario->settings.replay);
	for (guint i = 0; i < scenario->settings.ignores->len; i++)
		check_ignore(checker, scenario->settings.ignores->pdata[i]);
	for (guint i = 0; i < checker->captures->len; i++) {
		const struct captured *captured = checker->captures->pdata[i];

		/* A line that is wrong may be the one that uses it. */
		if (!captured->used && checker->diagnostics->errors == 0)
			check_error(checker, captured->place, "?%s is never used: leave it out",
				    captured->name);
	}
	g_clear_pointer(&checker->captures, g_ptr_array_unref);
	/* Events that could not be read are no reason to say that there are none. */
	if (scenario->items->len == 0 && checker->diagnostics->errors == 0)
		check_error(checker, scenario->place, "this scenario has no events");
}

bool script_check(struct script *script)
{
	struct checker checker = { .script = script, .diagnostics = script->diagnostics };

	for (guint i = 0; i < script->scenarios->len; i++)
		check_scenario(&checker, script->scenarios->pdata[i]);
	return script->diagnostics->errors == 0;
}

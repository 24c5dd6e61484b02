/*
 * The checker: everything that can be known of a script before anything is sent.
 *
 * Every point of every scenario is walked in the order of its lines, in both worlds, with a table
 * of what is bound by then. Captures that no line uses are found at the end of a scenario.
 */
#include "script-checker.h"

#include <string.h>

#include "event.h"
#include "script-calls.h"
#include "script-mad.h"

void check_error(struct checker *checker, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(checker->diagnostics, place, true, format, args);
	va_end(args);
}

/* ---- names ---- */

static struct captured *find_captured(struct checker *checker, struct place place, const char *name)
{
	struct captured *captured;

	for (guint i = 0; i < checker->captures->len; i++) {
		captured = checker->captures->pdata[i];
		if (captured->place.source == place.source &&
		    captured->place.offset == place.offset)
			return captured;
	}
	captured = g_new0(struct captured, 1);
	captured->place = place;
	captured->name = name;
	g_ptr_array_add(checker->captures, captured);
	return captured;
}

static void bind(struct checker *checker, struct place place, const char *name, enum var_kind kind,
		 struct captured *captured)
{
	const struct binding *earlier = g_hash_table_lookup(checker->bindings, name);
	struct binding *binding;

	if (earlier != NULL) {
		if (earlier->line != 0)
			check_error(checker, place,
				    "%s is bound already, in line %u: names are bound once", name,
				    earlier->line);
		else
			check_error(checker, place, "%s is the runner's own name", name);
		return;
	}
	binding = g_new0(struct binding, 1);
	binding->kind = kind;
	binding->captured = captured;
	binding->line = place.line;
	g_hash_table_insert(checker->bindings, g_strdup(name), binding);
}

void check_bind(struct checker *checker, struct place place, const char *name, enum var_kind kind)
{
	bind(checker, place, name, kind, NULL);
}

/* ?name */
static void bind_capture(struct checker *checker, const struct expr *expr)
{
	struct captured *captured = NULL;

	if (!g_hash_table_contains(checker->bindings, expr->text))
		captured = find_captured(checker, expr->place, expr->text);
	bind(checker, expr->place, expr->text, VAR_NUMBER, captured);
}

/* What is bound to 'name'; it counts as used. */
const struct binding *check_lookup(struct checker *checker, const char *name)
{
	const struct binding *binding = g_hash_table_lookup(checker->bindings, name);

	if (binding != NULL && binding->captured != NULL)
		binding->captured->used = true;
	return binding;
}

static const char *kind_name(enum var_kind kind)
{
	switch (kind) {
	case VAR_NONE: return "nothing";
	case VAR_NUMBER: return "a number";
	case VAR_TEXT: return "a device";
	case VAR_HANDLE: return "a handle of umad_open_port()";
	case VAR_FILE: return "a file of file.open()";
	case VAR_AGENT: return "an agent";
	case VAR_STARTED: return "a call that was started";
	}
	return "?";
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void unknown_name(struct checker *checker, const struct expr *expr)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	GHashTableIter iter;
	gpointer name;
	const char *closest;

	g_hash_table_iter_init(&iter, checker->bindings);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		g_ptr_array_add(names, name);
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	/* Of one or two letters everything is a typo away from everything. */
	closest = strlen(expr->text) < 3 ? NULL :
		  mad_closest(expr->text, (const char *const *)names->pdata);
	if (closest != NULL)
		check_error(checker, expr->place,
			    "%s%s is not bound by any line above: did you mean %s?",
			    expr->kind == EXPR_USE ? "$" : "", expr->text, closest);
	else
		check_error(checker, expr->place, "%s%s is not bound by any line above",
			    expr->kind == EXPR_USE ? "$" : "", expr->text);
}

/* Must be bound to 'kind'. */
static void check_bound(struct checker *checker, const struct expr *expr, enum var_kind kind)
{
	const struct binding *binding;

	if (expr->kind != EXPR_WORD && expr->kind != EXPR_USE) {
		check_error(checker, expr->place, "here must stand the name of %s",
			    kind_name(kind));
		return;
	}
	binding = check_lookup(checker, expr->text);
	if (binding == NULL)
		unknown_name(checker, expr);
	else if (binding->kind != kind)
		check_error(checker, expr->place, "%s is %s, here must stand %s", expr->text,
			    kind_name(binding->kind), kind_name(kind));
}

/* A number, of constants and of what is bound to numbers and agents. */
static void check_number(struct checker *checker, const struct expr *expr)
{
	const struct binding *binding;
	uint64_t number;

	switch (expr->kind) {
	case EXPR_NUMBER:
		return;
	case EXPR_NEGATIVE:
		if (!expr_constant_number(expr->left, &number))
			check_error(checker, expr->left->place, "there is no error called %s",
				    expr->left->text);
		return;
	case EXPR_BINARY:
		check_number(checker, expr->left);
		check_number(checker, expr->right);
		return;
	case EXPR_WORD:
	case EXPR_USE:
		binding = check_lookup(checker, expr->text);
		if (binding != NULL) {
			if (binding->kind != VAR_NUMBER && binding->kind != VAR_AGENT)
				check_error(checker, expr->place,
					    "%s is %s, here must stand a number", expr->text,
					    kind_name(binding->kind));
			return;
		}
		if (expr->kind == EXPR_WORD && (expr_constant_number(expr, &number) ||
						strcmp(expr->text, "hdr") == 0))
			return;
		unknown_name(checker, expr);
		return;
	case EXPR_TIME:
	case EXPR_CAPTURE:
	case EXPR_STRING:
	case EXPR_SET:
	case EXPR_MAD:
	case EXPR_PIECE:
		check_error(checker, expr->place, "here must stand a number");
		return;
	}
}

/* ---- MADs ---- */

static bool is_role_word(const char *text)
{
	return strcmp(text, "self") == 0 || strcmp(text, "peer") == 0 || strcmp(text, "sm") == 0;
}

static void check_role(struct checker *checker, const struct expr *value)
{
	if (value->kind == EXPR_STRING)
		return;
	if (value->kind == EXPR_WORD && is_role_word(value->text))
		return;
	check_error(checker, value->place,
		    "an address is a role (self, peer, sm) or a port in quotes (\"H2[1]\")");
}

/* paths, paths[3] */
static void check_data(struct checker *checker, const struct expr *value)
{
	if (value->kind != EXPR_WORD && value->kind != EXPR_PIECE)
		check_error(checker, value->place, "here must stand the name of data");
	else if (payload_find(checker->point, value->text) == NULL)
		check_error(checker, value->place, "there is no data called %s: say "
			    "'data %s = pattern(200)'", value->text, value->text);
	else if (value->kind == EXPR_PIECE)
		check_number(checker, value->left);
}

/* The data of packet(DATA). */
static void check_packet(struct checker *checker, const struct expr *data)
{
	const struct payload *payload = payload_find(checker->point, data->text);
	size_t size;

	if (payload == NULL)
		check_data(checker, data);
	else if (payload_size(checker->point, payload, &size) &&
		 (size < PACKET_SIZE_LEAST || size > PACKET_SIZE_MAX))
		check_error(checker, data->place,
			    "a packet has %d to %d bytes, from the LRH through the VCRC: %s has "
			    "%zu", PACKET_SIZE_LEAST, PACKET_SIZE_MAX, data->text, size);
}

static void check_term(struct checker *checker, const struct mad_term *term)
{
	const struct expr *value = term->value;
	uint64_t number;

	if (term->info != NULL &&
	    (term->info->where == TERM_TO || term->info->where == TERM_FROM)) {
		check_role(checker, value);
		return;
	}
	if (term->info != NULL && term->info->where == TERM_DATA) {
		check_data(checker, value);
		return;
	}
	if (value->kind == EXPR_SET || value->kind == EXPR_STRING || value->kind == EXPR_TIME)
		return;	/* mad_resolve() has looked at them */
	if (value->kind == EXPR_CAPTURE)
		return;
	if (value->kind == EXPR_WORD && term_word(term, value->text, &number))
		return;
	if (value->kind == EXPR_WORD && term->info != NULL && term->info->format == TERM_GID &&
	    is_role_word(value->text))
		return;
	check_number(checker, value);
}

/* Resolves, and checks what the fields use; then binds what they capture. */
static const struct mad_pattern *check_mad(struct checker *checker, const struct mad_expr *mad,
					   enum mad_use use)
{
	const struct mad_pattern *pattern = mad_resolve(checker->script, mad, use);

	if (pattern == NULL)
		return NULL;
	if (pattern->packet != NULL)
		check_packet(checker, pattern->packet);
	for (guint i = 0; i < pattern->terms->len; i++)
		check_term(checker, pattern->terms->pdata[i]);
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->value->kind == EXPR_CAPTURE)
			bind_capture(checker, term->value);
	}
	return pattern;
}

/* Where a MAD must stand; what else stands there is no MAD. */
const struct mad_pattern *check_mad_expr(struct checker *checker, const struct expr *expr,
					 enum mad_use use)
{
	if (expr->kind == EXPR_MAD)
		return check_mad(checker, expr->mad, use);
	if (expr->kind == EXPR_USE)
		check_error(checker, expr->place,
			    "$%s is no MAD: only names of 'each' stand for MADs", expr->text);
	else
		check_error(checker, expr->place, "here must stand a MAD, as VendGet(0x0010)");
	return NULL;
}

/* A MAD that is built needs one class: named, or the only one of its methods. */
static void check_class(struct checker *checker, const struct mad_pattern *pattern)
{
	const struct mad_class_info *info;

	if (pattern == NULL || pattern->packet != NULL ||
	    mad_pattern_term(pattern, "class") != NULL)
		return;
	info = pattern->class_info;
	if (info == NULL)
		check_error(checker, pattern->place, "here must stand a MAD, as VendGet(0x0010)");
	else if (info->mgmt_class != info->last)
		check_error(checker, pattern->place,
			    "%s stands for the classes 0x%02x to 0x%02x: say class=", info->prefix,
			    info->mgmt_class, info->last);
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
		bind(checker, step->bind_place, step->bind,
		     kind->binds != VAR_NONE ? kind->binds : VAR_NUMBER, NULL);
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
		if (!checker->left)
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

	bind(checker, nowhere, name, kind, NULL);
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
	for (guint i = 0; i < point->steps->len; i++)
		check_step(checker, point->steps->pdata[i]);
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

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Expansion: turns a scenario into test points, each a flat list of steps in which the names of
 * 'each' are replaced by a row's cells, defines are expanded, 'on' blocks chosen and times
 * computed.
 *
 * The points are made anew for each choice of 'vary' (harness/script/check/vary.c).
 *
 * A point consists of the events before an 'each' block and those of one row; or, if a scenario has
 * no 'each' or has events after it, of all events outside such blocks. Every point runs on a fabric
 * of its own.
 *
 * Parsed expressions are shared and never changed. A define may use earlier ones only, so expansion
 * ends; its size, depth and length are limited (EXPR_WEIGHT_MAX and below).
 */
#include "harness/script/check/expand.h"

#include <string.h>

#include "harness/script/check/vary.h"
#include "harness/script/mad/payload.h"
#include "harness/script/parse/parser.h"

/*
 * Limits: defines within defines; and values, lines and points of all scenarios of a script after
 * expansion. The largest shipped script reaches half of that.
 */
#define EXPAND_DEPTH_MAX 64
#define EXPAND_WORK_MAX 4000000
#define POINT_WORK 10		/* a point takes as much memory as this many values */

struct expander {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *label;		/* of the script */
	const struct plan_scenario *plan;
	const struct scenario *scenario;
	bool on_sim;
	struct bindings row;
	struct bindings varied;	/* visible everywhere, in defines too */
	GPtrArray *steps;
	unsigned int depth;
	size_t *work;		/* the plan's */
};

static const struct expr *bound(const struct expander *expander, const struct bindings *bindings,
				const char *name)
{
	const struct expr *value = bindings_find(bindings, name);

	return value ? value : bindings_find(&expander->varied, name);
}

static const struct expr *expand_expr(struct expander *expander, const struct expr *expr,
				      const struct bindings *bindings, guint defines);

static struct expr *copy_expr(struct expander *expander, const struct expr *expr)
{
	struct expr *copy = arena_alloc(expander->arena, sizeof(*copy));

	*copy = *expr;
	return copy;
}

static const struct define *find_define(const struct expander *expander, const char *name,
					guint before)
{
	for (guint i = 0; i < before; i++) {
		const struct define *define = expander->scenario->defines->pdata[i];

		if (strcmp(define->name, name) == 0)
			return define;
	}
	return NULL;
}

static bool same_field(const struct field_expr *a, const struct field_expr *b)
{
	return a->in_attribute == b->in_attribute && a->is_mut == b->is_mut &&
	       a->has_range == b->has_range &&
	       a->first == b->first && a->last == b->last && strcmp(a->name, b->name) == 0;
}

/* A later field of the same name replaces the earlier one, so that a define can be overridden. */
static void add_field(GPtrArray *fields, const struct field_expr *field)
{
	for (guint i = 0; i < fields->len; i++) {
		if (same_field(fields->pdata[i], field)) {
			fields->pdata[i] = (void *)field;
			return;
		}
	}
	g_ptr_array_add(fields, (void *)field);
}

static bool expand_fields(struct expander *expander, const GPtrArray *fields,
			  const struct bindings *bindings, guint defines, GPtrArray *ret_fields)
{
	for (guint i = 0; i < fields->len; i++) {
		const struct field_expr *field = fields->pdata[i];
		const struct expr *value = expand_expr(expander, field->value, bindings, defines);
		struct field_expr *copy;

		if (!value)
			return false;
		if (value == field->value) {
			add_field(ret_fields, field);
			continue;
		}
		copy = arena_alloc(expander->arena, sizeof(*copy));
		*copy = *field;
		copy->value = value;
		add_field(ret_fields, copy);
	}
	return true;
}

static bool expand_args(struct expander *expander, const GPtrArray *args,
			const struct bindings *bindings, guint defines, GPtrArray *ret_args)
{
	for (guint i = 0; i < args->len; i++) {
		const struct expr *arg = expand_expr(expander, args->pdata[i], bindings, defines);

		if (!arg)
			return false;
		g_ptr_array_add(ret_args, (void *)arg);
	}
	return true;
}

static struct mad_expr *expand_mad(struct expander *expander, const struct mad_expr *mad,
				   const struct bindings *bindings, guint defines);
static bool within_bounds(struct expander *expander, struct place place);

/* The MAD of a define with its parameters filled in. */
static struct mad_expr *apply_define(struct expander *expander, const struct define *define,
				     const struct mad_expr *use, const GPtrArray *args)
{
	struct bindings own = { define->params, args, NULL };
	struct mad_expr *mad;
	guint before = 0;

	if (args->len != define->params->len) {
		diagnose_error(expander->diagnostics, use->place,
			       "%s takes %u values, not %u", define->name, define->params->len,
			       args->len);
		return NULL;
	}
	while (expander->scenario->defines->pdata[before] != define)
		before++;
	if (!within_bounds(expander, use->place))
		return NULL;
	expander->depth++;
	mad = expand_mad(expander, define->mad, &own, before);
	expander->depth--;
	return mad;
}

/* 'copy' continues 'base': its own fields come on top of it. */
static void take_base(struct mad_expr *copy, const struct mad_expr *base)
{
	copy->name = base->name;
	copy->args = base->args;
	copy->exact |= base->exact;
	for (guint i = 0; i < base->fields->len; i++)
		add_field(copy->fields, base->fields->pdata[i]);
}

/* Resolves the name of a MAD: to '*ret_name', or to the define '*ret_base'. */
static bool resolve_name(struct expander *expander, const struct mad_expr *mad,
			 const struct bindings *bindings, const char **ret_name,
			 const struct mad_expr **ret_base)
{
	static const struct bindings nothing;
	const struct expr *name = mad->name ? bound(expander, bindings, mad->name) : NULL;

	*ret_name = mad->name;
	*ret_base = NULL;
	if (!name && !mad->is_use)
		return true;
	if (name && name->kind == EXPR_MAD && mad->args->len == 0) {
		/* A cell may itself be the name of a define. */
		name = expand_expr(expander, name, &nothing, expander->scenario->defines->len);
		*ret_base = name ? name->mad : NULL;
		return name != NULL;
	}
	if (name && name->kind == EXPR_WORD) {
		*ret_name = name->text;
		return true;
	}
	diagnose_error(expander->diagnostics, name ? name->place : mad->place,
		       !name ?
			       "$%s is not a MAD: only names of 'each' and 'define' can be" :
			       "%s must be a MAD or a method here",
		       mad->name);
	return false;
}

static struct mad_expr *expand_mad(struct expander *expander, const struct mad_expr *mad,
				   const struct bindings *bindings, guint defines)
{
	struct mad_expr *copy = arena_alloc(expander->arena, sizeof(*copy));
	const struct mad_expr *base;
	const struct define *define;

	*copy = *mad;
	copy->is_use = false;
	copy->args = arena_array(expander->arena);
	copy->fields = arena_array(expander->arena);
	if (!resolve_name(expander, mad, bindings, &copy->name, &base) ||
	    !expand_args(expander, mad->args, bindings, defines, copy->args))
		return NULL;
	define = !base && copy->name ? find_define(expander, copy->name, defines) :
						      NULL;
	if (define) {
		base = apply_define(expander, define, copy, copy->args);
		if (!base)
			return NULL;
	}
	if (base)
		take_base(copy, base);
	if (!expand_fields(expander, mad->fields, bindings, defines, copy->fields))
		return NULL;
	return copy;
}

static const struct expr *checked_weight(struct expander *expander, const struct expr *expr)
{
	if (expr->weight <= EXPR_WEIGHT_MAX)
		return expr;
	diagnose_error(expander->diagnostics, expr->place,
		       "this is too large with its defines written out");
	return NULL;
}

static const struct expr *expand_set(struct expander *expander, const struct expr *expr,
				     const struct bindings *bindings, guint defines)
{
	struct expr *copy = copy_expr(expander, expr);

	copy->items = arena_array(expander->arena);
	if (!expand_args(expander, expr->items, bindings, defines, copy->items))
		return NULL;
	copy->weight = 1;
	for (guint i = 0; i < copy->items->len; i++)
		copy->weight += ((const struct expr *)copy->items->pdata[i])->weight;
	return checked_weight(expander, copy);
}

static const struct expr *expand_operands(struct expander *expander, const struct expr *expr,
					  const struct bindings *bindings, guint defines)
{
	struct expr *copy;
	const struct expr *left = expand_expr(expander, expr->left, bindings, defines);
	const struct expr *right = !expr->right ? NULL :
				   expand_expr(expander, expr->right, bindings, defines);

	if (!left || (expr->right && !right))
		return NULL;
	if (left == expr->left && right == expr->right)
		return expr;
	copy = copy_expr(expander, expr);
	copy->left = left;
	copy->right = right;
	copy->weight = 1 + left->weight + (right ? right->weight : 0);
	return checked_weight(expander, copy);
}

/* Counts one more expansion for 'place'; reports once that there are too many, or too deep ones. */
static bool within_bounds(struct expander *expander, struct place place)
{
	if (++*expander->work > EXPAND_WORK_MAX) {
		if (*expander->work < 2 * (size_t)EXPAND_WORK_MAX)
			diagnose_error(expander->diagnostics, expander->scenario->place,
				       "the script is too large with its rows, 'vary' and defines "
				       "written out: more than %d lines and values",
				       EXPAND_WORK_MAX);
		/*
		 * Reported: set the count far beyond the limit, so that it is not reported again.
		 */
		*expander->work = 2 * (size_t)EXPAND_WORK_MAX;
		return false;
	}
	if (expander->depth <= EXPAND_DEPTH_MAX)
		return true;
	diagnose_error(expander->diagnostics, place, "defines use each other more than %d deep",
		       EXPAND_DEPTH_MAX);
	return false;
}

static const struct expr *expand_mad_expr(struct expander *expander, const struct expr *expr,
					  const struct bindings *bindings, guint defines)
{
	struct expr *copy = copy_expr(expander, expr);

	copy->mad = expand_mad(expander, expr->mad, bindings, defines);
	if (!copy->mad)
		return NULL;
	copy->weight = mad_expr_weight(copy->mad);
	return checked_weight(expander, copy);
}

/* A word that names a define without parameters means its MAD. */
static const struct expr *expand_word(struct expander *expander, const struct expr *expr,
				      guint defines)
{
	const struct define *define = find_define(expander, expr->text, defines);
	struct expr *copy;

	if (!define || define->params->len > 0)
		return expr;
	copy = copy_expr(expander, expr);
	copy->kind = EXPR_MAD;
	copy->mad = apply_define(expander, define, define->mad, define->params);
	if (!copy->mad)
		return NULL;
	copy->weight = mad_expr_weight(copy->mad);
	return checked_weight(expander, copy);
}

/* 'expr' with bound names replaced and the first 'defines' expanded; NULL: diagnosed. */
static const struct expr *expand_expr(struct expander *expander, const struct expr *expr,
				      const struct bindings *bindings, guint defines)
{
	const struct expr *value;

	if (!within_bounds(expander, expr->place))
		return NULL;
	switch (expr->kind) {
	case EXPR_USE:
		value = bound(expander, bindings, expr->text);
		return value ? value : expr;
	case EXPR_SET:
		return expand_set(expander, expr, bindings, defines);
	case EXPR_NEGATIVE:
	case EXPR_BINARY:
	case EXPR_PIECE:
		return expand_operands(expander, expr, bindings, defines);
	case EXPR_MAD:
		return expand_mad_expr(expander, expr, bindings, defines);
	case EXPR_WORD:
		return expand_word(expander, expr, defines);
	case EXPR_NUMBER:
	case EXPR_TIME:
	case EXPR_CAPTURE:
	case EXPR_STRING:
		return expr;
	}
	return expr;
}

/* ---- steps ---- */

/* An expression of a step: the row's cells filled in (and, where it is a cell, expanded itself). */
static bool expand_in_step(struct expander *expander, const struct expr **expr)
{
	static const struct bindings nothing;
	guint all = expander->scenario->defines->len;
	const struct expr *value;

	if (!*expr)
		return true;
	value = expand_expr(expander, *expr, &expander->row, all);
	/* A cell that is a MAD may itself use a define. */
	if (value && (*expr)->kind == EXPR_USE && value != *expr)
		value = expand_expr(expander, value, &nothing, all);
	*expr = value;
	return value != NULL;
}

static bool expand_fields_in_step(struct expander *expander, const struct mad_expr **mad)
{
	if (!*mad)
		return true;
	*mad = expand_mad(expander, *mad, &expander->row, expander->scenario->defines->len);
	return *mad != NULL;
}

static bool expand_call(struct expander *expander, const struct call_expr **call)
{
	struct call_expr *copy;

	if (!*call)
		return true;
	copy = arena_alloc(expander->arena, sizeof(*copy));
	*copy = **call;
	copy->args = arena_array(expander->arena);
	for (guint i = 0; i < (*call)->args->len; i++) {
		const struct call_arg *arg = (*call)->args->pdata[i];
		struct call_arg *copied = arena_alloc(expander->arena, sizeof(*copied));

		*copied = *arg;
		if (!expand_in_step(expander, &copied->value))
			return false;
		g_ptr_array_add(copy->args, copied);
	}
	*call = copy;
	return true;
}

static bool expand_list(struct expander *expander, const GPtrArray **list)
{
	GPtrArray *copy;

	if (!*list)
		return true;
	copy = arena_array(expander->arena);
	for (guint i = 0; i < (*list)->len; i++) {
		const struct expr *expr = (*list)->pdata[i];

		if (!expand_in_step(expander, &expr))
			return false;
		g_ptr_array_add(copy, (void *)expr);
	}
	*list = copy;
	return true;
}

static bool expand_part(struct expander *expander, const struct step_part *part, struct step *copy)
{
	void *member = (char *)copy + part->at;

	switch (part->kind) {
	case PART_VALUE:
		return expand_in_step(expander, member);
	case PART_FIELDS:
		return expand_fields_in_step(expander, member);
	case PART_CALL:
		return expand_call(expander, member);
	case PART_LIST:
		return expand_list(expander, member);
	case PART_NAME:
	case PART_END:
		return true;
	}
	return true;
}

static bool constant_time(struct expander *expander, const struct expr *expr, int64_t *ret)
{
	if (!expr)
		return true;
	if (expr_constant_time(expr, ret)) {
		if (*ret >= 0)
			return true;
		diagnose_error(expander->diagnostics, expr->place, "this time is negative");
		return false;
	}
	if (expr->kind == EXPR_NUMBER)
		diagnose_error(expander->diagnostics, expr->place,
			       "a time needs a unit (ns, us, ms, s): did you mean "
			       "%" G_GUINT64_FORMAT "ms?",
			       expr->number);
	else
		diagnose_error(expander->diagnostics, expr->place,
			       "expected a time that is known before the scenario runs");
	return false;
}

static bool expand_time(struct expander *expander, const struct step_time *time,
			struct plan_time *ret)
{
	const struct expr *from = time->from, *to = time->to;

	ret->kind = time->kind;
	ret->place = time->place;
	ret->from_relative = time->from_relative;
	ret->to_relative = time->to_relative;
	return expand_in_step(expander, &from) && expand_in_step(expander, &to) &&
	       constant_time(expander, from, &ret->from_ns) &&
	       constant_time(expander, to, &ret->to_ns);
}

static void expand_step(struct expander *expander, const struct step *line)
{
	struct plan_step *step;
	struct step *copy;

	if (!within_bounds(expander, line->place))
		return;
	copy = arena_alloc(expander->arena, line->verb->size);
	memcpy(copy, line, line->verb->size);
	step = arena_alloc(expander->arena, sizeof(*step));
	step->line = copy;
	step->place = line->place;
	if (!expand_time(expander, &line->time, &step->time))
		return;
	for (const struct step_part *part = line->verb->parts;
	     part && part->kind != PART_END; part++) {
		if (!expand_part(expander, part, copy))
			return;
	}
	g_ptr_array_add(expander->steps, step);
}

/* Appends the steps of 'items' before 'end' (NULL: all), except those in 'each'. */
static void expand_items(struct expander *expander, const GPtrArray *items, const struct item *end)
{
	for (guint i = 0; i < items->len; i++) {
		const struct item *item = items->pdata[i];

		if (item == end)
			return;
		switch (item->kind) {
		case ITEM_STEP:
			expand_step(expander, item->step);
			break;
		case ITEM_ON:
			if (item->on_sim == expander->on_sim)
				expand_items(expander, item->items, NULL);
			break;
		case ITEM_EACH:
			break;
		}
	}
}

static void point_free(void *data)
{
	struct point *point = data;

	g_free(point->name);
	g_free(point);
}

/* The sizes of data may vary. */
static void expand_payloads(struct expander *expander, struct point *point)
{
	const GPtrArray *payloads = expander->scenario->settings.payloads;
	size_t size;

	for (guint i = 0; i < payloads->len; i++) {
		struct payload *copy = arena_alloc(expander->arena, sizeof(*copy));

		*copy = *(const struct payload *)payloads->pdata[i];
		if (!expand_in_step(expander, &copy->value))
			continue;
		if (payload_size(point->payloads, copy, &size))
			g_ptr_array_add(point->payloads, copy);
		else
			diagnose_error(expander->diagnostics,
				       copy->value ? copy->value->place : copy->place,
				       "%s", payload_objection(copy));
	}
}

/* Which program runs next may vary. */
static void expand_schedule(struct expander *expander, struct point *point)
{
	const struct expr *expr = expander->scenario->settings.schedule;

	if (!expr || !expand_in_step(expander, &expr))
		return;
	if (expr->kind == EXPR_USE)
		diagnose_error(expander->diagnostics, expr->place,
			       "$%s is not varied by any line 'vary'", expr->text);
	else if (!expr_constant_number(expr, &point->schedule))
		diagnose_expected(expander->diagnostics, expr, "a number");
}

/* 'row' NULL: none. */
static void add_point(struct expander *expander, GPtrArray *points, const struct each_row *row)
{
	struct point *point = g_new0(struct point, 1);
	g_autofree char *varied = bindings_text(&expander->varied);

	point->plan = expander->plan;
	point->scenario = expander->scenario;
	point->row = expander->row;
	point->varied = expander->varied;
	point->steps = arena_array(expander->arena);
	point->line = row ? row->place.line : expander->scenario->place.line;
	point->tags = row ? row->tags : NULL;
	point->name = g_strdup_printf("%s: %s%s%s%s%s%s", expander->label,
				      expander->scenario->title,
				      row || varied ? " [" : "",
				      row ? row->label : "",
				      row && varied ? ", " : "",
				      varied ? varied : "",
				      row || varied ? "]" : "");
	point->title = point->name + strlen(expander->label) + strlen(": ");
	point->payloads = arena_array(expander->arena);
	*expander->work += POINT_WORK;
	expand_payloads(expander, point);
	expand_schedule(expander, point);
	expander->steps = point->steps;
	g_ptr_array_add(points, point);
}

static void expand_rows(struct expander *expander, GPtrArray *points, const struct item *item)
{
	const struct each_block *each = item->each;

	for (guint i = 0; i < each->rows->len; i++) {
		const struct each_row *row = each->rows->pdata[i];

		if (!within_bounds(expander, row->place))
			return;
		expander->row = (struct bindings) { each->params, row->cells, NULL };
		add_point(expander, points, row);
		expand_items(expander, expander->scenario->items, item);
		expand_items(expander, each->items, NULL);
	}
	expander->row = (struct bindings) { NULL, NULL, NULL };
}

static void expand_choice(struct expander *expander, GPtrArray *points)
{
	const struct scenario *scenario = expander->scenario;
	bool has_tail = true;

	for (guint i = 0; i < scenario->items->len; i++) {
		const struct item *item = scenario->items->pdata[i];

		has_tail = item->kind != ITEM_EACH;
		if (item->kind == ITEM_EACH)
			expand_rows(expander, points, item);
	}
	if (has_tail) {
		add_point(expander, points, NULL);
		expand_items(expander, scenario->items, NULL);
	}
}

/* Is there anything that only one of the worlds has? */
static bool worlds_differ(const GPtrArray *items)
{
	for (guint i = 0; i < items->len; i++) {
		const struct item *item = items->pdata[i];

		if (item->kind == ITEM_ON ||
		    (item->kind == ITEM_EACH && worlds_differ(item->each->items)))
			return true;
	}
	return false;
}

bool scenario_worlds_differ(const struct scenario *scenario)
{
	return worlds_differ(scenario->items);
}

GPtrArray *scenario_expand(struct plan *plan, const struct plan_scenario *scenario, bool on_sim)
{
	GPtrArray *points = g_ptr_array_new_with_free_func(point_free);
	struct expander expander = {
		.arena = plan->arena,
		.diagnostics = plan->script->diagnostics,
		.label = plan->script->label,
		.plan = scenario,
		.scenario = scenario->scenario,
		.on_sim = on_sim,
		.work = &plan->work,
	};
	struct choices *choices =
		choices_new(plan->arena, expander.diagnostics, scenario->scenario);

	while (choices_next(choices, &expander.varied) &&
	       within_bounds(&expander, scenario->scenario->place))
		expand_choice(&expander, points);
	choices_free(choices);
	return points;
}

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
 */
#include "harness/script/check/expand.h"

#include <string.h>

#include "harness/script/check/expand-step.h"
#include "harness/script/check/vary.h"
#include "harness/script/mad/payload.h"

#define POINT_WORK 10		/* a point takes as much memory as this many values */

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

		if (!expander_has_room(expander, row->place))
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
	       expander_has_room(&expander, scenario->scenario->place))
		expand_choice(&expander, points);
	choices_free(choices);
	return points;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of scenarios as steps of a point: their expressions expanded, their times computed.
 */
#include "harness/script/check/expand-step.h"

#include <string.h>

#include "harness/script/tree/value.h"

bool expand_in_step(struct expander *expander, const struct expr **expr)
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

void expand_step(struct expander *expander, const struct step *line)
{
	struct plan_step *step;
	struct step *copy;

	if (!expander_has_room(expander, line->place))
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

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Expressions with their names replaced: those of 'each' and 'vary' by cells, those of defines by
 * MADs.
 *
 * Parsed expressions are shared and never changed. A define may use earlier ones only, so expansion
 * ends; its size, depth and length are limited (EXPR_WEIGHT_MAX and below).
 */
#include "harness/script/check/expand-expr.h"

#include <string.h>

#include "harness/script/parse/parser.h"

/*
 * Limits: defines within defines; and values, lines and points of all scenarios of a script after
 * expansion. The largest shipped script reaches half of that.
 */
#define EXPAND_DEPTH_MAX 64
#define EXPAND_WORK_MAX 4000000

static const struct expr *bound(const struct expander *expander, const struct bindings *bindings,
				const char *name)
{
	const struct expr *value = bindings_find(bindings, name);

	return value ? value : bindings_find(&expander->varied, name);
}

bool expander_has_room(struct expander *expander, struct place place)
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
	if (!expander_has_room(expander, use->place))
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

struct mad_expr *expand_mad(struct expander *expander, const struct mad_expr *mad,
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

const struct expr *expand_expr(struct expander *expander, const struct expr *expr,
			       const struct bindings *bindings, guint defines)
{
	const struct expr *value;

	if (!expander_has_room(expander, expr->place))
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

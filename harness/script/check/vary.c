/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What varies. See harness/script/check/vary.h.
 *
 * All choices are computed at once, each a row of values, level by level: the values of the first
 * 'vary', then each of those with the values of the second, and so on.
 */
#include "harness/script/check/vary.h"

#include <string.h>

/* More points than this are of no use. */
#define CHOICES_MAX 20000

struct choices {
	struct arena *arena;
	struct diagnostics *diagnostics;
	GPtrArray *names;	/* of const char * */
	GPtrArray *shown;	/* of them those with more than one value */
	GPtrArray *rows;	/* of GPtrArray *, of const struct expr * */
	guint at;
	bool wrong;
};

const struct expr *bindings_find(const struct bindings *bindings, const char *name)
{
	if (!bindings->names)
		return NULL;
	for (guint i = 0; i < bindings->names->len; i++) {
		if (strcmp(bindings->names->pdata[i], name) == 0)
			return bindings->values->pdata[i];
	}
	return NULL;
}

/* ---- names of points ---- */

/* What was computed; 1 - 2 is -1. */
static void append_number(GString *out, uint64_t number)
{
	if (number > INT64_MAX)
		g_string_append_printf(out, "-%" G_GUINT64_FORMAT, -number);
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, number);
}

static void append_value(GString *out, const struct expr *value)
{
	uint64_t number;
	char buf[32];

	switch (value->kind) {
	case EXPR_NUMBER:
		/* As the script spells it: 0x32 stays 0x32. Numbers of a range have no text. */
		if (value->text)
			g_string_append(out, value->text);
		else
			append_number(out, value->number);
		return;
	case EXPR_TIME:
		g_string_append(out, time_format(value->time_ns, buf, sizeof(buf)));
		return;
	case EXPR_WORD:
	case EXPR_STRING:
		g_string_append(out, value->text);
		return;
	case EXPR_SET:
		for (guint i = 0; i < value->items->len; i++) {
			g_string_append_c(out, i == 0 ? '{' : ' ');
			append_value(out, value->items->pdata[i]);
		}
		g_string_append(out, value->items->len == 0 ? "{}" : "}");
		return;
	case EXPR_NEGATIVE:
		g_string_append_c(out, '-');
		append_value(out, value->left);
		return;
	case EXPR_BINARY:
		if (expr_constant_number(value, &number))
			append_number(out, number);
		return;
	case EXPR_USE:
	case EXPR_CAPTURE:
	case EXPR_MAD:
	case EXPR_PIECE:
		return;
	}
}

char *bindings_text(const struct bindings *bindings)
{
	GString *out;

	if (!bindings->shown || bindings->shown->len == 0)
		return NULL;
	out = g_string_new(NULL);
	for (guint i = 0; i < bindings->shown->len; i++) {
		const char *name = bindings->shown->pdata[i];

		g_string_append_printf(out, "%s%s=", i > 0 ? " " : "", name);
		append_value(out, bindings_find(bindings, name));
	}
	/* What TAP would take for a directive or an escape. */
	for (char *c = out->str; *c != '\0'; c++) {
		if (*c == '#' || *c == '\\' || *c == '\n')
			*c = '_';
	}
	return g_string_free(out, false);
}

/* ---- choices ---- */

static const struct expr *fold(struct choices *choices, const struct expr *expr,
			       const struct bindings *earlier);

/* -EIO, -(2 * $n): the sign stays, so that the point has it in its name. */
static const struct expr *fold_negative(struct choices *choices, const struct expr *expr,
					const struct bindings *earlier)
{
	const struct expr *left = fold(choices, expr->left, earlier);
	struct expr *copy;

	if (!left || left == expr->left)
		return left ? expr : NULL;
	copy = arena_alloc(choices->arena, sizeof(*copy));
	*copy = *expr;
	copy->left = left;
	return copy;
}

/* 'expr' with the earlier names replaced and numbers and times folded; NULL: diagnosed. */
static const struct expr *fold(struct choices *choices, const struct expr *expr,
			       const struct bindings *earlier)
{
	const struct expr *value = expr;
	struct expr copy = *expr;
	struct expr *folded;

	if (expr->kind == EXPR_USE) {
		value = bindings_find(earlier, expr->text);
		if (!value)
			diagnose_error(choices->diagnostics, expr->place,
				       "$%s is not varied by any line above", expr->text);
		return value;
	}
	if (expr->kind == EXPR_NEGATIVE)
		return fold_negative(choices, expr, earlier);
	if (expr->kind != EXPR_BINARY)
		return expr;
	copy.left = fold(choices, expr->left, earlier);
	copy.right = fold(choices, expr->right, earlier);
	if (!copy.left || !copy.right)
		return NULL;
	folded = arena_alloc(choices->arena, sizeof(*folded));
	folded->place = expr->place;
	folded->weight = 1;
	if (expr_constant_number(&copy, &folded->number)) {
		folded->kind = EXPR_NUMBER;
		return folded;
	}
	if (expr_constant_time(&copy, &folded->time_ns)) {
		folded->kind = EXPR_TIME;
		return folded;
	}
	diagnose_error(choices->diagnostics, expr->place,
		       "expected a number or a time");
	return NULL;
}

/* 'values': one for each name of 'vary'. */
static bool add_row(struct choices *choices, GPtrArray *rows, const GPtrArray *earlier,
		    const struct vary *vary, const struct expr *const *values)
{
	GPtrArray *row = arena_array(choices->arena);

	for (guint i = 0; i < earlier->len; i++)
		g_ptr_array_add(row, earlier->pdata[i]);
	for (guint i = 0; i < vary->names->len; i++)
		g_ptr_array_add(row, (void *)values[i]);
	g_ptr_array_add(rows, row);
	if (rows->len <= CHOICES_MAX)
		return true;
	diagnose_error(choices->diagnostics, vary->place,
		       "there are more than %d choices", CHOICES_MAX);
	return false;
}

static bool add_range(struct choices *choices, GPtrArray *rows, const GPtrArray *earlier,
		      const struct vary *vary, const struct expr *from, const struct expr *to)
{
	uint64_t first, last;

	if (!expr_constant_number(from, &first) || !expr_constant_number(to, &last)) {
		diagnose_error(choices->diagnostics, from->place,
			       "expected a range of numbers, such as 1..64");
		return false;
	}
	/* 1..0 is an empty choice. */
	for (uint64_t number = first; number <= last; number++) {
		struct expr *value = arena_alloc(choices->arena, sizeof(*value));
		const struct expr *only = value;

		value->kind = EXPR_NUMBER;
		value->place = from->place;
		value->weight = 1;
		value->number = number;
		if (!add_row(choices, rows, earlier, vary, &only))
			return false;
		if (number == UINT64_MAX)
			break;
	}
	return true;
}

static bool vary_choice(struct choices *choices, GPtrArray *rows, const GPtrArray *earlier,
			const struct vary *vary, const struct vary_choice *choice)
{
	struct bindings bindings = { choices->names, earlier, NULL };
	g_autofree const struct expr **values = g_new(const struct expr *, choice->values->len);
	const struct expr *to;

	for (guint i = 0; i < choice->values->len; i++) {
		values[i] = fold(choices, choice->values->pdata[i], &bindings);
		if (!values[i])
			return false;
	}
	if (!choice->to)
		return add_row(choices, rows, earlier, vary, values);
	to = fold(choices, choice->to, &bindings);
	return to && add_range(choices, rows, earlier, vary, values[0], to);
}

/* The rows that 'vary' makes from the row 'earlier'. */
static bool vary_row(struct choices *choices, GPtrArray *rows, const GPtrArray *earlier,
		     const struct vary *vary)
{
	for (guint i = 0; i < vary->choices->len; i++) {
		if (!vary_choice(choices, rows, earlier, vary, vary->choices->pdata[i]))
			return false;
	}
	return true;
}

/* A name with one value, as a file sets it for what it includes, does not distinguish points. */
static bool is_shown(const struct vary *vary)
{
	const struct vary_choice *first = vary->choices->pdata[0];

	return vary->choices->len > 1 || first->to != NULL;
}

static void vary_all(struct choices *choices, const struct vary *vary)
{
	GPtrArray *rows = g_ptr_array_new();

	for (guint i = 0; i < choices->rows->len && !choices->wrong; i++)
		choices->wrong = !vary_row(choices, rows, choices->rows->pdata[i], vary);
	g_ptr_array_unref(choices->rows);
	choices->rows = rows;
	for (guint i = 0; i < vary->names->len; i++) {
		g_ptr_array_add(choices->names, vary->names->pdata[i]);
		if (is_shown(vary))
			g_ptr_array_add(choices->shown, vary->names->pdata[i]);
	}
}

struct choices *choices_new(struct arena *arena, struct diagnostics *diagnostics,
			    const struct scenario *scenario)
{
	struct choices *choices = g_new0(struct choices, 1);

	choices->arena = arena;
	choices->diagnostics = diagnostics;
	choices->names = arena_array(arena);
	choices->shown = arena_array(arena);
	choices->rows = g_ptr_array_new();
	g_ptr_array_add(choices->rows, arena_array(arena));
	for (guint i = 0; i < scenario->settings.varies->len && !choices->wrong; i++)
		vary_all(choices, scenario->settings.varies->pdata[i]);
	return choices;
}

void choices_free(struct choices *choices)
{
	g_ptr_array_unref(choices->rows);
	g_free(choices);
}

bool choices_next(struct choices *choices, struct bindings *ret)
{
	if (choices->wrong || choices->at == choices->rows->len)
		return false;
	*ret = (struct bindings) {
		choices->names, choices->rows->pdata[choices->at++], choices->shown,
	};
	return true;
}

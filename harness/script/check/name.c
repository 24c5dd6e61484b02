/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: names, what is bound to them, and numbers computed from them.
 */
#include "harness/script/check/checker.h"

#include <string.h>

static guint place_hash(gconstpointer key)
{
	const struct place *place = key;

	return g_direct_hash(place->source) ^ (guint)place->offset;
}

static gboolean place_equal(gconstpointer a, gconstpointer b)
{
	const struct place *left = a, *right = b;

	return left->source == right->source && left->offset == right->offset;
}

/* The same line may be in many points, but it is one capture. */
static struct captured *find_captured(struct checker *checker, struct place place, const char *name)
{
	struct captured *captured = g_hash_table_lookup(checker->captures_at, &place);

	if (captured)
		return captured;
	captured = g_new0(struct captured, 1);
	captured->place = place;
	captured->name = name;
	g_ptr_array_add(checker->captures, captured);
	g_hash_table_insert(checker->captures_at, &captured->place, captured);
	return captured;
}

GHashTable *check_captures_new(void)
{
	return g_hash_table_new(place_hash, place_equal);
}

static void bind(struct checker *checker, struct place place, const char *name, enum var_kind kind,
		 struct captured *captured)
{
	const struct binding *earlier = g_hash_table_lookup(checker->bindings, name);
	struct binding *binding;

	if (earlier) {
		if (earlier->line != 0)
			check_error(checker, place,
				    "%s is already bound, in line %u: a name is bound once", name,
				    earlier->line);
		else
			check_error(checker, place, "%s is a name of the runner itself", name);
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
void check_capture(struct checker *checker, const struct expr *expr)
{
	struct captured *captured = NULL;

	if (!g_hash_table_contains(checker->bindings, expr->text))
		captured = find_captured(checker, expr->place, expr->text);
	bind(checker, expr->place, expr->text, VAR_NUMBER, captured);
}

const struct binding *check_lookup(struct checker *checker, const char *name)
{
	const struct binding *binding = g_hash_table_lookup(checker->bindings, name);

	if (binding && binding->captured)
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
	case VAR_BUFFER: return "a buffer of umad_alloc()";
	case VAR_STARTED: return "a call that was started";
	}
	return "?";
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool check_is_lost(const struct checker *checker, const char *name)
{
	return g_hash_table_contains(checker->lost, name);
}

static void lose(struct checker *checker, const char *name)
{
	g_hash_table_add(checker->lost, (gpointer)name);
}

static void lose_fields(struct checker *checker, const struct mad_expr *mad)
{
	for (guint i = 0; mad && i < mad->fields->len; i++) {
		const struct field_expr *field = mad->fields->pdata[i];

		if (field->value->kind == EXPR_CAPTURE)
			lose(checker, field->value->text);
	}
}

static void lose_captures(struct checker *checker, const struct expr *expr)
{
	if (expr && expr->kind == EXPR_MAD)
		lose_fields(checker, expr->mad);
}

static void lose_part(struct checker *checker, enum part_kind kind, const void *member)
{
	const struct call_expr *call;
	const GPtrArray *list;

	switch (kind) {
	case PART_VALUE:
		lose_captures(checker, *(const struct expr *const *)member);
		return;
	case PART_FIELDS:
		lose_fields(checker, *(const struct mad_expr *const *)member);
		return;
	case PART_CALL:
		call = *(const struct call_expr *const *)member;
		for (guint i = 0; call && i < call->args->len; i++) {
			const struct call_arg *arg = call->args->pdata[i];

			lose_captures(checker, arg->value);
		}
		return;
	case PART_LIST:
		list = *(const GPtrArray *const *)member;
		for (guint i = 0; list && i < list->len; i++)
			lose_captures(checker, list->pdata[i]);
		return;
	case PART_NAME:
		if (*(const char *const *)member)
			lose(checker, *(const char *const *)member);
		return;
	case PART_END:
		return;
	}
}

void check_lose(struct checker *checker, const struct step *line)
{
	const struct step_part *part = line->verb->parts;

	for (; part && part->kind != PART_END; part++)
		lose_part(checker, part->kind, (const char *)line + part->at);
}

void check_unknown(struct checker *checker, const struct expr *expr)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	GHashTableIter iter;
	gpointer name;
	const char *closest;

	if (check_is_lost(checker, expr->text))
		return;
	lose(checker, expr->text);
	if (diagnostics_full(checker->diagnostics)) {
		checker->diagnostics->errors++;
		return;
	}
	g_hash_table_iter_init(&iter, checker->bindings);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		g_ptr_array_add(names, name);
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	/* Names of one or two letters are all within a typo of each other. */
	closest = strlen(expr->text) < 3 ? NULL :
		  mad_closest(expr->text, (const char *const *)names->pdata);
	if (closest)
		check_error(checker, expr->place,
			    "'%s%s' is not defined: did you mean %s?",
			    expr->kind == EXPR_USE ? "$" : "", expr->text, closest);
	else
		check_error(checker, expr->place, "'%s%s' is not defined",
			    expr->kind == EXPR_USE ? "$" : "", expr->text);
}

void check_bound(struct checker *checker, const struct expr *expr, enum var_kind kind)
{
	const struct binding *binding;

	if (expr->kind != EXPR_WORD && expr->kind != EXPR_USE) {
		check_error(checker, expr->place, "expected the name of %s",
			    kind_name(kind));
		return;
	}
	binding = check_lookup(checker, expr->text);
	if (!binding)
		check_unknown(checker, expr);
	else if (binding->kind != kind)
		check_error(checker, expr->place, "expected %s, but %s is %s", kind_name(kind),
			    expr->text, kind_name(binding->kind));
}

static void no_such_errno(struct checker *checker, const struct expr *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *closest;
	char hint[100];

	errno_names(names);
	g_ptr_array_add(names, NULL);
	closest = mad_closest(name->text, (const char *const *)names->pdata);
	check_error(checker, name->place, "there is no error number called %s%s", name->text,
		    did_you_mean(closest, hint, sizeof(hint)));
}

void check_number(struct checker *checker, const struct expr *expr)
{
	const struct binding *binding;
	uint64_t number;

	switch (expr->kind) {
	case EXPR_NUMBER:
		return;
	case EXPR_NEGATIVE:
		if (expr->left->kind != EXPR_WORD)
			check_number(checker, expr->left);
		else if (!expr_constant_number(expr->left, &number))
			no_such_errno(checker, expr->left);
		return;
	case EXPR_BINARY:
		check_number(checker, expr->left);
		check_number(checker, expr->right);
		return;
	case EXPR_WORD:
	case EXPR_USE:
		binding = check_lookup(checker, expr->text);
		if (binding) {
			if (binding->kind != VAR_NUMBER && binding->kind != VAR_AGENT)
				check_error(checker, expr->place,
					    "expected a number, but %s is %s", expr->text,
					    kind_name(binding->kind));
			return;
		}
		if (expr->kind == EXPR_WORD && (expr_constant_number(expr, &number) ||
						strcmp(expr->text, "hdr") == 0))
			return;
		check_unknown(checker, expr);
		return;
	case EXPR_TIME:
	case EXPR_CAPTURE:
	case EXPR_STRING:
	case EXPR_SET:
	case EXPR_MAD:
	case EXPR_PIECE:
		check_expected(checker, expr, "a number");
		return;
	}
}

void check_begin(struct checker *checker, struct place place, const char *name)
{
	struct binding *binding;

	check_bind(checker, place, name, VAR_STARTED);
	checker->last_begun = checker->step;
	binding = g_hash_table_lookup(checker->bindings, name);
	if (binding->kind == VAR_STARTED && !binding->begun)
		binding->begun = checker->step;
}

struct plan_step *check_find_begun(struct checker *checker, const char *name)
{
	const struct binding *binding = g_hash_table_lookup(checker->bindings, name);

	return binding ? binding->begun : NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What calls tell besides their values: see harness/script/verb/call-fact.h.
 */
#include "harness/script/verb/call-fact.h"

#include <arpa/inet.h>
#include <string.h>

struct fact_value {
	uint64_t number;
	char *text;		/* NULL: it is a number */
};

struct fact {
	const char *name;	/* the table's */
	GArray *values;		/* of struct fact_value */
};

struct facts {
	GArray *list;		/* of struct fact */
};

/* ---- facts ---- */

static void value_clear(void *data)
{
	g_free(((struct fact_value *)data)->text);
}

static void fact_clear(void *data)
{
	g_array_unref(((struct fact *)data)->values);
}

struct facts *facts_new(void)
{
	struct facts *facts = g_new0(struct facts, 1);

	facts->list = g_array_new(false, false, sizeof(struct fact));
	g_array_set_clear_func(facts->list, fact_clear);
	return facts;
}

void facts_free(struct facts *facts)
{
	if (!facts)
		return;
	g_array_unref(facts->list);
	g_free(facts);
}

static const GArray *find_values(const struct facts *facts, const char *name)
{
	for (guint i = 0; facts && i < facts->list->len; i++) {
		const struct fact *fact = &g_array_index(facts->list, struct fact, i);

		if (strcmp(fact->name, name) == 0)
			return fact->values;
	}
	return NULL;
}

static void add_value(struct facts *facts, const char *name, const struct fact_value *value)
{
	GArray *values = (GArray *)(uintptr_t)find_values(facts, name);

	if (!values) {
		struct fact fact = { name, g_array_new(false, false, sizeof(*value)) };

		g_array_set_clear_func(fact.values, value_clear);
		g_array_append_val(facts->list, fact);
		values = fact.values;
	}
	g_array_append_vals(values, value, 1);
}

void facts_add_number(struct facts *facts, const char *name, uint64_t number)
{
	const struct fact_value value = { .number = number };

	add_value(facts, name, &value);
}

void facts_add_text(struct facts *facts, const char *name, const char *text)
{
	const struct fact_value value = { .text = g_strdup(text ? text : "") };

	add_value(facts, name, &value);
}

/* ---- checking ---- */

static const struct fact_kind errno_kind = { "errno", FACT_DECIMAL };

static const struct fact_kind *find_kind(const struct fact_kind *kinds, const char *name)
{
	for (const struct fact_kind *kind = kinds; kind && kind->name; kind++) {
		if (strcmp(kind->name, name) == 0)
			return kind;
	}
	return strcmp(name, errno_kind.name) == 0 ? &errno_kind : NULL;
}

static void no_such_fact(struct checker *checker, const char *call, const struct fact_kind *kinds,
			 const struct field_expr *field)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *list = NULL;
	const char *closest;
	char hint[100];

	for (const struct fact_kind *kind = kinds; kind->name; kind++)
		g_ptr_array_add(names, (void *)(uintptr_t)kind->name);
	g_ptr_array_add(names, (void *)(uintptr_t)errno_kind.name);
	g_ptr_array_add(names, NULL);
	closest = mad_closest(field->name, (const char *const *)names->pdata);
	list = g_strjoinv(", ", (char **)names->pdata);
	check_error(checker, field->place, "%s() does not tell %s%s: it tells %s", call,
		    field->name, did_you_mean(closest, hint, sizeof(hint)), list);
}

static void check_fact_value(struct checker *checker, const struct fact_kind *kind,
			     const struct expr *value)
{
	struct in6_addr gid;

	if (kind->form != FACT_TEXT && kind->form != FACT_GID)
		check_number(checker, value);
	else if (value->kind == EXPR_USE)
		check_bound(checker, value, VAR_TEXT);
	else if (value->kind != EXPR_STRING)
		check_expected(checker, value, "a text in quotes");
	else if (kind->form == FACT_GID && inet_pton(AF_INET6, value->text, &gid) != 1)
		check_error(checker, value->place, "expected a GID, such as \"fe80::1\"");
}

static void check_fact(struct checker *checker, const struct fact_kind *kind,
		       const struct field_expr *field)
{
	const struct expr *value = field->value;

	if (field->in_attribute || field->is_mut || field->has_range)
		check_error(checker, field->place, "expected %s=VALUE", kind->name);
	else if (value->kind == EXPR_CAPTURE && kind->form != FACT_TEXT && kind->form != FACT_GID)
		check_capture(checker, value);
	else if (value->kind == EXPR_SET)
		for (guint i = 0; i < value->items->len; i++)
			check_fact_value(checker, kind, value->items->pdata[i]);
	else
		check_fact_value(checker, kind, value);
}

void check_facts(struct checker *checker, const char *call, const struct fact_kind *kinds,
		 const struct mad_expr *told)
{
	for (guint i = 0; told && i < told->fields->len; i++) {
		const struct field_expr *field = told->fields->pdata[i];
		const struct fact_kind *kind = find_kind(kinds, field->name);

		if (kind)
			check_fact(checker, kind, field);
		else
			no_such_fact(checker, call, kinds, field);
	}
}

/* ---- running ---- */

static void append_fact_value(GString *out, enum fact_form form, const struct fact_value *value)
{
	if (value->text)
		g_string_append_printf(out, "\"%s\"", value->text);
	else
		g_string_append_printf(out, form == FACT_HEX ? "0x%" G_GINT64_MODIFIER "x" :
				       "%" G_GUINT64_FORMAT, value->number);
}

static void append_values(GString *out, enum fact_form form, const GArray *values)
{
	if (values->len != 1)
		g_string_append_c(out, '{');
	for (guint i = 0; i < values->len; i++) {
		if (i > 0)
			g_string_append(out, ", ");
		append_fact_value(out, form, &g_array_index(values, struct fact_value, i));
	}
	if (values->len != 1)
		g_string_append_c(out, '}');
}

static bool same_gid(const char *left, const char *right)
{
	struct in6_addr gids[2];

	return inet_pton(AF_INET6, left, &gids[0]) == 1 &&
	       inet_pton(AF_INET6, right, &gids[1]) == 1 &&
	       memcmp(&gids[0], &gids[1], sizeof(gids[0])) == 0;
}

static bool same_value(const struct fact_kind *kind, const struct fact_value *wanted,
		       const struct fact_value *value)
{
	if (!wanted->text || !value->text)
		return !wanted->text && !value->text && wanted->number == value->number;
	return kind->form == FACT_GID ? same_gid(wanted->text, value->text) :
	       strcmp(wanted->text, value->text) == 0;
}

static void add_wanted(struct run *run, GArray *wanted, const struct expr *expr)
{
	const struct var *var = run_var_of(run, expr);
	struct fact_value value = { 0 };

	if (var && var->kind == VAR_TEXT)
		value.text = g_strdup(var->text);
	else if (expr->kind == EXPR_STRING)
		value.text = g_strdup(expr->text);
	else if (!run_number(run, expr, &value.number))
		run_fail(run, expr->place, "this has no value here");
	g_array_append_val(wanted, value);
}

/* What the line wants the fact to be. */
static GArray *wanted_values(struct run *run, const struct expr *expr)
{
	GArray *wanted = g_array_new(false, false, sizeof(struct fact_value));

	g_array_set_clear_func(wanted, value_clear);
	if (expr->kind == EXPR_SET) {
		for (guint i = 0; i < expr->items->len; i++)
			add_wanted(run, wanted, expr->items->pdata[i]);
	} else {
		add_wanted(run, wanted, expr);
	}
	return wanted;
}

static bool same_values(const struct fact_kind *kind, const GArray *wanted, const GArray *values)
{
	if (wanted->len != values->len)
		return false;
	for (guint i = 0; i < wanted->len; i++) {
		if (!same_value(kind, &g_array_index(wanted, struct fact_value, i),
				&g_array_index(values, struct fact_value, i)))
			return false;
	}
	return true;
}

/* Appends to 'why' how the fact differs from what the line wants. */
static void expect_fact(struct run *run, const struct fact_kind *kind, const struct expr *expr,
			const struct facts *facts, GString *why)
{
	g_autoptr(GArray) none = g_array_new(false, false, sizeof(struct fact_value));
	const GArray *values = find_values(facts, kind->name);
	g_autoptr(GArray) wanted = NULL;

	values = values ? values : none;
	if (expr->kind == EXPR_CAPTURE) {
		const struct var var = {
			.kind = VAR_NUMBER, .known = UINT64_MAX,
			.number = values->len == 0 ? 0 :
				  g_array_index(values, struct fact_value, 0).number,
		};

		run_bind(run, expr->text, &var);
		return;
	}
	wanted = wanted_values(run, expr);
	if (same_values(kind, wanted, values))
		return;
	g_string_append_printf(why, "%s  expected ", kind->name);
	append_values(why, kind->form, wanted);
	g_string_append(why, "  actual ");
	append_values(why, kind->form, values);
	g_string_append_c(why, '\n');
}

void expect_facts(struct run *run, const struct plan_step *step, const char *call,
		  const struct fact_kind *kinds, const struct mad_expr *told,
		  const struct facts *facts)
{
	g_autoptr(GString) why = g_string_new(NULL);

	for (guint i = 0; told && i < told->fields->len && !run_failed(run); i++) {
		const struct field_expr *field = told->fields->pdata[i];

		expect_fact(run, find_kind(kinds, field->name), field->value, facts, why);
	}
	if (why->len == 0 || run_failed(run))
		return;
	g_string_append(run->outcome->details, why->str);
	g_string_truncate(why, why->len - 1);
	g_strdelimit(why->str, "\n", ';');
	run_fail(run, step->place, "%s(): %s", call, why->str);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: names, values, and the MADs that are made of them.
 */
#include "harness/script/check/script-checker.h"

#include <string.h>

#include "harness/script/mad/script-mad.h"

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

bool check_is_lost(const struct checker *checker, const char *name)
{
	for (guint i = 0; i < checker->lost->len; i++) {
		if (strcmp(checker->lost->pdata[i], name) == 0)
			return true;
	}
	return false;
}

static void lose(struct checker *checker, const char *name)
{
	if (!check_is_lost(checker, name))
		g_ptr_array_add(checker->lost, (gpointer)name);
}

static void lose_captures(struct checker *checker, const struct mad_expr *mad)
{
	for (guint i = 0; mad != NULL && i < mad->fields->len; i++) {
		const struct field_expr *field = mad->fields->pdata[i];

		if (field->value->kind == EXPR_CAPTURE)
			lose(checker, field->value->text);
	}
}

void check_lose(struct checker *checker, const struct step *step)
{
	const struct expr *mads[] = { step->mad, step->result_mad };

	if (step->bind != NULL)
		lose(checker, step->bind);
	lose_captures(checker, step->result_umad);
	for (size_t i = 0; i < G_N_ELEMENTS(mads); i++) {
		if (mads[i] != NULL && mads[i]->kind == EXPR_MAD)
			lose_captures(checker, mads[i]->mad);
	}
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

void check_bound(struct checker *checker, const struct expr *expr, enum var_kind kind)
{
	const struct binding *binding;

	if (expr->kind != EXPR_WORD && expr->kind != EXPR_USE) {
		check_error(checker, expr->place, "here must stand the name of %s",
			    kind_name(kind));
		return;
	}
	binding = check_lookup(checker, expr->text);
	if (binding == NULL)
		check_unknown(checker, expr);
	else if (binding->kind != kind)
		check_error(checker, expr->place, "%s is %s, here must stand %s", expr->text,
			    kind_name(binding->kind), kind_name(kind));
}

void check_number(struct checker *checker, const struct expr *expr)
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
		check_unknown(checker, expr);
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

void check_data(struct checker *checker, const struct expr *value)
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

const struct mad_pattern *check_mad(struct checker *checker, const struct mad_expr *mad,
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

void check_class(struct checker *checker, const struct mad_pattern *pattern)
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

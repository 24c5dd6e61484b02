/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Resolves the MADs of a script: finds methods, attributes and fields by their names, and checks
 * values against the widths of their fields.
 */
#include "harness/script/mad/pattern.h"
#include "harness/script/mad/term-words.h"
#include "harness/script/tree/filter-word.h"

#include <arpa/inet.h>
#include <string.h>

/* Where patterns are allocated, and where errors go. */
struct resolver {
	struct arena *arena;
	struct diagnostics *diagnostics;
};

const char *did_you_mean(const char *suggestion, char *buf, size_t size)
{
	buf[0] = '\0';
	if (suggestion)
		g_snprintf(buf, (gulong)size, ": did you mean %s?", suggestion);
	return buf;
}

static bool resolve_method(struct resolver *resolver, const struct mad_expr *mad,
			   struct mad_pattern *pattern)
{
	const char *suggestion = NULL;
	char hint[100];

	if (mad_method_parse(mad->name, &pattern->class_info, &pattern->method, &suggestion))
		return true;
	diagnose_error(resolver->diagnostics, mad->place, "there is no method or define '%s'%s",
		       mad->name, suggestion ? did_you_mean(suggestion, hint, sizeof(hint)) :
		       ": a method begins with its class, as SubnGet ('umadrig fields' lists "
		       "them)");
	return false;
}

static void no_such_attribute(struct resolver *resolver, const struct mad_class_info *info,
			      const char *method, const struct expr *name, const char *suggestion)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new(NULL);

	for (const struct mad_attribute *at = info->attributes; at && at->name; at++)
		g_ptr_array_add(names, (void *)at->name);
	g_string_append_printf(text, "%s has no attribute %s", method, name->text);
	append_names(text, suggestion, names, info->prefix);
	diagnose_error(resolver->diagnostics, name->place, "%s", text->str);
}

static bool resolve_attribute(struct resolver *resolver, const struct mad_expr *mad,
			      struct mad_pattern *pattern)
{
	const struct expr *arg;
	const char *suggestion = NULL;
	uint64_t number;

	if (mad->args->len == 0)
		return true;
	arg = mad->args->pdata[0];
	if (mad->args->len > 1) {
		diagnose_error(resolver->diagnostics, mad->place,
			       "%s takes one attribute, not %u values", mad->name,
			       mad->args->len);
		return false;
	}
	if (arg->kind == EXPR_WORD) {
		pattern->attribute =
			mad_attribute_by_name(pattern->class_info, arg->text, &suggestion);
		if (!pattern->attribute) {
			no_such_attribute(resolver, pattern->class_info, mad->name, arg,
					  suggestion);
			return false;
		}
		pattern->attr_id = pattern->attribute->id;
		return true;
	}
	if (!expr_constant_number(arg, &number) || number > 0xffff) {
		diagnose_error(resolver->diagnostics, arg->place,
			       "expected an attribute: a name, or a number up to 0xffff");
		return false;
	}
	pattern->attr_id = (int)number;
	pattern->attribute = mad_attribute_find(pattern->class_info->mgmt_class, (uint16_t)number);
	return true;
}

static void no_such_field(struct resolver *resolver, const struct field_expr *expr,
			  const struct mad_attribute *attribute, const char *suggestion)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new(NULL);

	for (const struct mad_field *at = attribute->fields; at->name; at++)
		g_ptr_array_add(names, (void *)at->name);
	g_string_append_printf(text, "there is no field %s in %s", expr->name, attribute->name);
	append_names(text, suggestion, names, attribute->name);
	diagnose_error(resolver->diagnostics, expr->place, "%s", text->str);
}

/* A field inside braces. */
static bool resolve_attribute_field(struct resolver *resolver, const struct field_expr *expr,
				    const struct mad_pattern *pattern, struct mad_term *term)
{
	const char *suggestion = NULL;

	if (!pattern->attribute || !pattern->attribute->fields) {
		diagnose_error(resolver->diagnostics, expr->place,
			       pattern->attr_id < 0 ? "fields in braces need an attribute: name "
						      "it" :
			       "this attribute has no known fields: use bytes[first..last]=");
		return false;
	}
	if (expr->has_range) {
		diagnose_error(resolver->diagnostics, expr->place,
			       "a range belongs to bytes[first..last] only, outside of the "
			       "braces");
		return false;
	}
	term->field = mad_field_by_name(pattern->attribute, expr->name, &suggestion);
	if (term->field)
		return true;
	no_such_field(resolver, expr, pattern->attribute, suggestion);
	return false;
}

static bool resolve_header_field(struct resolver *resolver, const struct field_expr *expr,
				 const struct mad_pattern *pattern, struct mad_term *term)
{
	const char *suggestion = NULL;
	char hint[100];

	term->info = term_find(expr->name, pattern->use, &suggestion);
	if (!term->info && pattern->attribute &&
	    mad_field_by_name(pattern->attribute, expr->name, NULL)) {
		diagnose_error(resolver->diagnostics, expr->place,
			       "%s is a field of %s: fields of an attribute are written in braces, "
			       "{ %s=%s }", expr->name, pattern->attribute->name, expr->name,
			       expr->value->kind == EXPR_WORD ? expr->value->text : "...");
		return false;
	}
	if (!term->info && filter_word_reason(expr->name)) {
		diagnose_error(resolver->diagnostics, expr->place, "'%s' has no place here: %s",
			       expr->name, filter_word_reason(expr->name));
		return false;
	}
	if (!term->info) {
		diagnose_error(resolver->diagnostics, expr->place,
			       "there is no header field '%s' here%s", expr->name,
			       suggestion ? did_you_mean(suggestion, hint, sizeof(hint)) :
			       " ('Fields' in scenario-language.md lists them)");
		return false;
	}
	if (expr->has_range != (term->info->where == TERM_BYTES)) {
		diagnose_error(resolver->diagnostics, expr->place, expr->has_range ?
			       "only 'bytes' takes a range" :
			       "expected a range, such as bytes[24..27]=");
		return false;
	}
	term->first = expr->first;
	term->last = expr->last;
	return true;
}

static bool is_data(const struct mad_term *term)
{
	return term->info && term->info->where == TERM_DATA;
}

static bool is_wide(const struct mad_term *term)
{
	return term_width(term) > 64;
}

static bool value_error(struct resolver *resolver, const struct expr *value, const char *why)
{
	diagnose_error(resolver->diagnostics, value->place, "%s", why);
	return false;
}

static bool expected(struct resolver *resolver, const struct expr *value, const char *what)
{
	diagnose_expected(resolver->diagnostics, value, what);
	return false;
}

/* A number as the value of a field of 'width' bits. */
static bool check_fits(struct resolver *resolver, const struct mad_term *term, uint64_t number)
{
	unsigned int width = term_width(term);

	if (width >= 64 || number >> width == 0)
		return true;
	diagnose_error(resolver->diagnostics, term->value->place,
		       "0x%" G_GINT64_MODIFIER "x does not fit into %s, which has %u bits", number,
		       term_name(term), width);
	return false;
}

static bool is_role(const struct mad_term *term)
{
	return term->info &&
	       (term->info->where == TERM_TO || term->info->where == TERM_FROM);
}

static bool check_set(struct resolver *resolver, const struct mad_term *term)
{
	const struct expr *value = term->value;
	bool flags = term->info && term->info->format == TERM_FLAGS;
	unsigned int most = term_width(term) / 8;
	uint64_t number;

	if (!flags && !is_wide(term))
		return expected(resolver, value, "a number");
	if (!flags && value->items->len > most)
		return value_error(resolver, value, "this is more than the field holds");
	for (guint i = 0; i < value->items->len; i++) {
		const struct expr *item = value->items->pdata[i];

		if (flags && item->kind == EXPR_WORD && term_word(term, item->text, &number))
			continue;
		if (expr_constant_number(item, &number) && number <= 0xff)
			continue;
		return value_error(resolver, item, flags ? "expected ACTIVE, FIRST or LAST" :
				   "expected a byte, up to 0xff");
	}
	return true;
}

static bool check_string(struct resolver *resolver, const struct mad_term *term)
{
	uint8_t gid[16];
	bool is_gid = (term->info && term->info->format == TERM_GID) ||
		      (term->field && term->field->format == MAD_FIELD_GID);

	if (is_role(term))
		return true;
	if (is_gid) {
		if (inet_pton(AF_INET6, term->value->text, gid) == 1)
			return true;
		return value_error(resolver, term->value,
				   "expected a GID as an IPv6 address, such as \"fe80::1\"");
	}
	if (term->field && term->field->format == MAD_FIELD_STRING) {
		if (strlen(term->value->text) <= term->field->width / 8)
			return true;
		return value_error(resolver, term->value, "this is longer than the field");
	}
	return expected(resolver, term->value, "a number");
}

/* What can be checked of a term's value before the script runs. */
static bool check_value(struct resolver *resolver, const struct mad_pattern *pattern,
			const struct mad_term *term)
{
	const struct expr *value = term->value;
	bool builds = pattern->use == MAD_SENT || pattern->use == MAD_ARRIVES ||
		      pattern->use == MAD_ANSWER;
	uint64_t number;

	if (is_data(term)) {
		if (value->kind == EXPR_WORD ||
		    (value->kind == EXPR_PIECE && pattern->use != MAD_HEADER))
			return true;
		return value_error(resolver, value, pattern->use == MAD_HEADER ?
				   "data= takes the name of data" :
				   "data= takes the name of data, or a piece of it, such as "
				   "paths[3]");
	}
	switch (value->kind) {
	case EXPR_PIECE:
		return value_error(resolver, value, "a piece of data can be the value of data= "
				   "only");
	case EXPR_MAD:
		return value_error(resolver, value, "a MAD cannot be the value of a field");
	case EXPR_TIME:
		if (term->info && term->info->where == TERM_UMAD_HOST &&
		    strcmp(term->info->name, "timeout") == 0)
			return true;
		return expected(resolver, value, "a number");
	case EXPR_SET:
		return check_set(resolver, term);
	case EXPR_STRING:
		return check_string(resolver, term);
	case EXPR_CAPTURE:
		if (pattern->use == MAD_ASKED)
			return value_error(resolver, value, "a request that is answered may come "
					   "often: "
					   "nothing of it can be captured");
		if (is_wide(term) || is_role(term))
			return value_error(resolver, value, "this field cannot be captured");
		if (builds && (!term->info || strncmp(term->info->name, "tid", 3) != 0))
			return value_error(resolver, value,
					   "of what is sent only the tid, which is chosen, can be "
					   "captured");
		return true;
	case EXPR_WORD:
		if (is_role(term) || !is_wide(term))
			return true;
		if (term->info && term->info->format == TERM_GID)
			return true;
		return expected(resolver, value, "a string or a set of bytes");
	case EXPR_USE:
		return true;
	case EXPR_NUMBER:
	case EXPR_NEGATIVE:
	case EXPR_BINARY:
		if (is_role(term))
			return value_error(resolver, value,
					   "expected a role (self, peer, sm) or a port "
					   "(\"H2[1]\"): for a LID use dlid= or slid=");
		if (is_wide(term))
			return expected(resolver, value, "a string or a set of bytes");
		return !expr_constant_number(value, &number) || check_fits(resolver, term, number);
	}
	return true;
}

/*
 * What mut= may break, and where; and the fields of a packet that are computed and cannot be set.
 */
static bool check_mut(struct resolver *resolver, const struct mad_pattern *pattern,
		      const struct mad_term *term)
{
	const char *why = NULL;

	if (!term->is_mut) {
		if (pattern->use != MAD_ARRIVES || !term->info ||
		    term->info->where != TERM_WIRE)
			return true;
		diagnose_error(resolver->diagnostics, term->place,
			       "this is computed: to break it use mut=%s:VALUE",
			       term->info->name);
		return false;
	}
	if (pattern->use != MAD_ARRIVES)
		why = "only what arrives ('<') can be broken: for what leaves there is 'fault "
		      "corrupt'";
	else if (is_role(term) || is_data(term) || is_wide(term) ||
		 term->value->kind == EXPR_CAPTURE)
		why = "mut= breaks fields that are numbers only";
	if (why)
		diagnose_error(resolver->diagnostics, term->place, "%s", why);
	return !why;
}

static bool resolve_field(struct resolver *resolver, const struct field_expr *expr,
			  struct mad_pattern *pattern)
{
	struct mad_term *term = arena_alloc(resolver->arena, sizeof(*term));
	bool ok;

	term->place = expr->place;
	term->value = expr->value;
	term->is_mut = expr->is_mut;
	ok = expr->in_attribute ? resolve_attribute_field(resolver, expr, pattern, term) :
	     resolve_header_field(resolver, expr, pattern, term);
	if (!ok || !check_value(resolver, pattern, term) || !check_mut(resolver, pattern, term))
		return false;
	g_ptr_array_add(pattern->terms, term);
	return true;
}

/* packet(DATA): the checker looks at its data. */
static bool resolve_packet(struct resolver *resolver, const struct mad_expr *mad,
			   struct mad_pattern *pattern)
{
	const char *why = NULL;

	if (pattern->use != MAD_ARRIVES && pattern->use != MAD_LEAVES)
		why = "a whole packet can follow '<' and '>' only";
	else if (mad->args->len != 1 ||
		 ((const struct expr *)mad->args->pdata[0])->kind != EXPR_WORD)
		why = "packet() takes the name of data, such as packet(junk)";
	else if (mad->fields->len > 0 || mad->exact)
		why = "packet() is the whole packet: no fields can follow it";
	else
		pattern->packet = mad->args->pdata[0];
	if (why)
		diagnose_error(resolver->diagnostics, mad->place, "%s", why);
	return !why;
}

struct mad_pattern *mad_resolve(struct arena *arena, struct diagnostics *diagnostics,
				const struct mad_expr *mad, enum mad_use use)
{
	struct resolver *resolver = &(struct resolver) { arena, diagnostics };
	struct mad_pattern *pattern = arena_alloc(arena, sizeof(*pattern));
	bool ok = true;

	pattern->place = mad->place;
	pattern->use = use;
	pattern->attr_id = -1;
	pattern->terms = arena_array(arena);
	pattern->exact = mad->exact;
	if (mad->name && strcmp(mad->name, "packet") == 0)
		return resolve_packet(resolver, mad, pattern) ? pattern : NULL;
	if (mad->name) {
		if (!resolve_method(resolver, mad, pattern) ||
		    !resolve_attribute(resolver, mad, pattern))
			return NULL;
	}
	for (guint i = 0; i < mad->fields->len; i++)
		ok &= resolve_field(resolver, mad->fields->pdata[i], pattern);
	return ok ? pattern : NULL;
}

const struct mad_term *mad_pattern_term(const struct mad_pattern *pattern, const char *name)
{
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->info && strcmp(term->info->name, name) == 0)
			return term;
	}
	return NULL;
}

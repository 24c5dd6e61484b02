/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: MADs, and the names and values in them.
 */
#include "harness/script/check/checker.h"

#include <string.h>

#include "harness/script/mad/payload.h"
#include "harness/script/mad/term-words.h"

static bool is_role_word(const char *text)
{
	return strcmp(text, "self") == 0 || strcmp(text, "peer") == 0 || strcmp(text, "sm") == 0;
}

static void check_role(struct checker *checker, const struct expr *value)
{
	if (value->kind == EXPR_STRING) {
		check_port_name(checker, value);
		return;
	}
	if (value->kind == EXPR_WORD && is_role_word(value->text))
		return;
	check_error(checker, value->place,
		    "expected a role (self, peer, sm) or a port in quotes (\"H2[1]\")");
}

void check_data(struct checker *checker, const struct expr *value)
{
	if (value->kind != EXPR_WORD && value->kind != EXPR_PIECE)
		check_expected(checker, value, "the name of data");
	else if (!payload_find(checker->point->payloads, value->text))
		check_error(checker, value->place, "there is no data called %s: define it: "
			    "'data %s = pattern(200)'", value->text, value->text);
	else if (value->kind == EXPR_PIECE)
		check_number(checker, value->left);
}

/* The data of packet(DATA). */
static void check_packet(struct checker *checker, const struct expr *data)
{
	const struct payload *payload = payload_find(checker->point->payloads, data->text);
	size_t size;

	if (!payload)
		check_data(checker, data);
	else if (payload_size(checker->point->payloads, payload, &size) &&
		 (size < PACKET_SIZE_LEAST || size > PACKET_SIZE_MAX))
		check_error(checker, data->place,
			    "a packet has %d to %d bytes, from the LRH through the VCRC: %s has "
			    "%zu", PACKET_SIZE_LEAST, PACKET_SIZE_MAX, data->text, size);
}

/* Is the value neither bound nor one of the field's words? Then it is diagnosed. */
static bool is_wrong_word(struct checker *checker, const struct mad_pattern *pattern,
			  const struct mad_term *term)
{
	const char *word = term->value->text;
	g_autofree char *why = NULL;
	uint64_t number;

	if (check_lookup(checker, word) || check_is_lost(checker, word) ||
	    expr_constant_number(term->value, &number))
		return false;
	why = term_no_such_word(pattern, term, word);
	if (why)
		check_error(checker, term->value->place, "%s", why);
	return why != NULL;
}

static void check_term(struct checker *checker, const struct mad_pattern *pattern,
		       const struct mad_term *term)
{
	const struct expr *value = term->value;
	uint64_t number;

	if (term->info &&
	    (term->info->where == TERM_TO || term->info->where == TERM_FROM)) {
		check_role(checker, value);
		return;
	}
	if (term->info && term->info->where == TERM_DATA) {
		check_data(checker, value);
		return;
	}
	if (value->kind == EXPR_SET || value->kind == EXPR_STRING || value->kind == EXPR_TIME)
		return;	/* mad_resolve() has checked them */
	if (value->kind == EXPR_CAPTURE)
		return;
	if (value->kind == EXPR_WORD && term_word(term, value->text, &number))
		return;
	if (value->kind == EXPR_WORD && term->info && term->info->format == TERM_GID &&
	    is_role_word(value->text))
		return;
	if (value->kind == EXPR_WORD && is_wrong_word(checker, pattern, term))
		return;
	check_number(checker, value);
}

/* To the end: a line has very few. */
static void add_pattern(struct plan_step *step, const struct mad_pattern *pattern)
{
	const struct mad_pattern **at = &step->patterns;

	while (*at)
		at = (const struct mad_pattern **)(uintptr_t)&(*at)->next;
	*at = pattern;
}

const struct mad_pattern *check_mad(struct checker *checker, const struct mad_expr *mad,
				    enum mad_use use)
{
	struct mad_pattern *pattern =
		mad_resolve(checker->arena, checker->diagnostics, mad, use);

	if (!pattern)
		return NULL;
	if (pattern->packet)
		check_packet(checker, pattern->packet);
	for (guint i = 0; i < pattern->terms->len; i++)
		check_term(checker, pattern, pattern->terms->pdata[i]);
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->value->kind == EXPR_CAPTURE)
			check_capture(checker, term->value);
	}
	add_pattern(checker->step, pattern);
	return pattern;
}

const struct mad_pattern *check_mad_expr(struct checker *checker, const struct expr *expr,
					 enum mad_use use)
{
	if (expr->kind == EXPR_MAD)
		return check_mad(checker, expr->mad, use);
	if (expr->kind == EXPR_USE)
		check_error(checker, expr->place,
			    "$%s is not a MAD: only names of 'each' can be", expr->text);
	else
		check_expected(checker, expr, "a MAD, such as VendGet(0x0010)");
	return NULL;
}

void check_class(struct checker *checker, const struct mad_pattern *pattern)
{
	const struct mad_class_info *info;

	if (!pattern || pattern->packet ||
	    mad_pattern_term(pattern, "class"))
		return;
	info = pattern->class_info;
	if (!info)
		check_error(checker, pattern->place,
			    "expected a MAD, such as VendGet(0x0010), found fields alone");
	else if (info->mgmt_class != info->last)
		check_error(checker, pattern->place,
			    "%s is the prefix of the classes 0x%02x to 0x%02x: give "
			    "class=", info->prefix,
			    info->mgmt_class, info->last);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tests of filters: what a field of a MAD is compared with, as bytes under a mask.
 */
#include "harness/capture/filter-parser.h"

#include <string.h>

#include "harness/script/mad/term-value.h"
#include "harness/script/mad/where.h"

enum { HINT_SIZE = 100 };

static const char *suggest_word(const struct mad_term *term, const char *word)
{
	const char *names[200];
	size_t count = 0;

	for (const struct term_word *w = term->info ? term->info->words : NULL;
	     w && w->name && count < G_N_ELEMENTS(names) - 1; w++)
		names[count++] = w->name;
	for (const struct mad_field_name *n = term->info ? NULL : term->field->names;
	     n && n->name && count < G_N_ELEMENTS(names) - 1; n++)
		names[count++] = n->name;
	names[count] = NULL;
	return mad_closest(word, names);
}

static bool word_error(struct filter_parser *p, const struct mad_term *term)
{
	char hint[HINT_SIZE];

	if (term->value->kind == EXPR_WORD)
		diagnose_error(p->parser.diagnostics, term->value->place,
			       "%s has no value called '%s'%s", term_name(term), term->value->text,
			       did_you_mean(suggest_word(term, term->value->text), hint,
					    sizeof(hint)));
	else
		diagnose_expected(p->parser.diagnostics, term->value, "a constant number");
	return false;
}

struct filter_test *filter_test_new(struct filter_parser *p, enum filter_what what,
				    enum filter_operator operator)
{
	struct filter_test *test = arena_alloc(p->parser.arena, sizeof(*test));

	test->what = what;
	test->operator = operator;
	test->lid = test->method = test->attr_id = -1;
	g_ptr_array_add(p->rule, test);
	return test;
}

static enum filter_header header_of(const struct term_info *info)
{
	static const struct {
		const char *prefix;
		enum filter_header header;
	} headers[] = {
		{ "infiniband.rmpp.payloadlength", FILTER_IN_RMPP_DATA },
		{ "infiniband.rmpp.newwindowlast", FILTER_IN_RMPP_ACK },
		{ "infiniband.rmpp.", FILTER_IN_RMPP },
		{ "infiniband.smpdirected.mkey", FILTER_IN_SMP },
		{ "infiniband.smpdirected.", FILTER_IN_DIRECTED },
		{ "infiniband.sa.", FILTER_IN_SA },
		{ "infiniband.vendor.", FILTER_IN_VENDOR },
	};

	if (info->format == TERM_FLAGS)
		return FILTER_IN_RMPP;
	for (size_t i = 0; info->alias && i < G_N_ELEMENTS(headers); i++) {
		if (g_str_has_prefix(info->alias, headers[i].prefix))
			return headers[i].header;
	}
	return FILTER_IN_ALL;
}

static enum filter_what what_of(const struct mad_term *term)
{
	bool wide = term_width(term) > 64;

	if (!term->info)
		return wide ? FILTER_DATA_BYTES : FILTER_DATA;
	if (term->info->where == TERM_ADDR)
		return FILTER_ADDR;
	if (strcmp(term->info->name, "status") == 0)
		return FILTER_STATUS;
	return wide ? FILTER_BYTES : FILTER_BITS;
}

static bool set_bytes(struct filter_parser *p, const struct mad_term *term,
		      struct filter_test *test)
{
	test->size = term_width(term) / 8;
	if (test->operator != FILTER_EQUAL && test->operator != FILTER_DIFFERENT) {
		diagnose_error(p->parser.diagnostics, term->place,
			       "%s is no number: it can be compared with = and != only",
			       term_name(term));
		return false;
	}
	return term_wide(term, &mad_env_constants, test->bytes) || word_error(p, term);
}

bool filter_add_term(struct filter_parser *p, const struct mad_term *term,
		     enum filter_operator operator, bool negated)
{
	struct filter_test *test;
	uint64_t known;

	if (term->info && term->info->where != TERM_ADDR && term->info->where != TERM_MAD &&
	    term->info->where != TERM_BYTES) {
		diagnose_error(p->parser.diagnostics, term->place,
			       "'%s' cannot be compared here: a capture has the MADs and their "
			       "addresses", term_name(term));
		return false;
	}
	test = filter_test_new(p, what_of(term), operator);
	test->negated = negated;
	test->header = term->info ? header_of(term->info) : FILTER_IN_ALL;
	test->bit = (uint16_t)(!term->info ? term->field->bit :
			       term->info->where == TERM_BYTES ? term->first * 8 :
								 term->info->bit);
	test->width = (uint16_t)term_width(term);
	if (test->width > 64)
		return set_bytes(p, term, test);
	if (!term_number(term, &mad_env_constants, &test->value, &known, NULL))
		return word_error(p, term);
	if (term->info && term->info->format == TERM_FLAGS)
		test->value |= RMPP_FLAG_ACTIVE;
	return true;
}

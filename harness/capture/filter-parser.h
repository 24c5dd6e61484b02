/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser of filters, and the tests that it makes.
 */
#ifndef UMADRIG_HARNESS_CAPTURE_FILTER_PARSER_H
#define UMADRIG_HARNESS_CAPTURE_FILTER_PARSER_H

#include "harness/capture/filter-test.h"
#include "harness/script/mad/where.h"
#include "harness/script/parse/parser.h"

/* The state of the parser, and what the alternative contains so far. */
struct filter_parser {
	struct parser parser;
	struct filter *filter;
	GPtrArray *rule;
	const struct mad_class_info *class_info;	/* whose fields braces hold; NULL: none */
	const struct expr *attribute;			/* NULL: not named */
	unsigned int items;
};

/* A new test of the alternative, from the arena, which matches any MAD so far. */
struct filter_test *filter_test_new(struct filter_parser *p, enum filter_what what,
				    enum filter_operator operator);

/* A new test of the alternative for a resolved field. False: diagnosed. */
bool filter_add_term(struct filter_parser *p, const struct mad_term *term,
		     enum filter_operator operator, bool negated);

#endif

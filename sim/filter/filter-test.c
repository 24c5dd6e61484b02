/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tests of a filter. See sim/filter/filter-test.h.
 */
#include "sim/filter/filter-parser.h"

struct filter_test *filter_test_new(struct filter_parser *p, enum filter_what what,
				    enum filter_operator operator, bool negated)
{
	struct filter_test *test = g_new0(struct filter_test, 1);

	test->what = what;
	test->operator = operator;
	test->negated = negated;
	test->lid = test->method = test->attr_id = -1;
	g_ptr_array_add(p->rule, test);
	return test;
}

void filter_test_free(void *data)
{
	struct filter_test *test = data;

	g_free(test->text);
	g_free(test);
}

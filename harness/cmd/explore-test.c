/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/cmd/explore-test.h. */
#include "harness/cmd/explore-test.h"

#include "harness/base/command.h"
#include "harness/base/option-value.h"
#include "harness/exec/exec.h"
#include "harness/explore/explore-verdict.h"
#include "harness/kernel/kernel-option.h"
#include "kmod-stub/event.h"

enum {
	TIMEOUT_S = 60,
	LIMIT_S = 3600,
};

/* False: it was said why. */
static bool take_times(struct explore_test *test, const struct explore_options *options)
{
	test->grace_ns = EXEC_GRACE_NS;
	test->limit_ns = LIMIT_S * NS_PER_S;
	test->timeout_ns = TIMEOUT_S * NS_PER_S;
	test->grace_arg = options->grace;
	test->limit_arg = options->limit;
	test->timeout_arg = options->timeout;
	return option_time(test->name, "--grace", options->grace, OPTION_TIME_EXPECTED,
			   &test->grace_ns) &&
	       option_time(test->name, "--limit", options->limit, OPTION_TIME_EXPECTED,
			   &test->limit_ns) &&
	       option_seconds(test->name, "--timeout", options->timeout, &test->timeout_ns);
}

int explore_test_take(struct explore_test *test, struct explore_options *options)
{
	g_autoptr(GError) error = NULL;
	uint64_t seed = 1;

	if (!test->argv)
		test->argv = options->plan.command;
	if (!test->argv)
		return command_usage(test->name, "no command given: put it after --, or in a plan, "
				     "after 'command'");
	if (!option_number(test->name, "--seed", options->seed, 0, UINT64_MAX, "a number", &seed) ||
	    !take_times(test, options))
		return COMMAND_USAGE;
	test->seed_arg = options->seed;
	test->host = options->host;
	test->twice = options->twice;
	test->expect = options->expect;
	test->asked = &options->lines;
	test->lines = session_lines_all(&options->lines);
	test->has = options->has;
	test->lacks = options->lacks;
	if (explore_verdict_check(test, &error))
		test->fabric = kernel_option_fabric(test->name, options->fabric, options->kernel,
						    &error);
	if (!test->fabric || !explore_plan_parse(&test->plan, test->fabric, seed, &error))
		return error->code == COMMAND_USAGE ?
		       command_usage(test->name, "%s", error->message) :
		       command_error(test->name, error->code, "%s", error->message);
	test->plan.all_faults = options->all_faults;
	test->plan.any_addresses = options->find_leaks;
	test->plan.each = options->each;
	return COMMAND_OK;
}

void explore_test_clear(struct explore_test *test)
{
	explore_plan_clear(&test->plan);
	g_strfreev(test->lines);
	g_free(test->fabric);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig explore: runs a program over many seeds.
 *
 *	umadrig explore --runs 1000 --fabric "cluster.net,state=cold,fault=drop 2%" -- ./test-my-sm
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "harness/base/command.h"
#include "harness/base/option-value.h"
#include "harness/base/status-line.h"
#include "harness/base/whole-file.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/explore-options.h"
#include "harness/exec/exec.h"
#include "harness/explore/explore-directory.h"
#include "harness/explore/explore-guide.h"
#include "harness/explore/explore-json.h"
#include "harness/explore/explore-html.h"
#include "harness/explore/explore-junit.h"
#include "harness/explore/explore-leaks.h"
#include "harness/explore/explore-report.h"
#include "harness/kernel/kernel-option.h"
#include "kmod-stub/event.h"
#include "sim/programs/program-addresses.h"

enum {
	RUNS = 100,
	LEAK_RUNS = 3,		/* in two, a byte may be the same by chance */
	LEAKS_SHOWN = 100,	/* lines */
	TIMEOUT_S = 60,
	LIMIT_S = 3600,
};

#define RUNS_MAX 999999		/* the number of a run's directory has six digits */
#define JOBS_MAX 256

struct explore {
	const char *name;
	struct explore_test test;
	struct explore_report report;
	struct explore_guide guide;
	unsigned int runs, jobs;
	const char *json, *junit, *html;	/* files for reports; or NULL */
	bool keep_going, is_kept, shrinks, varies;
	char *first;		/* --find-leaks: the first run's capture; or NULL */
	struct explore_leaks leaks;
	int status;
	struct explore_result failure;	/* 'directory': NULL, or where it is kept */
	int err, sig;		/* as of explore_crew_work() */
};

/* ---- the command line ---- */

static int take_timeout(struct explore *explore, const char *timeout)
{
	explore->test.timeout_arg = timeout;
	explore->test.timeout_ns = TIMEOUT_S * NS_PER_S;
	if (!option_seconds(explore->name, "--timeout", timeout, &explore->test.timeout_ns))
		return COMMAND_USAGE;
	return COMMAND_OK;
}

static int take_numbers(struct explore *explore, const struct explore_options *asked,
			uint64_t *ret_seed)
{
	struct explore_test *test = &explore->test;
	uint64_t runs = asked->find_leaks ? LEAK_RUNS : RUNS, jobs = 1;

	if (!option_number(explore->name, "--runs", asked->runs, 1, RUNS_MAX, "a number from 1 to "
			   G_STRINGIFY(RUNS_MAX), &runs) ||
	    !option_number(explore->name, "--jobs", asked->jobs, 0, JOBS_MAX, "a number from 0 to "
			   G_STRINGIFY(JOBS_MAX), &jobs) ||
	    !option_number(explore->name, "--seed", asked->seed, 0, UINT64_MAX, "a number",
			   ret_seed) ||
	    !option_time(explore->name, "--grace", asked->grace, OPTION_TIME_EXPECTED,
			 &test->grace_ns) ||
	    !option_time(explore->name, "--limit", asked->limit, OPTION_TIME_EXPECTED,
			 &test->limit_ns))
		return COMMAND_USAGE;
	explore->test.grace_arg = asked->grace;
	explore->test.limit_arg = asked->limit;
	if (asked->find_leaks && (asked->twice || asked->keep_going))
		return command_usage(explore->name, "--find-leaks excludes --twice and "
				     "--keep-going");
	if (asked->find_leaks && runs == 1)
		return command_usage(explore->name, "--find-leaks needs two runs at least");
	explore->runs = (unsigned int)runs;
	explore->jobs = jobs ? (unsigned int)jobs : g_get_num_processors();
	explore->jobs = MIN(explore->jobs, explore->runs);
	return COMMAND_OK;
}

/* A report that cannot be written is to be known before hours have passed. */
static int take_reports(struct explore *explore, const struct explore_options *asked)
{
	const struct { const char *option, *path; } reports[] = {
		{ "--junit", asked->junit }, { "--json", asked->json }, { "--html", asked->html },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(reports); i++) {
		g_autofree char *why = reports[i].path ? whole_file_refuse(reports[i].path) : NULL;

		if (reports[i].path && asked->find_leaks)
			return command_usage(explore->name, "--find-leaks excludes %s",
					     reports[i].option);
		if (why)
			return command_error(explore->name, COMMAND_USAGE,
					     "%s: nothing was run: %s", reports[i].option, why);
	}
	explore->json = asked->json;
	explore->junit = asked->junit;
	explore->html = asked->html;
	return COMMAND_OK;
}

/* COMMAND_OK: it is a sensible one, and in '*explore'; the strings stay the caller's. */
static int take(struct explore *explore, struct explore_options *asked, int argc, char **argv)
{
	struct explore_test *test = &explore->test;
	g_autoptr(GError) error = NULL;
	g_autofree char *fabric = NULL, *spec = NULL;
	uint64_t seed = 1;
	int status;

	if (argc > 1)
		return command_unexpected(explore->name, argv + 1, asked->fabric,
					  "put the command after --");
	if (!test->argv)
		test->argv = asked->plan.command;
	if (!test->argv)
		return command_usage(explore->name, "no command given: put it after --, or in a "
				     "plan, behind 'command'");
	status = take_numbers(explore, asked, &seed);
	if (status == COMMAND_OK)
		status = take_timeout(explore, asked->timeout);
	if (status == COMMAND_OK)
		status = take_reports(explore, asked);
	if (status != COMMAND_OK)
		return status;
	test->host = asked->host;
	test->twice = asked->twice;
	test->expect = asked->expect;
	test->asked = &asked->lines;
	test->lines = explore_lines_all(&asked->lines);
	test->has = asked->has;
	test->lacks = asked->lacks;
	explore->keep_going = asked->keep_going;
	explore->shrinks = !asked->no_shrink;
	explore->varies = !asked->no_vary && !asked->find_leaks;
	if (explore_verdict_check(test, &error))
		fabric = kernel_option_fabric(explore->name, asked->fabric, asked->kernel, &error);
	if (fabric)
		spec = exec_spec(fabric, asked->host, &error);
	if (!spec || !explore_plan_parse(&test->plan, fabric, seed, &error))
		return error->code == COMMAND_USAGE ?
		       command_usage(explore->name, "%s", error->message) :
		       command_error(explore->name, error->code, "%s", error->message);
	test->plan.all_faults = asked->all_faults;
	test->plan.any_addresses = asked->find_leaks;
	test->plan.each = asked->each;
	test->plan.runs = explore->runs;
	return COMMAND_OK;
}

/* ---- the runs ---- */

static struct explore_point point_of_run(void *ctx, unsigned int at)
{
	const struct explore *explore = ctx;

	return explore_guide_point(&explore->guide, at);
}

/* The program's own words say best why it does not run. */
static void say_refused(const struct explore *explore, const struct explore_result *result)
{
	g_autofree char *path = g_build_filename(result->directory, EXPLORE_OUTPUT, NULL);
	g_autofree char *text = NULL;

	status_line_clear(explore->report.line);
	if (g_file_get_contents(path, &text, NULL, NULL))
		fputs(text, stderr);
	command_error(explore->name, result->verdict.number, "run %u: %s", result->at + 1,
		      result->verdict.text);
}

/* ---- --find-leaks ---- */

static bool compare_with_first(struct explore *explore, const struct explore_result *result)
{
	g_autofree char *capture = g_build_filename(result->directory, EXPLORE_CAPTURE, NULL);
	g_autofree char *why = NULL;

	if (!explore->first) {
		explore->first = g_build_filename(explore->test.directory, "first.pcapng", NULL);
		if (g_rename(capture, explore->first) < 0)
			explore->err = -errno;
		return explore->err == 0;
	}
	if (explore_leaks_compare(&explore->leaks, explore->first, capture, &why))
		return true;
	status_line_clear(explore->report.line);
	explore->status = command_error(explore->name, COMMAND_FAILED, "runs 1 and %u: %s",
					result->at + 1, why);
	return false;
}

/* The lines go to a file, and the first of them to standard output. */
static void report_leaks(struct explore *explore)
{
	g_autofree char *text = explore_leaks_text(&explore->leaks);
	g_autofree char *path = g_build_filename(explore->test.directory, "leaks", NULL);
	unsigned int count = g_hash_table_size(explore->leaks.mads), shown = 0;
	const char *end = text;

	while (*end && shown++ < LEAKS_SHOWN)
		end += strcspn(end, "\n") + 1;
	fwrite(text, 1, (size_t)(end - text), stdout);
	explore->status = count > 0 ? COMMAND_FAILED : COMMAND_OK;
	if (count == 0)
		g_unlink(explore->first);
	if (count > 0 && g_file_set_contents(path, text, -1, NULL)) {
		explore->is_kept = true;
		printf("all in: %s\n", path);
	}
	printf("%u of %" G_GUINT64_FORMAT " MADs have %" G_GUINT64_FORMAT " bytes that depend on "
	       "addresses\n", count, explore->leaks.count, explore_leaks_bytes(&explore->leaks));
}

/* ---- results ---- */

/* Keeps what is needed of a failure when its run's seat has been cleared. */
static void keep_failure(struct explore *explore, struct explore_result *result)
{
	g_autofree char *name = g_strdup_printf("failure-%06u", result->at + 1);

	explore->failure = *result;
	explore->failure.directory = g_build_filename(explore->test.directory, name, NULL);
	explore->failure.orders = (struct explore_orders){ .mads = 0 };
	result->verdict.text = result->verdict.signature = NULL;
	result->point = (struct explore_point){ .seed = 0 };
	explore->is_kept = true;
	if (g_rename(result->directory, explore->failure.directory) < 0)
		explore->err = -errno;
}

static bool take_result(void *ctx, struct explore_result *result)
{
	struct explore *explore = ctx;

	if (result->verdict.kind == EXPLORE_REFUSED) {
		say_refused(explore, result);
		explore->status = result->verdict.number;
		return false;
	}
	explore_guide_take(&explore->guide, result, explore_report_take(&explore->report, result));
	explore_report_goes_on(&explore->report, explore->runs);
	if (result->at == 0)
		explore_plan_learn(&explore->test.plan, result->points, result->instants);
	if (result->verdict.kind == EXPLORE_PASSED)
		return !explore->test.plan.any_addresses || compare_with_first(explore, result);
	explore->status = COMMAND_FAILED;
	if (explore_report_is_known(&explore->report, result))
		return true;
	keep_failure(explore, result);
	return false;
}

/* What there is to say of the failure, once no run is at work any more. */
static void finish_failure(struct explore *explore)
{
	struct explore_result *failure = &explore->failure;
	g_autofree char *small = g_strconcat(failure->directory, "-small", NULL);
	struct explore_shrunk shrunk = { .runs = 0 };
	bool shrinks = explore->shrinks && failure->verdict.kind != EXPLORE_DIFFERS;

	if (shrinks)
		explore_report_shrinks(&explore->report, failure->at);
	if (explore->err == 0 && shrinks)
		explore->err = explore_shrink(&explore->test, explore->jobs, failure, small,
					      &shrunk, &explore->sig);
	explore_report_failure(&explore->report, failure, failure->directory,
			       shrinks && explore->err == 0 ? &shrunk : NULL, small);
	explore_shrunk_clear(&shrunk);
	explore_point_clear(&failure->point);
	explore_verdict_clear(&failure->verdict);
	g_clear_pointer(&failure->directory, g_free);
}

static bool goes_on(const struct explore *explore)
{
	return explore->err == 0 &&
	       (explore->status == COMMAND_OK ||
		(explore->status == COMMAND_FAILED && explore->keep_going));
}

/* Does a generation of runs, or what is left of it, which stops at a failure. The next run. */
static unsigned int do_generation(struct explore *explore, unsigned int first)
{
	struct explore_crew crew = {
		.test = &explore->test, .jobs = explore->jobs, .first = first,
		.end = explore->guide.end, .step = explore->guide.step, .prefix = "run-",
		.wants_traits = !explore->test.plan.any_addresses, .ctx = explore,
		.point = point_of_run, .take = take_result,
	};
	int err = explore_crew_work(&crew, &explore->sig);

	if (explore->err == 0)
		explore->err = err;
	if (!explore->failure.directory)
		return crew.end;
	finish_failure(explore);
	return explore->failure.at + crew.step;
}

static void do_runs(struct explore *explore)
{
	unsigned int next = 0;

	while (goes_on(explore) && next < explore->runs) {
		if (next >= explore->guide.end)
			explore_guide_next(&explore->guide, explore->runs);
		next = do_generation(explore, next);
	}
}

/* Writes the reports for other programs. An exit status: 'status', or that of an error. */
static int write_reports(const struct explore *explore, int status)
{
	const struct explore_report *report = &explore->report;
	g_autofree char *cut_off = NULL;
	g_autoptr(GError) error = NULL;

	if (explore->err == -EINTR)
		cut_off = g_strdup_printf("signal %d (%s)", explore->sig,
					  g_strsignal(explore->sig));
	else if (explore->err < 0)
		cut_off = g_strdup(g_strerror(-explore->err));
	else if (status != COMMAND_OK && status != COMMAND_FAILED)
		cut_off = g_strdup("the command cannot be run");
	if (explore->json &&
	    !explore_json_write(report, explore->json, cut_off, status, &error))
		status = command_error(explore->name, COMMAND_FAILED, "--json: %s",
				       error->message);
	g_clear_error(&error);
	if (explore->junit && !explore_junit_write(report, explore->junit, cut_off, &error))
		status = command_error(explore->name, COMMAND_FAILED, "--junit: %s",
				       error->message);
	g_clear_error(&error);
	if (explore->html && !explore_html_write(report, explore->html, cut_off, &error))
		status = command_error(explore->name, COMMAND_FAILED, "--html: %s",
				       error->message);
	return status;
}

static int status_of(const struct explore *explore)
{
	if (explore->err == -EINTR)
		return 128 + explore->sig;
	if (explore->err < 0)
		return command_error(explore->name, COMMAND_BAIL_OUT, "cannot go on: %s",
				     g_strerror(-explore->err));
	return explore->status;
}

/* An exit status. */
static int work(struct explore *explore)
{
	int status;

	if (!explore->test.plan.is_real && !explore->test.plan.any_addresses)
		program_addresses_warn(explore->name);
	explore_guide_begin(&explore->guide, &explore->test.plan, 0, 1);
	explore->guide.is_blind = !explore->varies;
	explore_report_begin(&explore->report, &explore->test, &explore->guide.corpus);
	explore_leaks_begin(&explore->leaks);
	do_runs(explore);
	if (explore->first && explore->status == COMMAND_OK && explore->err == 0)
		report_leaks(explore);
	if ((explore->status == COMMAND_OK || explore->status == COMMAND_FAILED) &&
	    !explore_report_summary(&explore->report, explore->runs))
		explore->status = COMMAND_FAILED;
	status = write_reports(explore, status_of(explore));
	explore_report_end(&explore->report);
	explore_guide_end(&explore->guide);
	explore_leaks_end(&explore->leaks);
	g_free(explore->first);
	return status;
}

/* What was made stays if something is in it, or somebody has asked for it. */
static int work_there(struct explore *explore, const char *output)
{
	struct explore_directory directory;
	char message[512];
	int status;

	if (explore_directory_make(&directory, output, message, sizeof(message)) < 0)
		return command_error(explore->name, COMMAND_REFUSED, "%s", message);
	explore->test.directory = directory.path;
	status = work(explore);
	explore_directory_end(&directory, explore->is_kept);
	return status;
}

int cmd_explore(int argc, char **argv)
{
	g_autofree char *name = g_strdup(argv[0]);
	struct explore_options asked = { .fabric = NULL };
	struct explore explore = { .name = name, .test.name = name };
	g_autoptr(GError) error = NULL;
	int status;

	explore.test.grace_ns = EXEC_GRACE_NS;
	explore.test.limit_ns = LIMIT_S * NS_PER_S;
	explore.test.argv = command_split(&argc, argv);
	status = explore_options_parse(&asked, &argc, &argv, &error) ?
		 take(&explore, &asked, argc, argv) : command_usage(name, "%s", error->message);
	if (status == COMMAND_OK)
		status = work_there(&explore, asked.output);
	explore_plan_clear(&explore.test.plan);
	g_strfreev(explore.test.lines);
	explore_options_clear(&asked);
	return command_finish_output(name, status);
}

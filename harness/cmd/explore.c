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
#include "harness/base/plan-file.h"
#include "harness/base/status-line.h"
#include "harness/base/whole-file.h"
#include "harness/cmd/commands.h"
#include "harness/exec/exec.h"
#include "harness/explore/explore-directory.h"
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

static const char description[] =
	"Each run is what umadrig exec does with clock=virtual, with seeds of its own for the\n"
	"chances of the faults (seed=) and for which thread runs next (schedule=); an option that\n"
	"FABRIC has is the same in all of them. A run fails if the command exits non-zero, is\n"
	"killed, or exceeds a limit; if its output matches --lacks or does not match --has; or\n"
	"if an --expect check fails.\n"
	"Output and captures of failures are kept. UMADRIG_RUN is the directory of the run, for\n"
	"what else the command writes; UMADRIG_SEED is the seed that random bytes go by, too.\n"
	"\n"
	"Each run but the first has some of the faults, drawn by chance, and other percentages of\n"
	"them (a quarter to four times); --all-faults and seed= have all of them as they are.\n"
	"\n"
	"A failure is then shrunk: faults are removed one by one, and each is applied to fewer\n"
	"packets. The smallest that fails in the same way is printed as a command.\n"
	"\n"
	"PATTERN is a regular expression (Perl's), searched for in each line. COMMAND of --expect\n"
	"is one of 'umadrig ctl --help'.\n"
	"\n"
	"Exit status: 0 if no run has failed, 1 if one has, or if what is to be seen sometimes\n"
	"was in none; 2 if the command line is wrong; 125, 126, 127 if the command cannot be\n"
	"run, as of umadrig exec.";

struct explore {
	const char *name;
	struct explore_test test;
	struct explore_report report;
	unsigned int runs, jobs;
	const char *json, *junit, *html;	/* files for reports; or NULL */
	bool keep_going, is_kept, shrinks;
	char *first;		/* --find-leaks: the first run's capture; or NULL */
	struct explore_leaks leaks;
	int status;
	struct explore_result failure;	/* 'directory': NULL, or where it is kept */
	int err, sig;		/* as of explore_crew_work() */
};

/* What the command line asks for. */
struct asked {
	char *fabric, *kernel, *host, *output, *timeout, *limit, *seed, *grace, *runs, *jobs;
	char *json, *junit, *html, *each;
	char **expect, **has, **lacks, **plans;
	struct explore_lines lines;
	struct plan_file plan;
	GPtrArray *words;	/* of the command line, with those of plans; not owned */
	gboolean keep_going, all_faults, twice, no_shrink, find_leaks;
};

static void asked_clear(struct asked *asked)
{
	g_free(asked->fabric);
	g_free(asked->kernel);
	g_free(asked->host);
	g_free(asked->output);
	g_free(asked->timeout);
	g_free(asked->limit);
	g_free(asked->seed);
	g_free(asked->grace);
	g_free(asked->runs);
	g_free(asked->jobs);
	g_free(asked->json);
	g_free(asked->junit);
	g_free(asked->html);
	g_strfreev(asked->expect);
	g_strfreev(asked->has);
	g_strfreev(asked->lacks);
	explore_lines_clear(&asked->lines);
	g_free(asked->each);
	g_strfreev(asked->plans);
	plan_file_clear(&asked->plan);
	g_clear_pointer(&asked->words, g_ptr_array_unref);
}

static bool parse_entries(const GOptionEntry *entries, int *argc, char ***argv, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("-- COMMAND [ARGUMENT...]");

	g_option_context_set_summary(context, "Runs a program on a simulated fabric, over many "
				     "seeds.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	return command_parse(context, argc, argv, error);
}

/* An option that takes a text, and may be given again. */
#define TEXTS(name, to, help, value) \
	{ name, 0, 0, G_OPTION_ARG_STRING_ARRAY, to, help, value }
/* One that is the name of a file. */
#define PATH(name, to, help) { name, 0, 0, G_OPTION_ARG_FILENAME, to, help, "FILE" }

/* 'plan': what the plans say that are named; or NULL: they are not read. */
static bool parse_once(struct asked *asked, struct plan_file *plan, int *argc, char ***argv,
		       GError **error)
{
	const GOptionEntry entries[] = {
		{ "plan", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &asked->plans,
		  "Read options and the command from FILE; may be given again", "FILE" },
		{ "runs", 'n', 0, G_OPTION_ARG_STRING, &asked->runs,
		  "How many runs (default: 100)", "N" },
		{ "jobs", 'j', 0, G_OPTION_ARG_STRING, &asked->jobs,
		  "Do N runs at a time; 0: one on each processor", "N" },
		{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &asked->fabric,
		  "The fabric and its options", "FABRIC[,OPTION=VALUE...]" },
		{ "kernel", 0, 0, G_OPTION_ARG_FILENAME, &asked->kernel,
		  KERNEL_OPTION_TEXT, KERNEL_OPTION_VALUE },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &asked->host,
		  "The node on which the command runs", "NODE" },
		{ "seed", 0, 0, G_OPTION_ARG_STRING, &asked->seed,
		  "The seed of the first run; each other one has the next (default: 1)", "N" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked->output,
		  "The directory to make for what fails (default: in TMPDIR)", "DIR" },
		{ "keep-going", 0, 0, G_OPTION_ARG_NONE, &asked->keep_going,
		  "Do all runs, even if some fail", NULL },
		PATH("html", &asked->html, "Write what is found to FILE as a page, with ladders"),
		PATH("junit", &asked->junit, "Write what is found to FILE as JUnit XML, too"),
		PATH("json", &asked->json, "Write what is found to FILE as JSON, too"),
		{ "timeout", 0, 0, G_OPTION_ARG_STRING, &asked->timeout,
		  "How much real time a run may take; 0: any (default: 60)", "SECONDS" },
		{ "limit", 0, 0, G_OPTION_ARG_STRING, &asked->limit,
		  "How much virtual time a run may take; 0: any (default: 3600s)", "TIME" },
		{ "grace", 0, 0, G_OPTION_ARG_STRING, &asked->grace, "As of umadrig exec", "TIME" },
		TEXTS("has", &asked->has, "A run fails unless it prints this", "PATTERN"),
		TEXTS("lacks", &asked->lacks, "A run fails if it prints this", "PATTERN"),
		{ "expect", 0, 0, G_OPTION_ARG_STRING_ARRAY, &asked->expect,
		  "A run fails if the console's answer at its end is an error, or not this",
		  "COMMAND=PATTERN" },
		{ "always", 0, 0, G_OPTION_ARG_STRING_ARRAY, &asked->lines.always,
		  "A run fails if this is false for longer than its time ('within TIME')",
		  "CONDITION" },
		{ "never", 0, 0, G_OPTION_ARG_STRING_ARRAY, &asked->lines.never,
		  "A run fails if this is true, or longer than its time", "CONDITION" },
		{ "sometimes", 0, 0, G_OPTION_ARG_STRING_ARRAY, &asked->lines.sometimes,
		  "All fails unless this is true at some time in a run", "CONDITION" },
		{ "finally", 0, 0, G_OPTION_ARG_STRING_ARRAY, &asked->lines.finally,
		  "A run fails unless this is true so long after --heal, or at its end",
		  "CONDITION" },
		{ "heal", 0, 0, G_OPTION_ARG_STRING, &asked->lines.heal,
		  "End faults at this time, and mend what is down", "TIME" },
		{ "when", 0, 0, G_OPTION_ARG_STRING_ARRAY, &asked->lines.when,
		  "When something happens, do something: 'all-active do sm off'", "LINE" },
		{ "each", 0, 0, G_OPTION_ARG_STRING, &asked->each,
		  "Do this in each run at another packet of those that the first run has", "LINE" },
		{ "do", 0, 0, G_OPTION_ARG_STRING_ARRAY, &asked->lines.lines,
		  "Do this on the fabric first, as of 'umadrig ctl'", "LINE" },
		{ "all-faults", 0, 0, G_OPTION_ARG_NONE, &asked->all_faults,
		  "Give each run all faults as they are, instead of some of them", NULL },
		{ "twice", 0, 0, G_OPTION_ARG_NONE, &asked->twice,
		  "Do each run twice: it fails unless everything is the same", NULL },
		{ "find-leaks", 0, 0, G_OPTION_ARG_NONE, &asked->find_leaks,
		  "Do runs that differ in addresses only, and name each byte that does", NULL },
		{ "no-shrink", 0, 0, G_OPTION_ARG_NONE, &asked->no_shrink,
		  "Take failures as they are", NULL },
		G_OPTION_ENTRY_NULL,
	};

	return parse_entries(entries, argc, argv, error) &&
	       (!plan || plan_file_read(plan, asked->plans, entries, error));
}

/*
 * What the command line says comes behind what plans say: it adds to that, or replaces it.
 */
static bool parse(struct asked *asked, int *argc, char ***argv, GError **error)
{
	GPtrArray *words = g_ptr_array_new();
	struct plan_file plan;
	bool is_good;

	plan_file_begin(&plan);
	for (int i = 1; i < *argc; i++)
		g_ptr_array_add(words, (*argv)[i]);
	g_ptr_array_add(words, NULL);
	is_good = parse_once(asked, &plan, argc, argv, error);
	asked_clear(asked);
	*asked = (struct asked){ .plan = plan, .words = words };
	if (!is_good)
		return false;
	for (unsigned int i = 0; i < plan.words->len; i++)
		g_ptr_array_insert(words, (int)i, plan.words->pdata[i]);
	g_ptr_array_insert(words, 0, **argv);
	*argv = (char **)words->pdata;
	*argc = (int)words->len - 1;
	return parse_once(asked, NULL, argc, argv, error);
}

/* ---- the command line ---- */

static int take_timeout(struct explore *explore, const char *timeout)
{
	explore->test.timeout_arg = timeout;
	explore->test.timeout_ns = TIMEOUT_S * NS_PER_S;
	if (!option_seconds(explore->name, "--timeout", timeout, &explore->test.timeout_ns))
		return COMMAND_USAGE;
	return COMMAND_OK;
}

static int take_numbers(struct explore *explore, struct asked *asked, uint64_t *ret_seed)
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
static int take_reports(struct explore *explore, const struct asked *asked)
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
static int take(struct explore *explore, struct asked *asked, int argc, char **argv)
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
	test->any_addresses = asked->find_leaks;
	test->expect = asked->expect;
	test->asked = &asked->lines;
	test->lines = explore_lines_all(&asked->lines);
	test->has = asked->has;
	test->lacks = asked->lacks;
	explore->keep_going = asked->keep_going;
	explore->shrinks = !asked->no_shrink;
	if (explore_verdict_check(test, &error))
		fabric = kernel_option_fabric(explore->name, asked->fabric, asked->kernel, &error);
	if (fabric)
		spec = exec_spec(fabric, asked->host, &error);
	if (!spec || !explore_plan_parse(&test->plan, fabric, seed, &error))
		return error->code == COMMAND_USAGE ?
		       command_usage(explore->name, "%s", error->message) :
		       command_error(explore->name, error->code, "%s", error->message);
	test->plan.all_faults = asked->all_faults;
	test->plan.each = asked->each;
	test->plan.runs = explore->runs;
	return COMMAND_OK;
}

/* ---- the runs ---- */

static struct explore_point point_of_run(void *ctx, unsigned int at)
{
	struct explore *explore = ctx;

	return explore_plan_point(&explore->test.plan, explore->test.any_addresses ? 0 : at);
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
	explore_report_take(&explore->report, result, explore->runs);
	if (result->at == 0)
		explore_plan_learn(&explore->test.plan, result->points, result->instants);
	if (result->verdict.kind == EXPLORE_PASSED)
		return !explore->test.any_addresses || compare_with_first(explore, result);
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

/* Does all runs, which stop at each failure. The first one says how long the others may be. */
static void do_runs(struct explore *explore)
{
	struct explore_crew crew = {
		.test = &explore->test, .jobs = explore->jobs, .end = 1,
		.prefix = "run-", .ctx = explore, .point = point_of_run, .take = take_result,
	};

	do {
		int err = explore_crew_work(&crew, &explore->sig);

		if (explore->err == 0)
			explore->err = err;
		crew.first = explore->failure.directory ? explore->failure.at + 1 : crew.end;
		crew.end = explore->runs;
		if (explore->failure.directory)
			finish_failure(explore);
	} while (goes_on(explore) && crew.first < crew.end);
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

	if (!explore->test.plan.is_real && !explore->test.any_addresses)
		program_addresses_warn(explore->name);
	explore_report_begin(&explore->report, &explore->test);
	explore_leaks_begin(&explore->leaks);
	do_runs(explore);
	if (explore->first && explore->status == COMMAND_OK && explore->err == 0)
		report_leaks(explore);
	if ((explore->status == COMMAND_OK || explore->status == COMMAND_FAILED) &&
	    !explore_report_summary(&explore->report, explore->runs))
		explore->status = COMMAND_FAILED;
	status = write_reports(explore, status_of(explore));
	explore_report_end(&explore->report);
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
	struct asked asked = { .fabric = NULL };
	struct explore explore = { .name = name, .test.name = name };
	g_autoptr(GError) error = NULL;
	int status;

	explore.test.grace_ns = EXEC_GRACE_NS;
	explore.test.limit_ns = LIMIT_S * NS_PER_S;
	explore.test.argv = command_split(&argc, argv);
	status = parse(&asked, &argc, &argv, &error) ? take(&explore, &asked, argc, argv) :
		 command_usage(name, "%s", error->message);
	if (status == COMMAND_OK)
		status = work_there(&explore, asked.output);
	explore_plan_clear(&explore.test.plan);
	g_strfreev(explore.test.lines);
	asked_clear(&asked);
	return command_finish_output(name, status);
}

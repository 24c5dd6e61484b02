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
#include "harness/cmd/commands.h"
#include "harness/cmd/cmd-explore-merge.h"
#include "harness/cmd/explore-options.h"
#include "harness/cmd/explore-test.h"
#include "harness/cmd/fabric-option.h"
#include "harness/exec/exec.h"
#include "harness/explore/explore-directory.h"
#include "harness/explore/explore-guide.h"
#include "harness/explore/explore-leaks.h"
#include "harness/explore/explore-report.h"
#include "harness/explore/explore-store.h"
#include "harness/explore/explore-words.h"
#include "lib/base/monotonic.h"
#include "sim/programs/program-addresses.h"

enum {
	RUNS = 100,
	LEAK_RUNS = 3,		/* in two, a byte may be the same by chance */
	LEAKS_SHOWN = 100,	/* lines */
};

#define RUNS_MAX 999999		/* the number of a run's directory has six digits */
#define JOBS_MAX 256

struct explore {
	const char *name;
	struct explore_test test;
	struct explore_report report;
	struct explore_guide guide;
	unsigned int runs, jobs;
	const struct explore_reports *reports;
	struct explore_store store;
	struct explore_state state;
	unsigned int end;	/* no run from here on */
	int64_t budget_ns;	/* real time; 0: any */
	int64_t stop_ns;	/* monotonic_ns() then; 0: never */
	bool is_over;		/* that has come */
	bool keep_going, is_kept, shrinks, varies;
	char *first;		/* --find-leaks: the first run's capture; or NULL */
	struct explore_leaks leaks;
	int status;
	struct explore_result failure;	/* 'directory': NULL, or where it is kept */
	int err, sig;		/* as of explore_crew_work() */
};

/* ---- the command line ---- */

static int take_numbers(struct explore *explore, const struct explore_options *asked)
{
	uint64_t runs = asked->find_leaks ? LEAK_RUNS : asked->budget ? RUNS_MAX : RUNS, jobs = 1;

	if (!option_number(explore->name, "--runs", asked->runs, 1, RUNS_MAX, "a number from 1 to "
			   G_STRINGIFY(RUNS_MAX), &runs) ||
	    !option_number(explore->name, "--jobs", asked->jobs, 0, JOBS_MAX, "a number from 0 to "
			   G_STRINGIFY(JOBS_MAX), &jobs) ||
	    !option_long_time(explore->name, "--budget", asked->budget, &explore->budget_ns) ||
	    !option_shard(explore->name, asked->shard, &explore->state.part,
			  &explore->state.parts))
		return COMMAND_USAGE;
	if (asked->find_leaks && (asked->twice || asked->keep_going))
		return command_usage(explore->name, "--find-leaks excludes --twice and "
				     "--keep-going");
	if (asked->find_leaks && (asked->corpus || asked->budget || asked->shard))
		return command_usage(explore->name, "--find-leaks excludes --corpus, --budget and "
				     "--shard");
	if (asked->corpus && asked->output)
		return command_usage(explore->name, "--corpus excludes --output: failures are kept "
				     "in the corpus's directory");
	if (asked->find_leaks &&
	    (asked->reports.json || asked->reports.junit || asked->reports.html))
		return command_usage(explore->name, "--find-leaks excludes --%s",
				     asked->reports.junit ? "junit" :
				     asked->reports.json ? "json" : "html");
	if (asked->find_leaks && runs == 1)
		return command_usage(explore->name, "--find-leaks needs two runs at least");
	explore->runs = (unsigned int)runs;
	explore->jobs = jobs ? (unsigned int)jobs : g_get_num_processors();
	explore->jobs = MIN(explore->jobs, explore->runs);
	return COMMAND_OK;
}

/* COMMAND_OK: it is a sensible one, and in '*explore'; the strings stay the caller's. */
static int take(struct explore *explore, struct explore_options *asked, int argc, char **argv)
{
	struct explore_test *test = &explore->test;
	g_autoptr(GError) error = NULL;
	g_autofree char *spec = NULL;
	int status;

	if (argc > 1)
		return command_unexpected(explore->name, argv + 1, asked->fabric, test->argv,
					  "put the command after --");
	status = take_numbers(explore, asked);
	if (status == COMMAND_OK)
		status = explore_reports_check(&asked->reports, explore->name);
	if (status == COMMAND_OK)
		status = explore_test_take(test, asked);
	if (status != COMMAND_OK)
		return status;
	explore->reports = &asked->reports;
	explore->keep_going = asked->keep_going;
	explore->shrinks = !asked->no_shrink;
	explore->varies = !asked->no_vary && !asked->find_leaks;
	spec = exec_spec(test->fabric, asked->host, &error);
	return spec ? COMMAND_OK :
	       command_error(explore->name, error->code, "%s", error->message);
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
	if (g_file_get_contents(path, &text, NULL, NULL) && *text) {
		fputs(text, stderr);
		command_error(explore->name, result->verdict.number, "run %u: %s", result->at + 1,
			      result->verdict.text);
		return;
	}
	command_error(explore->name, result->verdict.number, "run %u: %s, and nothing says why; if "
		      "there is no room in %s, TMPDIR or --output names another place",
		      result->at + 1, result->verdict.text, result->directory);
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

/* What the first run says about the others. */
static void learn(struct explore *explore, const struct explore_result *result)
{
	explore->state.points = result->points;
	explore->state.instants = result->instants;
	explore_plan_learn(&explore->test.plan, result->points, result->instants);
}

/* How many this process has to do of all, with those of former calls. */
static unsigned int runs_in_all(const struct explore *explore)
{
	unsigned int parts = explore->state.parts, first = explore->state.part - 1;

	return explore->end > first ? (explore->end - first + parts - 1) / parts : 0;
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
	explore_report_goes_on(&explore->report, explore->budget_ns ? 0 : runs_in_all(explore));
	explore->state.next = result->at + explore->state.parts;
	explore->is_over = explore->stop_ns && monotonic_ns() >= explore->stop_ns;
	if (result->at == 0)
		learn(explore, result);
	if (result->verdict.kind == EXPLORE_PASSED)
		return !explore->is_over && (!explore->test.plan.any_addresses ||
					     compare_with_first(explore, result));
	explore->status = COMMAND_FAILED;
	if (explore_report_is_known(&explore->report, result))
		return !explore->is_over;
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
	return explore->err == 0 && !explore->is_over &&
	       (explore->status == COMMAND_OK ||
		(explore->status == COMMAND_FAILED && explore->keep_going));
}

/* Does a generation of runs, or what is left of it, which stops at a failure. */
static void do_generation(struct explore *explore)
{
	struct explore_crew crew = {
		.test = &explore->test, .jobs = explore->jobs, .first = explore->state.next,
		.end = explore->guide.end, .step = explore->state.parts, .prefix = "run-",
		.wants_traits = !explore->test.plan.any_addresses, .ctx = explore,
		.point = point_of_run, .take = take_result,
	};
	int err = explore_crew_work(&crew, &explore->sig);

	if (explore->err == 0)
		explore->err = err;
	if (explore->failure.directory)
		finish_failure(explore);
}

static bool take_first(void *ctx, struct explore_result *result)
{
	struct explore *explore = ctx;

	if (result->verdict.kind == EXPLORE_REFUSED) {
		say_refused(explore, result);
		explore->status = result->verdict.number;
	} else {
		learn(explore, result);
	}
	return false;
}

static struct explore_point first_point(void *ctx, unsigned int at)
{
	const struct explore *explore = ctx;

	return explore_plan_point(&explore->test.plan, at);
}

/* The first run belongs to another process: it is done to learn from it, and not counted. */
static void do_first(struct explore *explore)
{
	struct explore_crew crew = {
		.test = &explore->test, .jobs = 1, .end = 1, .prefix = "run-", .ctx = explore,
		.point = first_point, .take = take_first,
	};

	explore->err = explore_crew_work(&crew, &explore->sig);
}

/* What is known so far goes to the corpus's directory, if there is one. */
static void keep_state(struct explore *explore)
{
	g_autoptr(GError) error = NULL;

	if (!explore->store.path ||
	    explore_store_write(explore->store.path, &explore->state, &explore->guide,
				&explore->report, &error))
		return;
	status_line_clear(explore->report.line);
	explore->status = command_error(explore->name, COMMAND_BAIL_OUT, "--corpus: %s",
					error->message);
}

static void do_runs(struct explore *explore)
{
	if (explore->budget_ns)
		explore->stop_ns = monotonic_ns() + explore->budget_ns;
	if (explore->state.part > 1 && explore->report.runs == 0)
		do_first(explore);
	while (goes_on(explore) && explore->state.next < explore->end) {
		if (explore->state.next >= explore->guide.end) {
			explore_guide_next(&explore->guide, explore->end);
			keep_state(explore);
		}
		if (goes_on(explore))
			do_generation(explore);
	}
	if (explore->status == COMMAND_OK || explore->status == COMMAND_FAILED)
		keep_state(explore);
}

/* Why not all runs were done, to be freed; NULL: they were. */
static char *cut_off(const struct explore *explore, int status)
{
	if (explore->err == -EINTR)
		return g_strdup_printf("signal %d (%s)", explore->sig, g_strsignal(explore->sig));
	if (explore->err < 0)
		return g_strdup(g_strerror(-explore->err));
	return status == COMMAND_OK || status == COMMAND_FAILED ? NULL :
	       g_strdup("the command cannot be run");
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
static int finish(struct explore *explore)
{
	const struct explore_report *report = &explore->report;
	/* What is to be seen sometimes may be seen by another part: merge judges that. */
	bool is_whole = explore->state.parts == 1 &&
			(explore->is_over || report->runs >= runs_in_all(explore));
	g_autofree char *why = NULL;
	int status;

	if (explore->first && explore->status == COMMAND_OK && explore->err == 0)
		report_leaks(explore);
	if ((explore->status == COMMAND_OK || explore->status == COMMAND_FAILED) &&
	    (!explore_report_summary(&explore->report, is_whole) || report->failures > 0))
		explore->status = COMMAND_FAILED;
	status = status_of(explore);
	if (status == COMMAND_OK && report->runs == 0 && explore->state.parts > 1)
		command_error(explore->name, COMMAND_OK, "nothing was run: part %u of %u has none "
			      "of the %u runs", explore->state.part, explore->state.parts,
			      explore->runs);
	why = cut_off(explore, status);
	return explore_reports_write(explore->reports, explore->name, report, why, status);
}

/* Goes on where a former call has ended, if there was one. False: it was said why not. */
static bool resume(struct explore *explore)
{
	struct explore_state *state = &explore->state, former = { .next = 0 };
	g_autofree char *theirs = NULL, *ours = NULL;
	g_auto(GStrv) words = explore_words_of_test(&explore->test);
	g_autoptr(GError) error = NULL;

	if (!explore_store_read(explore->store.path, &former, &explore->guide, &explore->report,
				&error)) {
		explore->status = command_error(explore->name, COMMAND_REFUSED, "--corpus: %s",
						error->message);
	} else if (!former.words) {
		state->words = g_steal_pointer(&words);
	} else if (!g_strv_equal((const char *const *)former.words, (const char *const *)words)) {
		theirs = explore_words_line(former.words);
		ours = explore_words_line(words);
		explore->status = command_error(explore->name, COMMAND_REFUSED,
			"--corpus: %s is of another test: name another directory\n  there: %s\n"
			"  here:  %s", explore->store.path, theirs, ours);
	} else if (former.part != state->part || former.parts != state->parts) {
		explore->status = command_error(explore->name, COMMAND_REFUSED,
			"--corpus: %s is of --shard=%u/%u", explore->store.path, former.part,
			former.parts);
	} else {
		explore_plan_learn(&explore->test.plan, former.points, former.instants);
		*state = former;
		former.words = NULL;
		explore_guide_resume(&explore->guide, state->next, explore->report.runs);
	}
	explore_state_clear(&former);
	return explore->status == COMMAND_OK;
}

/* An exit status. */
static int work(struct explore *explore)
{
	struct explore_state *state = &explore->state;
	int status;

	if (!explore->test.plan.is_real && !explore->test.plan.any_addresses)
		program_addresses_warn(explore->name);
	state->next = state->part - 1;
	explore_guide_begin(&explore->guide, &explore->test.plan, state->next, state->parts);
	explore->guide.is_blind = !explore->varies;
	explore_report_begin(&explore->report, &explore->test, &explore->guide.corpus);
	explore_leaks_begin(&explore->leaks);
	if (!explore->store.path || resume(explore)) {
		explore->end = MIN(state->next - state->next % state->parts + explore->runs,
				   RUNS_MAX);
		explore->test.plan.runs = explore->end;
		do_runs(explore);
	}
	status = finish(explore);
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

static int work_in_corpus(struct explore *explore, const char *path)
{
	g_autoptr(GError) error = NULL;
	int status;

	if (explore_store_begin(&explore->store, path, &error)) {
		explore->test.directory = explore->store.path;
		status = work(explore);
	} else {
		status = command_error(explore->name, COMMAND_REFUSED, "--corpus: %s",
				       error->message);
	}
	explore_store_end(&explore->store);
	return status;
}

int cmd_explore(int argc, char **argv)
{
	g_autofree char *name = g_strdup(argv[0]);
	struct explore_options asked = { .fabric = NULL };
	struct explore explore = { .name = name, .test.name = name, .store.lock = -1 };
	g_autoptr(GError) error = NULL;
	int status;

	if (argc > 1 && strcmp(argv[1], "merge") == 0)
		return cmd_explore_merge(argc, argv);
	explore.test.argv = command_split(&argc, argv);
	status = explore_options_parse(&asked, &argc, &argv, &error) ?
		 take(&explore, &asked, argc, argv) : fabric_option_usage(name, error->message);
	if (status == COMMAND_OK)
		status = asked.corpus ? work_in_corpus(&explore, asked.corpus) :
			 work_there(&explore, asked.output);
	explore_state_clear(&explore.state);
	explore_test_clear(&explore.test);
	explore_options_clear(&asked);
	return command_finish_output(name, status);
}

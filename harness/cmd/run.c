/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig run: runs scenario scripts on the simulator or on real devices.
 *
 * All scripts are read and checked before the first one runs. Workers run the points
 * (harness/cmd/run-workers.h), sinks report what became of them (harness/cmd/run-sink.h).
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <infiniband/umad.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/run-attempt.h"
#include "harness/cmd/run-bless.h"
#include "harness/cmd/run-changes.h"
#include "harness/cmd/run-expected.h"
#include "harness/cmd/run-explain.h"
#include "harness/cmd/run-files.h"
#include "harness/cmd/run-list.h"
#include "harness/cmd/run-ports.h"
#include "harness/cmd/run-progress.h"
#include "harness/cmd/run-report.h"
#include "harness/cmd/run-sink.h"
#include "harness/cmd/run-watch.h"
#include "harness/cmd/run-workers.h"
#include "harness/script/check/check.h"
#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"
#include "sim/programs/program-addresses.h"

struct run_command {
	const char *name;	/* "umadrig run", for messages */
	struct run_options options;
	GPtrArray *scripts;	/* of struct script * */
	GPtrArray *plans;	/* of struct plan *, one for each script */
	GArray *selection;	/* of struct selected: what this run runs */
	guint whole;		/* how many points all parts (--shard) have */
	GArray *order;		/* of guint: the selection's indices, as they run in this round */
	guint at, round;	/* which of them is next */
	struct run_expected *expected;	/* failures; NULL: none are */
	char *scratch;		/* a directory for --twice; NULL: there is none */
	GPtrArray *sinks;	/* of struct run_sink * */
	struct run_progress *progress;	/* NULL: there is no terminal */
	struct run_totals totals;
	char *rig_is_gone;	/* why nothing more can be run; NULL: it can */
	int signal;		/* that has ended the run; 0: none */
	bool watched;		/* something is */
	struct run_watch *watch;	/* NULL: the run is not repeated when something changes */
};

/* ---- jobs: what run_workers() calls ---- */

static bool next_job(void *ctx, struct run_job *ret)
{
	struct run_command *command = ctx;
	guint repeat = (guint)command->options.repeat;

	if (command->at == command->order->len) {
		command->at = 0;
		command->round++;
		run_selection_order(command->order, &command->options, command->round);
	}
	if (command->order->len == 0 || (repeat != 0 && command->round >= repeat))
		return false;
	ret->index = g_array_index(command->order, guint, command->at++);
	ret->round = command->round;
	return true;
}

static GBytes *run_job(void *ctx, const struct run_job *job)
{
	struct run_command *command = ctx;
	struct run_result result;
	GBytes *bytes;

	run_attempt(&command->options,
		    &g_array_index(command->selection, struct selected, job->index), job->round,
		    command->scratch, &result);
	bytes = run_result_pack(&result);
	run_result_clear(&result);
	return bytes;
}

/* With --until-fail: was everything skipped in a whole round? */
static bool never_fails(const struct run_command *command)
{
	const struct run_totals *totals = &command->totals;

	return command->options.repeat == 0 && totals->results == command->order->len &&
	       totals->counts[RUN_SKIPPED] == totals->results;
}

/* A kernel that crashes its process is to blame for it, unless others have killed that. */
static void judge_crash(const struct run_options *options, const char *why,
			struct run_result *result)
{
	char *message = result->message;

	if (!options->kernel || !why || strstr(why, "signal 9 "))
		return;
	result->state = RUN_FAILED;
	result->message = g_strdup_printf("the kernel has crashed: %s; standard error says more",
					  message);
	g_free(message);
}

static bool job_done(void *ctx, const struct run_job *job, GBytes *bytes, const char *why)
{
	struct run_command *command = ctx;
	const struct run_options *options = &command->options;
	const struct selected *selected =
		&g_array_index(command->selection, struct selected, job->index);
	struct run_result result;
	bool go_on;

	run_attempt_lost(options, selected, job->round,
			 why ? why : "the process that ran it has sent no result", &result);
	if (bytes)
		run_result_unpack(&result, bytes);
	else
		judge_crash(options, why, &result);
	command->totals.counts[result.state]++;
	command->totals.results++;
	run_progress_clear(command->progress);
	for (guint i = 0; i < command->sinks->len; i++) {
		struct run_sink *sink = command->sinks->pdata[i];

		sink->kind->result(sink, &result);
	}
	run_progress_result(command->progress, &result);
	if (result.rig_is_gone)
		command->rig_is_gone = g_strdup(result.message);
	go_on = !result.rig_is_gone && !(options->until_fail && run_result_is_failure(&result)) &&
		!never_fails(command);
	run_result_clear(&result);
	return go_on;
}

/* Nobody would know what its capture is of. */
static void drop_job(void *ctx, const struct run_job *job, GBytes *bytes)
{
	struct run_command *command = ctx;
	struct run_result result;

	run_result_init(&result,
			&g_array_index(command->selection, struct selected, job->index));
	if (run_result_unpack(&result, bytes)) {
		if (result.capture)
			g_unlink(result.capture);
		if (result.diagram)
			g_unlink(result.diagram);
	}
	run_result_clear(&result);
}

/* What workers say stands on lines of its own. */
static void workers_said(void *ctx, const char *bytes, size_t size)
{
	struct run_command *command = ctx;

	run_progress_clear(command->progress);
	fwrite(bytes, 1, size, stderr);
	fflush(stderr);
}

static void job_awaited(void *ctx, const struct run_job *job)
{
	struct run_command *command = ctx;
	struct run_result result;

	run_attempt_lost(&command->options,
			 &g_array_index(command->selection, struct selected, job->index),
			 job->round, "", &result);
	run_progress_wait(command->progress, result.name);
	run_result_clear(&result);
}

/* ---- what comes before ---- */

/*
 * Real ports are on a fabric that others may use: nothing is sent if anything would change it and
 * that is not allowed. A wire of our own leads nowhere else. Returns an exit status, or -1.
 */
static int refuse_changes(const struct run_command *command, const GArray *selection)
{
	const struct run_options *options = &command->options;
	const struct rig rig = run_rig(options);
	g_autoptr(GPtrArray) points = g_ptr_array_new();

	if (options->on_sim || options->wire)
		return -1;
	for (guint i = 0; i < selection->len; i++) {
		const struct selected *selected = &g_array_index(selection, struct selected, i);

		if (selected->point)
			g_ptr_array_add(points, (void *)selected->point);
	}
	return run_changes_refuse(points, &rig, (const char *const *)options->writable,
				  command->name);
}

/* Sends MADs where the options say: configures our own library before its first use. */
static int check_library(const struct run_command *command)
{
	/* Only our library has this function. */
	if (!dlsym(RTLD_DEFAULT, "umad_set_grh_net"))
		return command_error(command->name, COMMAND_BAIL_OUT, "the libibumad in use is not "
				     "umadrig's: unset LD_LIBRARY_PATH and LD_PRELOAD");
	/* A fabric server's is in UMAD_BACKEND. */
	if (command->options.is_attached)
		return -1;
	if (setenv("UMAD_BACKEND", command->options.on_sim ? "sim:@" : "ib_umad", 1) != 0)
		return command_error(command->name, COMMAND_BAIL_OUT, "setenv: %s",
				     strerror(errno));
	return -1;
}

/* Or blesses them, which is all then. Returns an exit status, or -1 to go on. */
static int load_scripts(struct run_command *command)
{
	char **args = command->options.files;
	g_autoptr(GPtrArray) files = NULL;
	g_autofree char *error = NULL, *root = NULL;

	if (!args || !args[0])
		return command_usage(command->name,
				     "no scripts given: name files or directories");
	files = run_files_find(args, &error);
	if (!files)
		return command_error(command->name, COMMAND_BAIL_OUT, "nothing was run: %s",
				     error);
	if (command->options.bless)
		return run_bless(&command->options, files, command->name);
	root = run_files_root(args);
	for (guint i = 0; i < files->len; i++) {
		g_autofree char *label = run_files_label(root, files->pdata[i]);
		struct script *script = script_load(files->pdata[i], label, script_verbs);

		g_ptr_array_add(command->scripts, script);
		g_ptr_array_add(command->plans, script_check(script));
	}
	return -1;
}

/* ---- the run ---- */

static void add_sink(struct run_command *command, const struct run_sink_kind *kind,
		     const char *path, const struct run_about *about)
{
	struct run_sink *sink = kind->make(path, about);

	sink->kind = kind;
	sink->about = about;
	g_ptr_array_add(command->sinks, sink);
}

static void add_sinks(struct run_command *command, const struct run_about *about)
{
	const struct run_options *options = &command->options;

	add_sink(command, options->is_tap ? &run_sink_tap : &run_sink_terminal, NULL, about);
	if (options->junit)
		add_sink(command, &run_sink_junit, options->junit, about);
	if (options->json)
		add_sink(command, &run_sink_json, options->json, about);
}

/* Each of them writes what it has, even if another cannot. Returns the worst exit status. */
static int end_sinks(struct run_command *command)
{
	int status = COMMAND_OK;

	for (guint i = 0; i < command->sinks->len; i++) {
		struct run_sink *sink = command->sinks->pdata[i];
		int one = sink->kind->end(sink, &command->totals);

		status = MAX(status, one);
	}
	return status;
}

static const char *signal_name(int sig)
{
	return sig == SIGHUP ? "SIGHUP" : sig == SIGINT ? "SIGINT" : "SIGTERM";
}

/* Why the run did not come to its end, or NULL; to be freed. */
static char *why_cut_off(const struct run_command *command, const struct run_workers_end *end)
{
	if (end->signal != 0)
		return g_strdup_printf("cut off by %s after %u results", signal_name(end->signal),
				       command->totals.results);
	if (command->rig_is_gone)
		return g_strdup(command->rig_is_gone);
	return g_strdup(end->broken);
}

static int run_status(const struct run_command *command, const struct run_workers_end *end)
{
	const guint *counts = command->totals.counts;

	if (end->signal != 0)
		return 128 + end->signal;
	if (command->rig_is_gone || end->broken)
		return COMMAND_BAIL_OUT;
	if (counts[RUN_FAILED] + counts[RUN_UNEXPECTED_PASS] > 0)
		return COMMAND_FAILED;
	return counts[RUN_INCONCLUSIVE] > 0 ? COMMAND_INCONCLUSIVE : COMMAND_OK;
}

/* Has libibumad say once that this is a simulation, and not in each worker. */
static void announce(const struct run_options *options)
{
	const struct world_setup setup = { .seed = 1 };
	g_autofree char *error = NULL;
	struct world *world = options->on_sim && options->jobs > 1 ?
			      world_sim_new(&setup, &error) : NULL;
	char names[1][UMAD_CA_NAME_LEN];

	if (!world)
		return;
	umad_get_cas_names(names, G_N_ELEMENTS(names));
	world->kind->close(world);
}

/* The same of what is not promised of programs in virtual time. */
static void warn_of_addresses(const struct run_command *command)
{
	for (guint i = 0; i < command->selection->len; i++) {
		const struct point *point =
			g_array_index(command->selection, struct selected, i).point;

		if (!point || !point_runs_programs(point) ||
		    run_point_is_in_real_time(&command->options, point))
			continue;
		program_addresses_warn(command->name);
		return;
	}
}

static int run_all(struct run_command *command, const struct run_about *about)
{
	struct run_work work = {
		.ctx = command, .workers = (guint)command->options.jobs, .next = next_job,
		.run = run_job, .done = job_done, .drop = drop_job, .idle = job_awaited,
	};
	struct run_workers_end end;
	g_autofree char *cut_off = NULL;
	int status, reported;

	announce(&command->options);
	warn_of_addresses(command);
	command->sinks = g_ptr_array_new();
	add_sinks(command, about);
	command->progress = run_progress_new(about);
	work.said = command->progress ? workers_said : NULL;
	run_selection_order(command->order, &command->options, 0);
	end = run_workers(&work);
	run_progress_free(command->progress);
	cut_off = why_cut_off(command, &end);
	status = run_status(command, &end);
	command->totals.cut_off = cut_off;
	command->totals.status = status;
	command->signal = end.signal;
	reported = end_sinks(command);
	g_ptr_array_unref(command->sinks);
	g_free(end.broken);
	return status != COMMAND_OK ? status : reported;
}

/* Returns an exit status, or -1 to go on. */
static int make_directories(struct run_command *command)
{
	const struct run_options *options = &command->options;
	g_autoptr(GError) error = NULL;

	if (options->keep && g_mkdir_with_parents(options->keep, 0777) != 0)
		return command_error(command->name, COMMAND_USAGE, "--keep %s: %s", options->keep,
				     strerror(errno));
	command->scratch = options->twice ? g_dir_make_tmp("umadrig-XXXXXX", &error) : NULL;
	if (error)
		return command_error(command->name, COMMAND_BAIL_OUT, "--twice: %s",
				     error->message);
	return -1;
}

/* A worker that was killed may have left captures. */
static void remove_scratch(struct run_command *command)
{
	GDir *dir = command->scratch ? g_dir_open(command->scratch, 0, NULL) : NULL;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(command->scratch, name, NULL);

		g_unlink(path);
	}
	if (dir)
		g_dir_close(dir);
	if (command->scratch)
		g_rmdir(command->scratch);
	g_clear_pointer(&command->scratch, g_free);
}

/* Why this run has nothing to do, although there are points; NULL: it has. To be freed. */
static char *why_empty(const struct run_command *command)
{
	if (command->selection->len > 0)
		return NULL;
	return g_strdup_printf("part %u of %u has none of the %u points",
			       command->options.shard, command->options.shards, command->whole);
}

/* What was asked for and has not happened, although nothing failed. */
static void say_what_was_not_done(const struct run_command *command, const char *empty)
{
	const struct run_totals *totals = &command->totals;

	if (command->options.mermaid && !command->options.keep)
		command_error(command->name, COMMAND_OK, "--mermaid has drawn nothing: captures of "
			      "points that pass are kept with --keep DIR");
	if (empty)
		command_error(command->name, COMMAND_OK, "nothing was run: %s", empty);
	else if (totals->results > 0 && totals->counts[RUN_SKIPPED] == totals->results)
		command_error(command->name, COMMAND_OK, "nothing was run: %u of %u points were "
			      "skipped (with --fail-on-skip that is a failure)", totals->results,
			      totals->results);
}

static int run_and_report(struct run_command *command)
{
	const struct run_options *options = &command->options;
	g_autofree char *empty = why_empty(command);
	g_autofree char *header = run_report_header(options, command->selection, command->whole);
	const struct run_about about = {
		.command = command->name, .options = options, .header = header, .empty = empty,
		.points = command->selection->len * (guint)options->repeat,
		.points_known = !options->until_fail,
	};
	int status = make_directories(command);

	if (status < 0)
		status = run_all(command, &about);
	if (status == COMMAND_OK && empty && run_options_forbid_skip(options, empty))
		status = command_error(command->name, COMMAND_FAILED, "--fail-on-skip: %s", empty);
	else if (status == COMMAND_OK)
		say_what_was_not_done(command, empty);
	remove_scratch(command);
	return status;
}

static int list(const struct run_command *command)
{
	const GArray *selection = command->selection;
	int status = COMMAND_OK;

	run_list(selection, command->options.tags);
	for (guint i = 0; i < selection->len; i++) {
		const struct selected *selected = &g_array_index(selection, struct selected, i);
		g_autofree char *text = selected->point ? NULL :
					diagnostics_text(selected->script->diagnostics);

		if (!text)
			continue;
		fputs(text, stderr);
		status = COMMAND_FAILED;
	}
	return command_finish_output(command->name, status);
}

static int run_selected(struct run_command *command)
{
	const struct run_options *options = &command->options;
	const GArray *selection = command->selection;
	int status = run_selection_refuse(selection, command->plans, options, command->name);

	if (status < 0)
		status = run_expected_mark(command->selection, command->plans, options,
					   command->name, &command->expected);
	command->whole = selection->len;
	run_selection_shard(command->selection, options);
	g_array_set_size(command->order, selection->len);
	if (status < 0 && options->list)
		return list(command);
	if (status < 0 && options->explain)
		return command_finish_output(command->name, run_explain(selection, options) ?
					     COMMAND_OK : COMMAND_FAILED);
	if (status < 0)
		status = run_ports_refuse(options, command->name);
	if (status < 0)
		status = refuse_changes(command, selection);
	return status >= 0 ? status : run_and_report(command);
}

static void watch_scenario(struct run_watch *watch, const struct scenario *scenario)
{
	const struct settings *settings = &scenario->settings;

	run_watch_file(watch, settings->topology);
	run_watch_file(watch, settings->replay ? settings->replay->capture : NULL);
}

/* All that the run that is over depended on. */
static void watch_files(struct run_command *command)
{
	struct run_watch *watch = command->watch;

	for (char **arg = command->options.files; *arg; arg++) {
		if (g_file_test(*arg, G_FILE_TEST_IS_DIR))
			run_watch_directory(watch, *arg);
		else
			run_watch_file(watch, *arg);
	}
	run_watch_file(watch, command->options.expected_failures);
	for (guint i = 0; i < command->scripts->len; i++) {
		const struct script *script = command->scripts->pdata[i];

		for (guint j = 0; j < script->sources->len; j++) {
			const struct source *source = script->sources->pdata[j];

			run_watch_file(watch, source->name);
		}
		for (guint j = 0; j < script->scenarios->len; j++)
			watch_scenario(watch, script->scenarios->pdata[j]);
	}
}

static int load_and_run(struct run_command *command)
{
	int status;

	command->scripts = g_ptr_array_new_with_free_func((GDestroyNotify)script_free);
	command->plans = g_ptr_array_new_with_free_func((GDestroyNotify)plan_free);
	status = load_scripts(command);
	if (status < 0) {
		command->selection = run_selection_new(command->plans, &command->options);
		command->order = g_array_new(false, false, sizeof(guint));
		status = run_selected(command);
		g_array_unref(command->order);
		g_array_unref(command->selection);
		g_clear_pointer(&command->expected, run_expected_free);
		if (command->watch)
			watch_files(command);
		command->watched = command->watch != NULL;
	}
	g_ptr_array_unref(command->plans);
	g_ptr_array_unref(command->scripts);
	return status;
}

/* ---- again and again ---- */

/* Runs until a signal ends it. What cannot be run at all the first time is not waited for. */
static int run_and_watch(struct run_command *command)
{
	g_autofree char *error = NULL;
	int status;

	command->watch = run_watch_new(&error);
	if (!command->watch)
		return command_error(command->name, COMMAND_BAIL_OUT, "--watch: %s", error);
	status = load_and_run(command);
	while (command->signal == 0 && command->watched) {
		fprintf(stderr, "%s: waiting for a change\n", command->name);
		if (!run_watch_wait(command->watch))
			break;
		g_clear_pointer(&command->rig_is_gone, g_free);
		command->at = command->round = 0;
		command->totals = (struct run_totals){ 0 };
		status = load_and_run(command);
	}
	run_watch_free(command->watch);
	return status;
}

int cmd_run(int argc, char **argv)
{
	struct run_command command = { .name = argv[0] };
	int status;

	status = run_options_parse(argc, argv, &command.options);
	if (status < 0)
		status = check_library(&command);
	if (status < 0)
		status = command.options.watch ? run_and_watch(&command) : load_and_run(&command);
	run_options_clear(&command.options);
	g_free(command.rig_is_gone);
	/* As if it had ended us there and then: the parent is to know. */
	if (command.signal != 0) {
		signal(command.signal, SIG_DFL);
		raise(command.signal);
	}
	return status;
}

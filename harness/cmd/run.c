/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig run: runs scenario scripts on the simulator or on real devices.
 *
 * All scripts are read and checked before the first one runs. Each point runs in a fresh world with
 * the scenario's seed; one that fails on the simulator is run again with a capture, which shows the
 * same failure, because the same seed gives the same bytes.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/run-bless.h"
#include "harness/cmd/run-changes.h"
#include "harness/cmd/run-explain.h"
#include "harness/cmd/run-files.h"
#include "harness/cmd/run-list.h"
#include "harness/cmd/run-ports.h"
#include "harness/cmd/run-report.h"
#include "harness/cmd/tap.h"
#include "harness/script/check/check.h"
#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"

struct run_command {
	const char *name;	/* "umadrig run", for messages */
	struct run_options options;
	GPtrArray *scripts;	/* of struct script * */
	GPtrArray *plans;	/* of struct plan *, one for each script */
	unsigned int failed;
	bool broken;
};

/* ---- one point ---- */

static void report(struct run_command *command, const struct selected *selected,
		   const struct outcome *outcome)
{
	const struct run_options *options = &command->options;
	const struct point *point = selected->point;
	g_autofree char *path = NULL;

	switch (outcome->verdict) {
	case VERDICT_PASS:
		if (options->twice && options->on_sim && !point_runs_programs(point) &&
		    !run_point_is_same_twice(options, point)) {
			tap_not_ok(point->name);
			tap_comment("two runs with one seed wrote different captures");
			command->failed++;
			return;
		}
		tap_ok(point->name);
		if (options->ladder)
			run_report_ladder(outcome);
		return;
	case VERDICT_SKIP:
		if (run_options_forbid_skip(options, outcome->message)) {
			run_report_forbidden_skip(point, outcome);
			command->failed++;
			return;
		}
		tap_skip(point->name, outcome->message);
		return;
	case VERDICT_BROKEN:
		tap_bail_out(outcome->message);
		command->broken = true;
		return;
	case VERDICT_TIMED_OUT:
		/* It would take as long again to make a capture. */
		command->failed++;
		if (options->keep && options->on_sim)
			path = g_build_filename(options->keep, selected->capture, NULL);
		run_report_failure(options, selected, outcome, path);
		return;
	case VERDICT_FAIL:
		command->failed++;
		if (options->keep)
			path = g_build_filename(options->keep, selected->capture, NULL);
		else if (options->on_sim && !point_runs_programs(point) &&
			 run_point_capture(options, point, selected->capture))
			path = g_strdup(selected->capture);
		run_report_failure(options, selected, outcome, options->on_sim ? path : NULL);
		return;
	}
}

static void run_point(struct run_command *command, const struct selected *selected)
{
	const struct run_options *options = &command->options;
	g_autofree char *path = options->keep && options->on_sim ?
				g_build_filename(options->keep, selected->capture, NULL) : NULL;
	struct outcome outcome = { .verdict = VERDICT_SKIP };
	const struct rig rig = run_rig(options);

	outcome.message = point_unmet(selected->point, &rig);
	if (!outcome.message)
		run_point_once(options, selected->point, path, &outcome);
	report(command, selected, &outcome);
	outcome_clear(&outcome);
}

/* ---- all of them ---- */

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

static int run_all(struct run_command *command, const GArray *selection)
{
	const struct run_options *options = &command->options;

	if (options->keep && g_mkdir_with_parents(options->keep, 0777) != 0)
		return command_error(command->name, COMMAND_USAGE, "--keep %s: %s", options->keep,
				     strerror(errno));
	tap_plan(selection->len);
	run_report_header(options, selection);
	for (guint i = 0; i < selection->len && !command->broken; i++) {
		const struct selected *selected = &g_array_index(selection, struct selected, i);

		if (selected->point) {
			run_point(command, selected);
		} else {
			run_report_unreadable(selected->script);
			command->failed++;
		}
	}
	if (command->broken)
		return COMMAND_BAIL_OUT;
	return command_finish_output(command->name,
				     command->failed > 0 ? COMMAND_FAILED : COMMAND_OK);
}

static int list(const struct run_command *command, const GArray *selection)
{
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
	g_autoptr(GArray) selection = run_selection_new(command->plans, options);
	int status = run_selection_refuse(selection, command->plans, options, command->name);

	if (status < 0 && options->list)
		return list(command, selection);
	if (status < 0 && options->explain)
		return command_finish_output(command->name, run_explain(selection, options) ?
					     COMMAND_OK : COMMAND_FAILED);
	if (status < 0)
		status = run_ports_refuse(options, command->name);
	if (status < 0)
		status = refuse_changes(command, selection);
	return status >= 0 ? status : run_all(command, selection);
}

int cmd_run(int argc, char **argv)
{
	struct run_command command = { .name = argv[0] };
	int status;

	command.scripts = g_ptr_array_new_with_free_func((GDestroyNotify)script_free);
	command.plans = g_ptr_array_new_with_free_func((GDestroyNotify)plan_free);
	status = run_options_parse(argc, argv, &command.options);
	if (status < 0)
		status = check_library(&command);
	if (status < 0)
		status = load_scripts(&command);
	if (status < 0)
		status = run_selected(&command);
	g_ptr_array_unref(command.plans);
	g_ptr_array_unref(command.scripts);
	run_options_clear(&command.options);
	return status;
}

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
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/run-changes.h"
#include "harness/cmd/run-files.h"
#include "harness/cmd/run-list.h"
#include "harness/cmd/tap.h"
#include "harness/script/check/check.h"
#include "harness/script/check/needs.h"
#include "harness/script/mad/where.h"
#include "harness/script/parse/parse.h"
#include "harness/script/run/run.h"
#include "harness/script/verb-table.h"
#include "harness/world/world.h"
#include "kmod-stub/event.h"
#include "kmod-stub/kmod.h"

struct run_command {
	bool on_sim;
	bool seed_set;
	guint64 seed;
	char *keep;		/* directory for captures; NULL: none */
	bool ladder, list, twice;
	guint every;		/* run every Nth point of a scenario, from the first */
	char *backend;
	char **port_args;
	char **tags;
	char *ports[WORLD_ENDS];
	char *wire_arg;
	char **writable;	/* ports of fabrics that scenarios may change, "DEV/N"; or NULL */
	char *profile_arg;
	/*
	 * Profile of hosts in scenarios that name none; on real devices: the profile the kernel
	 * matches.
	 */
	enum kmod_profile profile;
	char **wire;		/* two network interfaces; NULL: real wire */
	GPtrArray *scripts;	/* of struct script * */
	GPtrArray *plans;	/* of struct plan *, one for each script */
	GHashTable *capture_names;	/* names already used: look-up only */
	unsigned int failed;
	bool broken;
};

/* ---- which points run ---- */

static const GPtrArray *points_of(const struct run_command *command,
				  const struct plan_scenario *scenario)
{
	return scenario->points[command->on_sim];
}

/* Does the point have one of the tags given, and is it in the sample? */
static bool is_chosen(const struct run_command *command, const struct plan_scenario *scenario,
		      guint number)
{
	return point_has_tag(points_of(command, scenario)->pdata[number], command->tags) &&
	       number % command->every == 0;
}

static unsigned int count_points(const struct run_command *command)
{
	unsigned int count = 0;

	for (guint i = 0; i < command->plans->len; i++) {
		const struct plan *plan = command->plans->pdata[i];

		if (plan->script->diagnostics->errors > 0) {
			count++;
			continue;
		}
		for (guint j = 0; j < plan->scenarios->len; j++) {
			const struct plan_scenario *scenario = plan->scenarios->pdata[j];

			for (guint k = 0; k < points_of(command, scenario)->len; k++)
				count += is_chosen(command, scenario, k);
		}
	}
	return count;
}

/* ---- one point ---- */

/* "timeout.pcapng", or "timeout-02.pcapng" if the file has several points. */
static char *capture_name(struct run_command *command, const struct script *script,
			  unsigned int number, unsigned int of)
{
	g_autofree char *base = g_path_get_basename(script->source->name);
	g_autofree char *dir = g_path_get_dirname(script->source->name);
	g_autofree char *parent = g_path_get_basename(dir);
	g_autofree char *suffix = of > 1 ? g_strdup_printf("-%02u", number) : g_strdup("");
	char *name;

	if (g_str_has_suffix(base, ".mad"))
		base[strlen(base) - 4] = '\0';
	name = g_strdup_printf("%s%s.pcapng", base, suffix);
	if (g_hash_table_contains(command->capture_names, name)) {
		g_free(name);
		name = g_strdup_printf("%s-%s%s.pcapng", parent, base, suffix);
	}
	g_hash_table_add(command->capture_names, g_strdup(name));
	return name;
}

/*
 * The kernel of a scenario's simulated hosts: one that the scenario is about, preferably
 * --profile's.
 */
static enum kmod_profile profile_of(const struct run_command *command,
				    const struct scenario *scenario)
{
	unsigned int profiles = scenario->settings.profiles;

	if (profiles == 0 || (profiles & 1U << command->profile) != 0)
		return command->profile;
	return (enum kmod_profile)scenario->settings.profile;
}

static void make_setup(const struct run_command *command, const struct point *point,
		       const char *capture, struct world_setup *ret)
{
	const struct settings *settings = &point->scenario->settings;

	*ret = (struct world_setup) {
		.seed = command->seed_set ? command->seed : scenario_seed(point->scenario),
		.latency_ns = settings->latency_ns,
		.profile = kmod_profile_name(profile_of(command, point->scenario)),
		.topology = settings->topology,
		.cold = settings->cold,
		.partial = settings->partial,
		.served = command->on_sim && point_runs_programs(point),
		.ports = { settings->self, settings->peer },
		.capture = capture,
	};
	if (settings->replay) {
		ret->replay = settings->replay->capture;
		ret->replay_timed = settings->replay->timed;
		ret->replay_own_tids = settings->replay->own_tids;
		ret->replay_any_order = settings->replay->any_order;
		ret->replay_keep = point->plan->replay_where ? where_keeps : NULL;
		ret->replay_ctx = (void *)(uintptr_t)point->plan->replay_where;
	}
	if (!command->on_sim) {
		ret->ports[WORLD_SELF] = command->ports[WORLD_SELF];
		ret->ports[WORLD_PEER] = command->ports[WORLD_PEER];
	}
	for (int end = 0; command->wire && end < WORLD_ENDS; end++)
		ret->wire[end] = command->wire[end];
}

/* Runs one point in a world of its own, capturing to 'capture' (NULL: no capture). */
static void run_once(const struct run_command *command, const struct point *point,
		     const char *capture, struct outcome *ret)
{
	struct world_setup setup;
	struct world *world;
	g_autofree char *comment = NULL;
	char *error = NULL;

	make_setup(command, point, capture, &setup);
	comment = g_strdup_printf("%s, seed %" G_GUINT64_FORMAT, point->name, (guint64)setup.seed);
	setup.comment = comment;
	memset(ret, 0, sizeof(*ret));
	world = command->on_sim ? world_sim_new(&setup, &error) : world_hw_new(&setup, &error);
	if (!world) {
		ret->verdict = VERDICT_BROKEN;
		ret->message = error;
		return;
	}
	point_run(point, world, ret);
	world->kind->close(world);
}

static void print_ladder(const struct outcome *outcome)
{
	if (outcome->ladder && outcome->ladder->len > 0) {
		g_autofree char *text = g_strndup(outcome->ladder->str, outcome->ladder->len - 1);

		tap_comment(text);
	}
}

static char *repro(const struct run_command *command, const struct script *script, guint64 seed)
{
	GString *line = g_string_new("umadrig run");

	if (!command->on_sim) {
		g_string_append_printf(line, " --backend ib_umad --port A=%s",
				       command->ports[WORLD_SELF]);
		if (command->ports[WORLD_PEER])
			g_string_append_printf(line, " --port B=%s", command->ports[WORLD_PEER]);
		if (command->wire)
			g_string_append_printf(line, " --wire %s", command->wire_arg);
	}
	if (command->profile_arg)
		g_string_append_printf(line, " --profile %s", command->profile_arg);
	g_string_append_printf(line, " --seed %" G_GUINT64_FORMAT " %s", seed,
			       script->source->name);
	return g_string_free(line, false);
}

/* 'point' NULL: of all points. */
static char *backend_text(const struct run_command *command, const struct point *point)
{
	if (command->on_sim)
		return g_strdup(point && point_runs_programs(point) ?
				"sim, real clock" : "sim, virtual clock");
	return g_strdup_printf("ib_umad %s -> %s%s%s, real clock", command->ports[WORLD_SELF],
			       command->ports[WORLD_PEER] ? command->ports[WORLD_PEER] :
			       "no peer",
			       command->wire ? " by " : "",
			       command->wire ? command->wire_arg : "");
}

static void report_failure(const struct run_command *command, const struct script *script,
			   const struct point *point, const struct outcome *outcome,
			   const char *capture)
{
	g_autoptr(GString) text = g_string_new(NULL);
	guint64 seed = command->seed_set ? command->seed : scenario_seed(point->scenario);
	g_autofree char *command_line = repro(command, script, seed);
	g_autofree char *backend = backend_text(command, point);
	g_autofree char *seed_text = g_strdup_printf("%" G_GUINT64_FORMAT, seed);
	g_autofree char *at = g_strdup_printf("%s:%u:%u", outcome->place.source->name,
					      outcome->place.line, outcome->place.column);

	tap_not_ok(point->name);
	tap_yaml_begin();
	tap_yaml("at", at);
	tap_yaml_quoted("message", outcome->message);
	tap_yaml_quoted("backend", backend);
	if (outcome->expected)
		tap_yaml_quoted("expected", outcome->expected);
	if (outcome->actual)
		tap_yaml_quoted("actual", outcome->actual);
	tap_yaml("seed", seed_text);
	tap_yaml_quoted("repro", command_line);
	if (capture)
		tap_yaml_quoted("capture", capture);
	tap_yaml_end();
	diagnostic_format(text, "", outcome->place, "error", outcome->message);
	if (outcome->details->len > 0)
		g_string_append(text, outcome->details->str);
	g_string_truncate(text, text->len - 1);
	tap_comment(text->str);
	print_ladder(outcome);
}

/* The capture of a failure: the same run again, which shows the same failure on the simulator. */
static bool capture_failure(const struct run_command *command, const struct point *point,
			    const char *path)
{
	struct outcome again;

	run_once(command, point, path, &again);
	outcome_clear(&again);
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static bool same_files(const char *left, const char *right)
{
	g_autofree char *left_text = NULL, *right_text = NULL;
	gsize left_size, right_size;

	return g_file_get_contents(left, &left_text, &left_size, NULL) &&
	       g_file_get_contents(right, &right_text, &right_size, NULL) &&
	       left_size == right_size && memcmp(left_text, right_text, left_size) == 0;
}

/* --twice: a second run with the same seed must write the same capture. */
static bool same_twice(const struct run_command *command, const struct point *point)
{
	g_autofree char *dir = g_dir_make_tmp("umadrig-XXXXXX", NULL);
	char *paths[2];
	bool same;

	if (!dir)
		return false;
	for (int i = 0; i < 2; i++) {
		paths[i] = g_strdup_printf("%s/%d.pcapng", dir, i);
		capture_failure(command, point, paths[i]);
	}
	same = same_files(paths[0], paths[1]);
	for (int i = 0; i < 2; i++) {
		g_unlink(paths[i]);
		g_free(paths[i]);
	}
	g_rmdir(dir);
	return same;
}

static void report(struct run_command *command, const struct script *script,
		   const struct point *point, struct outcome *outcome, const char *name)
{
	g_autofree char *path = NULL;

	switch (outcome->verdict) {
	case VERDICT_PASS:
		if (command->twice && command->on_sim && !point_runs_programs(point) &&
		    !same_twice(command, point)) {
			tap_not_ok(point->name);
			tap_comment("two runs with one seed wrote different captures");
			command->failed++;
			return;
		}
		tap_ok(point->name);
		if (command->ladder)
			print_ladder(outcome);
		return;
	case VERDICT_SKIP:
		tap_skip(point->name, outcome->message);
		return;
	case VERDICT_BROKEN:
		tap_bail_out(outcome->message);
		command->broken = true;
		return;
	case VERDICT_FAIL:
		command->failed++;
		if (command->keep)
			path = g_build_filename(command->keep, name, NULL);
		else if (command->on_sim && !point_runs_programs(point) &&
			 capture_failure(command, point, name))
			path = g_strdup(name);
		report_failure(command, script, point, outcome, command->on_sim ? path : NULL);
		return;
	}
}

static struct rig rig_of(const struct run_command *command)
{
	return (struct rig) {
		.on_sim = command->on_sim,
		.ports = { command->ports[WORLD_SELF], command->ports[WORLD_PEER] },
		.has_wire = command->wire != NULL,
		.has_lids = !command->on_sim &&
			    world_hw_port_is_ib(command->ports[WORLD_SELF]) == 1,
		.has_issm = !command->on_sim &&
			    world_hw_port_has_issm(command->ports[WORLD_SELF]),
		.profile = command->profile,
	};
}

static void run_point(struct run_command *command, const struct script *script,
		      const struct point *point, unsigned int number, unsigned int of)
{
	g_autofree char *name = capture_name(command, script, number, of);
	g_autofree char *path = command->keep && command->on_sim ?
				g_build_filename(command->keep, name, NULL) : NULL;
	struct outcome outcome = { .verdict = VERDICT_SKIP };
	const struct rig rig = rig_of(command);

	outcome.message = point_unmet(point, &rig);
	if (!outcome.message)
		run_once(command, point, path, &outcome);
	report(command, script, point, &outcome, name);
	outcome_clear(&outcome);
}

static unsigned int plan_points(const struct run_command *command, const struct plan *plan)
{
	unsigned int count = 0;

	for (guint i = 0; i < plan->scenarios->len; i++)
		count += points_of(command, plan->scenarios->pdata[i])->len;
	return count;
}

static void run_plan(struct run_command *command, const struct plan *plan)
{
	const struct script *script = plan->script;
	g_autofree char *text = NULL;
	unsigned int number = 0, of;

	if (script->diagnostics->errors > 0) {
		g_autofree char *name = NULL;

		name = g_strdup_printf("%s: the script can be read",
				       script->source ? script->source->name : "?");
		tap_not_ok(name);
		text = diagnostics_text(script->diagnostics);
		g_strchomp(text);
		tap_comment(text);
		command->failed++;
		return;
	}
	of = plan_points(command, plan);
	for (guint i = 0; i < plan->scenarios->len; i++) {
		const struct plan_scenario *scenario = plan->scenarios->pdata[i];
		const GPtrArray *points = points_of(command, scenario);

		for (guint j = 0; j < points->len; j++) {
			number++;
			if (is_chosen(command, scenario, j) && !command->broken)
				run_point(command, script, points->pdata[j], number, of);
		}
	}
}

/*
 * Real ports are on a fabric that others may use: nothing is sent if anything would change it and
 * that is not allowed. A wire of our own leads nowhere else. Returns an exit status, or -1.
 */
static int refuse_changes(const struct run_command *command, const char *name)
{
	const struct rig rig = rig_of(command);
	g_autoptr(GPtrArray) points = g_ptr_array_new();

	if (command->on_sim || command->wire)
		return -1;
	for (guint i = 0; i < command->plans->len; i++) {
		const struct plan *plan = command->plans->pdata[i];

		if (plan->script->diagnostics->errors > 0)
			continue;
		for (guint j = 0; j < plan->scenarios->len; j++) {
			const struct plan_scenario *scenario = plan->scenarios->pdata[j];
			const GPtrArray *of = points_of(command, scenario);

			for (guint k = 0; k < of->len; k++) {
				if (is_chosen(command, scenario, k))
					g_ptr_array_add(points, of->pdata[k]);
			}
		}
	}
	return run_changes_refuse(points, &rig, (const char *const *)command->writable, name);
}

/*
 * Debian 12's "6.1.0-56-amd64" does not identify the 6.1 release; the package version in uname -v
 * does: "#1 SMP PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-07-30)".
 */
static const char *kernel_release(const struct utsname *kernel)
{
	const char *package = strstr(kernel->version, " Debian ");

	return package ? package + strlen(" Debian ") : kernel->release;
}

/* The profiles that the scenarios use, in the order of their kernels. */
static char *profiles_text(const struct run_command *command)
{
	bool used[KMOD_PROFILE_COUNT] = { false };
	GString *text = g_string_new(NULL);

	if (!command->on_sim) {
		struct utsname kernel = { .release = "?" };

		uname(&kernel);
		g_string_append_printf(text, "%s (Linux %s)", kmod_profile_name(command->profile),
				       kernel_release(&kernel));
		return g_string_free(text, false);
	}
	for (guint i = 0; i < command->plans->len; i++) {
		const struct plan *plan = command->plans->pdata[i];

		for (guint j = 0; j < plan->scenarios->len; j++) {
			const struct plan_scenario *scenario = plan->scenarios->pdata[j];
			const GPtrArray *points = points_of(command, scenario);
			enum kmod_profile profile = profile_of(command, scenario->scenario);

			for (guint k = 0; k < points->len; k++)
				used[profile] |= point_has_tag(points->pdata[k], command->tags);
		}
	}
	for (unsigned int i = 0; i < KMOD_PROFILE_COUNT; i++) {
		if (used[i])
			g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
					       kmod_profile_name((enum kmod_profile)i));
	}
	return g_string_free(text, false);
}

static void print_header(const struct run_command *command)
{
	g_autofree char *backend = backend_text(command, NULL);
	g_autofree char *seed = command->seed_set ?
				g_strdup_printf("%" G_GUINT64_FORMAT, command->seed) :
				g_strdup("each scenario's own");
	g_autofree char *profiles = profiles_text(command);
	g_autofree char *text = g_strdup_printf("umadrig %s: backend %s; seed %s; profile %s",
						PACKAGE_VERSION, backend, seed, profiles);

	tap_comment(text);
}

/* ---- the command line ---- */

static bool take_port(struct run_command *command, const char *arg)
{
	int end = arg[0] == 'A' ? WORLD_SELF : arg[0] == 'B' ? WORLD_PEER : -1;
	g_autofree char *dev = NULL;
	int port;

	if (end < 0 || arg[1] != '=' || !world_port_parse(arg + 2, &dev, &port))
		return false;
	g_free(command->ports[end]);
	command->ports[end] = g_strdup(arg + 2);
	return true;
}

/* Returns an exit status, or -1 to go on. */
static int check_options(struct run_command *command, const char *name)
{
	const char *peer = g_getenv("UMAD_PEER");

	command->on_sim = !command->backend || strcmp(command->backend, "sim") == 0;
	if (!command->on_sim && strcmp(command->backend, "ib_umad") != 0)
		return command_bad_value(name, "--backend", command->backend, "sim or ib_umad");
	for (char **arg = command->port_args; arg && *arg != NULL; arg++) {
		if (!take_port(command, *arg))
			return command_bad_value(name, "--port", *arg,
						 "A=DEVICE/PORT or B=DEVICE/PORT");
	}
	if (command->on_sim && command->port_args)
		return command_usage(name, "--port needs --backend ib_umad: on the simulator a "
				     "script names its ports (topology ... self= peer=)");
	if (command->on_sim && command->wire_arg)
		return command_usage(name, "--wire needs --backend ib_umad: on the simulator "
				     "every wire is simulated");
	if (command->on_sim && command->writable)
		return command_usage(name, "--allow-writes needs --backend ib_umad: a simulated "
				     "fabric is nobody else's");
	if (command->on_sim)
		return -1;
	if (!command->ports[WORLD_PEER] && peer) {
		g_autofree char *arg = g_strdup_printf("B=%s", peer);

		if (!take_port(command, arg))
			return command_usage(name, "UMAD_PEER=%s: expected DEVICE/PORT", peer);
	}
	if (!command->ports[WORLD_SELF])
		return command_usage(name, "--backend ib_umad needs --port A=DEVICE/PORT, and "
					   "--port B=DEVICE/PORT for a peer");
	if (!command->wire_arg)
		return -1;
	command->wire = g_strsplit(command->wire_arg, ",", 0);
	if (g_strv_length(command->wire) != WORLD_ENDS)
		return command_bad_value(name, "--wire", command->wire_arg,
					 "two network interfaces, IF,IF");
	if (!command->ports[WORLD_PEER])
		return command_usage(name, "--wire needs --port B=DEVICE/PORT");
	return -1;
}

/* --profile, or the running kernel's profile on real devices. */
static int take_profile(struct run_command *command, const char *name)
{
	struct utsname kernel;

	if (command->profile_arg) {
		if (kmod_profile_find(command->profile_arg, &command->profile))
			return -1;
		return command_bad_value(name, "--profile", command->profile_arg,
					 "a kernel such as linux-6.1 (profile= in umadrig(1))");
	}
	if (!command->on_sim && uname(&kernel) == 0)
		kmod_profile_of_release(kernel_release(&kernel), &command->profile);
	return -1;
}

/* Sends MADs where the options say: configures our own library before its first use. */
static int check_library(const struct run_command *command, const char *name)
{
	/* Only our library has this function. */
	if (!dlsym(RTLD_DEFAULT, "umad_set_grh_net"))
		return command_error(name, COMMAND_BAIL_OUT, "the libibumad in use is not "
				     "umadrig's: unset LD_LIBRARY_PATH and LD_PRELOAD");
	if (setenv("UMAD_BACKEND", command->on_sim ? "sim:@" : "ib_umad", 1) != 0)
		return command_error(name, COMMAND_BAIL_OUT, "setenv: %s", strerror(errno));
	return -1;
}

static int load_scripts(struct run_command *command, const char *name, char **args)
{
	g_autoptr(GPtrArray) files = NULL;
	g_autofree char *error = NULL;

	if (!args || !args[0])
		return command_usage(name, "no scripts given: name files or directories");
	files = run_files_find(args, &error);
	if (!files)
		return command_usage(name, "%s", error);
	for (guint i = 0; i < files->len; i++) {
		struct script *script = script_load(files->pdata[i], NULL, script_verbs);

		g_ptr_array_add(command->scripts, script);
		g_ptr_array_add(command->plans, script_check(script));
	}
	return -1;
}

static int run_all(struct run_command *command, const char *name)
{
	if (command->keep && g_mkdir_with_parents(command->keep, 0777) != 0)
		return command_error(name, COMMAND_USAGE, "--keep %s: %s", command->keep,
				     strerror(errno));
	tap_plan(count_points(command));
	print_header(command);
	for (guint i = 0; i < command->plans->len && !command->broken; i++)
		run_plan(command, command->plans->pdata[i]);
	if (command->broken)
		return COMMAND_BAIL_OUT;
	return command_finish_output(name, command->failed > 0 ? COMMAND_FAILED : COMMAND_OK);
}

static void command_clear(struct run_command *command)
{
	g_ptr_array_unref(command->plans);
	g_ptr_array_unref(command->scripts);
	g_hash_table_unref(command->capture_names);
	g_free(command->keep);
	g_free(command->backend);
	g_strfreev(command->port_args);
	g_strfreev(command->writable);
	g_strfreev(command->wire);
	g_free(command->wire_arg);
	g_free(command->profile_arg);
	g_strfreev(command->tags);
	g_free(command->ports[WORLD_SELF]);
	g_free(command->ports[WORLD_PEER]);
}

/* Returns an exit status, or -1 to go on. */
static int take_seed(struct run_command *command, const char *seed, const char *name)
{
	char *end;

	if (!seed)
		return -1;
	errno = 0;
	command->seed = g_ascii_strtoull(seed, &end, 0);
	if (errno != 0 || *end != '\0' || !g_ascii_isdigit(seed[0]))
		return command_bad_value(name, "--seed", seed, "a number");
	command->seed_set = true;
	return -1;
}

static int run_command_line(struct run_command *command, int argc, char **argv)
{
	g_autofree char *seed = NULL;
	g_auto(GStrv) args = NULL;
	gboolean ladder = false, list = false, twice = false;
	gint every = 1;
	const GOptionEntry entries[] = {
		{ "seed", 0, 0, G_OPTION_ARG_STRING, &seed, "Seed of everything random", "N" },
		{ "keep", 0, 0, G_OPTION_ARG_FILENAME, &command->keep, "Keep every capture in DIR",
		  "DIR" },
		{ "ladder", 0, 0, G_OPTION_ARG_NONE, &ladder,
		  "Print what happened in points that pass, too", NULL },
		{ "backend", 0, 0, G_OPTION_ARG_STRING, &command->backend,
		  "sim (default) or ib_umad", "NAME" },
		{ "port", 0, 0, G_OPTION_ARG_STRING_ARRAY, &command->port_args,
		  "A real port: A is under test, B is the peer", "A=DEV/N" },
		{ "wire", 0, 0, G_OPTION_ARG_STRING, &command->wire_arg,
		  "Carry packets between two RoCE ports over these interfaces", "IF,IF" },
		{ "allow-writes", 0, 0, G_OPTION_ARG_STRING_ARRAY, &command->writable,
		  "Scenarios may change the fabric at this real port", "DEV/N" },
		{ "profile", 0, 0, G_OPTION_ARG_STRING, &command->profile_arg,
		  "The kernel of simulated hosts, where a scenario names none; with ib_umad, the "
		  "one that the real kernel is like", "KERNEL" },
		{ "tag", 'k', 0, G_OPTION_ARG_STRING_ARRAY, &command->tags,
		  "Only scenarios with this tag", "TAG" },
		{ "every", 0, 0, G_OPTION_ARG_INT, &every,
		  "A sample: every N-th point of each scenario, from the first", "N" },
		{ "list", 0, 0, G_OPTION_ARG_NONE, &list, "Print the points and run none", NULL },
		{ "twice", 0, 0, G_OPTION_ARG_NONE, &twice,
		  "Run each point twice more and compare the captures", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &args, NULL,
		  "FILE|DIRECTORY..." },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;
	const char *name = argv[0];
	int status;

	g_option_context_set_summary(context, "Runs scenario scripts and prints TAP.");
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	command->ladder = ladder;
	command->list = list;
	command->twice = twice;
	if (every < 1)
		return command_usage(name, "--every %d: expected a number of at least 1", every);
	command->every = (guint)every;
	status = take_seed(command, seed, name);
	if (status < 0)
		status = check_options(command, name);
	if (status < 0)
		status = take_profile(command, name);
	if (status < 0)
		status = check_library(command, name);
	if (status < 0)
		status = load_scripts(command, name, args);
	if (status >= 0)
		return status;
	if (command->list) {
		run_list(command->plans, command->on_sim, command->tags);
		return command_finish_output(name, COMMAND_OK);
	}
	status = refuse_changes(command, name);
	return status >= 0 ? status : run_all(command, name);
}

int cmd_run(int argc, char **argv)
{
	struct run_command command = { .on_sim = true };
	int status;

	command.scripts = g_ptr_array_new_with_free_func((GDestroyNotify)script_free);
	command.plans = g_ptr_array_new_with_free_func((GDestroyNotify)plan_free);
	command.capture_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	status = run_command_line(&command, argc, argv);
	command_clear(&command);
	return status;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The command line of umadrig run: see harness/cmd/run-options.h.
 */
#include "config.h"

#include "harness/cmd/run-options.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/option-value.h"
#include "harness/base/whole-file.h"
#include "harness/cmd/run-bless.h"
#include "harness/exec/means.h"
#include "kmod-stub/event.h"
#include "lib/words/number.h"

#define JOBS_MAX 1024

/*
 * Debian 12's "6.1.0-56-amd64" does not identify the 6.1 release; the package version in uname -v
 * does: "#1 SMP PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-07-30)".
 */
const char *kernel_release(const struct utsname *kernel)
{
	const char *package = strstr(kernel->version, " Debian ");

	return package ? package + strlen(" Debian ") : kernel->release;
}

/* The options whose texts mean something else. */
struct texts {
	char *seed, *schedule, *timeout, *shuffle, *shard, *every, *jobs, *repeat, *failing;
};

static bool take_port(struct run_options *options, const char *arg)
{
	int end = arg[0] == 'A' ? WORLD_SELF : arg[0] == 'B' ? WORLD_PEER : -1;
	g_autofree char *dev = NULL;
	int port;

	if (end < 0 || arg[1] != '=' || !world_port_parse(arg + 2, &dev, &port))
		return false;
	g_free(options->ports[end]);
	options->ports[end] = g_strdup(arg + 2);
	return true;
}

/* Returns an exit status, or -1 to go on. */
static int check_options(struct run_options *options, const char *name)
{
	const char *peer = g_getenv("UMAD_PEER"), *backend = g_getenv("UMAD_BACKEND");

	options->on_sim = !options->backend || strcmp(options->backend, "sim") == 0;
	options->is_attached = !options->on_sim && strcmp(options->backend, "attach") == 0;
	if (!options->on_sim && !options->is_attached && strcmp(options->backend, "ib_umad") != 0)
		return command_bad_value(name, "--backend", options->backend,
					 "sim, ib_umad or attach");
	if (options->is_attached && !g_str_has_prefix(backend ? backend : "", "attach:"))
		return command_usage(name, "--backend attach needs a fabric server in "
				     "UMAD_BACKEND: run it below 'umadrig exec', or with what "
				     "'umadrig env' prints");
	for (char **arg = options->port_args; arg && *arg != NULL; arg++) {
		if (!take_port(options, *arg))
			return command_bad_value(name, "--port", *arg,
						 "A=DEVICE/PORT or B=DEVICE/PORT");
	}
	if (options->on_sim && options->port_args)
		return command_usage(name, "--port needs --backend ib_umad: on the simulator a "
				     "script names its ports (topology ... self= peer=)");
	if (options->on_sim && options->wire_arg)
		return command_usage(name, "--wire needs --backend ib_umad: on the simulator "
				     "every wire is simulated");
	if (options->on_sim && options->writable)
		return command_usage(name, "--allow-writes needs --backend ib_umad: a simulated "
				     "fabric is nobody else's");
	if (options->on_sim)
		return -1;
	if (!options->ports[WORLD_PEER] && peer) {
		g_autofree char *arg = g_strdup_printf("B=%s", peer);

		if (!take_port(options, arg))
			return command_usage(name, "UMAD_PEER=%s: expected DEVICE/PORT", peer);
	}
	if (!options->ports[WORLD_SELF])
		return command_usage(name, "--backend %s needs --port A=DEVICE/PORT, and "
					   "--port B=DEVICE/PORT for a peer", options->backend);
	if (options->wire_arg && options->is_attached)
		return command_usage(name, "--wire needs --backend ib_umad: a fabric server has "
				     "its own wires");
	if (!options->wire_arg)
		return -1;
	options->wire = g_strsplit(options->wire_arg, ",", 0);
	if (g_strv_length(options->wire) != WORLD_ENDS)
		return command_bad_value(name, "--wire", options->wire_arg,
					 "two network interfaces, IF,IF");
	if (!options->ports[WORLD_PEER])
		return command_usage(name, "--wire needs --port B=DEVICE/PORT");
	return -1;
}

static int take_how(const struct run_options *options, const char *name)
{
	enum exec_how how;

	if (options->how && !exec_how_parse(options->how, &how))
		return command_bad_value(name, "--how", options->how, "preload, filter or both");
	if (options->audit && !options->on_sim)
		return command_usage(name, "--audit is for the simulator: on real ports no "
				     "programs run");
	if (options->schedule_set && !options->on_sim)
		return command_usage(name, "--schedule is for the simulator: on real ports no "
				     "programs run");
	if (options->how && !options->on_sim)
		return command_usage(name, "--how is for the simulator: on real ports no programs "
				     "run");
	return -1;
}

/* --profile, or the running kernel's profile on real devices. */
static int take_profile(struct run_options *options, const char *name)
{
	struct utsname kernel;

	if (options->profile_arg) {
		if (kmod_profile_find(options->profile_arg, &options->profile))
			return -1;
		return command_bad_value(name, "--profile", options->profile_arg,
					 "a kernel such as linux-6.1 (profile= in "
					 "umadrig-formats(5))");
	}
	if (!options->on_sim && !options->is_attached && uname(&kernel) == 0)
		kmod_profile_of_release(kernel_release(&kernel), &options->profile);
	return -1;
}

/* --kernel: its release says what it is like. Returns an exit status, or -1 to go on. */
static int take_kernel(struct run_options *options, const char *name)
{
	g_autoptr(GError) error = NULL;

	if (!options->kernel_arg)
		return -1;
	if (!options->on_sim)
		return command_usage(name, "--kernel is for the simulator: real ports have the "
				     "kernel that runs");
	if (options->profile_arg)
		return command_usage(name, "--kernel excludes --profile: the ways of a kernel are "
				     "its own");
	if (kernel_option_is_whole(options->kernel_arg))
		options->whole = kernel_option_take_whole(options->kernel_arg, &error);
	else
		options->kernel = kernel_option_take(name, options->kernel_arg, &error);
	if (error)
		return command_error(name, error->code, "%s", error->message);
	options->profile = options->whole ? options->whole->profile : options->kernel->profile;
	return -1;
}

/* Returns an exit status, or -1 to go on. */
static int take_seeds(struct run_options *options, const char *seed, const char *schedule,
		      const char *name)
{
	options->seed_set = seed != NULL;
	options->schedule_set = schedule != NULL;
	return option_number(name, "--seed", seed, 0, UINT64_MAX, "a number", &options->seed) &&
	       option_number(name, "--schedule", schedule, 0, UINT64_MAX, "a number",
			     &options->schedule) ? -1 : COMMAND_USAGE;
}

/* Returns an exit status, or -1 to go on. */
static int take_timeout(struct run_options *options, const char *timeout, const char *name)
{
	options->timeout_ns = -1;
	return option_seconds(name, "--timeout", timeout, &options->timeout_ns) ? -1 :
	       COMMAND_USAGE;
}

/* What GOption cannot read: options without their values, for which it would take the next word. */
static void spell_out_options(int argc, char **argv)
{
	static char any_reason[] = "--fail-on-skip=", any_seed[] = "--shuffle=";
	static char all[] = "--fail-allocations=";
	static char *const bare[] = { any_reason, any_seed, all };

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		for (size_t j = 0; j < G_N_ELEMENTS(bare); j++) {
			if (strlen(argv[i]) + 1 == strlen(bare[j]) &&
			    g_str_has_prefix(bare[j], argv[i]))
				argv[i] = bare[j];
		}
	}
}

/* Returns an exit status, or -1 to go on. */
static int take_shuffle(struct run_options *options, const char *seed, const char *name)
{
	if (!seed)
		return -1;
	options->shuffled = true;
	/* It is printed, to be retyped. */
	options->shuffle_seed = (guint64)g_random_int_range(1, 1000000);
	return option_number(name, "--shuffle", *seed ? seed : NULL, 0, UINT64_MAX,
			     "a number, as it was printed", &options->shuffle_seed) ? -1 :
	       COMMAND_USAGE;
}

/* Returns an exit status, or -1 to go on. */
static int take_failing(struct run_options *options, const char *number, const char *name)
{
	if (!number)
		return -1;
	options->fails_allocations = true;
	if (!options->kernel_arg || kernel_option_is_whole(options->kernel_arg))
		return command_usage(name, "--fail-allocations needs --kernel, with one that is "
				     "built without --uml: the allocations of others are their "
				     "own");
	return option_number(name, "--fail-allocations", *number ? number : NULL, 1, UINT32_MAX,
			     "a number of at least 1: which one, as it was printed",
			     &options->failing_allocation) ? -1 : COMMAND_USAGE;
}

/* How many points run, and how often. Returns an exit status, or -1 to go on. */
static int take_counts(struct run_options *options, const struct texts *texts, const char *name)
{
	uint64_t every = 1, jobs = 1, repeat = options->until_fail ? 0 : 1;

	if (!option_number(name, "--every", texts->every, 1, INT_MAX, "a number of at least 1",
			   &every) ||
	    !option_number(name, "-j", texts->jobs, 0, JOBS_MAX, "a number from 1 to "
			   G_STRINGIFY(JOBS_MAX) ", or 0 for one on each processor", &jobs) ||
	    !option_number(name, "--repeat", texts->repeat, 1, INT_MAX, "a number of at least 1",
			   &repeat))
		return COMMAND_USAGE;
	options->every = (gint)every;
	options->jobs = (gint)(jobs ? jobs : MIN(g_get_num_processors(), JOBS_MAX));
	options->repeat = (gint)repeat;
	if (options->jobs > 1 && !options->on_sim)
		return command_usage(name, "-j %d needs the simulator: on real ports one scenario "
				     "would see the MADs of the other", options->jobs);
	return -1;
}

/* A report that cannot be written is to be known before hours have passed. */
static int check_reports(const struct run_options *options, const char *name)
{
	const struct { const char *option, *path; } reports[] = {
		{ "--junit", options->junit }, { "--json", options->json },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(reports); i++) {
		g_autofree char *why = reports[i].path ? whole_file_refuse(reports[i].path) : NULL;

		if (why)
			return command_error(name, COMMAND_USAGE, "%s: nothing was run: %s",
					     reports[i].option, why);
	}
	return -1;
}

bool run_options_forbid_skip(const struct run_options *options, const char *reason)
{
	for (char **pattern = options->no_skips; pattern && *pattern; pattern++) {
		g_autofree char *anywhere = g_strconcat("*", *pattern, "*", NULL);

		if (g_pattern_match_simple(anywhere, reason))
			return true;
	}
	return false;
}

/* What runs. */
static void add_entries(GOptionContext *context, struct run_options *options, struct texts *texts)
{
	const GOptionEntry entries[] = {
		{ "seed", 0, 0, G_OPTION_ARG_STRING, &texts->seed, "Seed of everything random",
		  "N" },
		{ "schedule", 0, 0, G_OPTION_ARG_STRING, &texts->schedule,
		  "Another order of programs in virtual time for each N", "N" },
		{ "keep", 0, 0, G_OPTION_ARG_FILENAME, &options->keep, "Keep every capture in DIR",
		  "DIR" },
		{ "ladder", 0, 0, G_OPTION_ARG_NONE, &options->ladder,
		  "Print what happened in points that pass, too", NULL },
		{ "backend", 0, 0, G_OPTION_ARG_STRING, &options->backend,
		  "sim (default), ib_umad, or attach: a fabric server's", "NAME" },
		{ "port", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->port_args,
		  "A real port: A is under test, B is the peer", "A=DEV/N" },
		{ "wire", 0, 0, G_OPTION_ARG_STRING, &options->wire_arg,
		  "Carry packets between two RoCE ports over these interfaces", "IF,IF" },
		{ "allow-writes", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->writable,
		  "Scenarios may change the fabric at this real port", "DEV/N" },
		{ "profile", 0, 0, G_OPTION_ARG_STRING, &options->profile_arg,
		  "The kernel of simulated hosts, where a scenario names none; with ib_umad, the "
		  "one that the real kernel is like", "KERNEL" },
		{ "kernel", 0, 0, G_OPTION_ARG_FILENAME, &options->kernel_arg,
		  KERNEL_OPTION_TEXT, KERNEL_OPTION_VALUE },
		{ "fail-allocations", 0, 0, G_OPTION_ARG_STRING, &texts->failing,
		  "Run each point that passes again for each allocation of its kernel, which "
		  "fails; or for the Nth alone", "[N]" },
		{ "how", 0, 0, G_OPTION_ARG_STRING, &options->how,
		  "How programs reach the fabric (default: the library, and the filter "
		  "for those that cannot load it)", "preload|filter|both" },
		{ "audit", 0, 0, G_OPTION_ARG_NONE, &options->audit,
		  "A scenario fails if its programs make system calls that bypass virtual time",
		  NULL },
		{ "tag", 'k', 0, G_OPTION_ARG_STRING_ARRAY, &options->tags,
		  "Only scenarios with this tag", "TAG" },
		{ "fail-on-skip", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->no_skips,
		  "A scenario that is skipped (for a reason like this) fails", "[REASON]" },
		{ "timeout", 0, 0, G_OPTION_ARG_STRING, &texts->timeout,
		  "How much real time a scenario may take; 0: any (default: 60 s more than its "
		  "lines say, where programs or real ports make it wait)", "SECONDS" },
		{ "every", 0, 0, G_OPTION_ARG_STRING, &texts->every,
		  "A sample: every N-th point of each scenario, from the first", "N" },
		{ "list", 0, 0, G_OPTION_ARG_NONE, &options->list,
		  "Print the points and run none", NULL },
		{ "explain", 0, 0, G_OPTION_ARG_NONE, &options->explain,
		  "Print when each line of the points happens, and run none", NULL },
		{ "twice", 0, 0, G_OPTION_ARG_NONE, &options->twice,
		  "Run each point twice more and compare the captures", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files, NULL,
		  "FILE|DIRECTORY..." },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};

	g_option_context_add_main_entries(context, entries, NULL);
}

/* How it runs, and what reports there are. */
static void add_more_entries(GOptionContext *context, struct run_options *options,
			     struct texts *texts)
{
	const GOptionEntry entries[] = {
		{ "tap", 0, 0, G_OPTION_ARG_NONE, &options->tap,
		  "Print TAP on a terminal, too", NULL },
		{ "color", 0, 0, G_OPTION_ARG_STRING, &options->colour_arg,
		  "Whether what a terminal shows is in colour (default: auto)",
		  "auto|always|never" },
		{ "junit", 0, 0, G_OPTION_ARG_FILENAME, &options->junit,
		  "Write the results as JUnit XML, too", "FILE" },
		{ "json", 0, 0, G_OPTION_ARG_FILENAME, &options->json,
		  "Write the results as JSON, too", "FILE" },
		{ "mermaid", 0, 0, G_OPTION_ARG_NONE, &options->mermaid,
		  "Draw each capture that is kept as a diagram for Mermaid, too", NULL },
		{ "watch", 0, 0, G_OPTION_ARG_NONE, &options->watch,
		  "Run again whenever a script, or a file that it uses, changes", NULL },
		{ "jobs", 'j', 0, G_OPTION_ARG_STRING, &texts->jobs,
		  "Run N scenarios at a time; 0: one on each processor", "N" },
		{ "shuffle", 0, 0, G_OPTION_ARG_STRING, &texts->shuffle,
		  "Run in an order that depends on SEED", "[SEED]" },
		{ "shard", 0, 0, G_OPTION_ARG_STRING, &texts->shard,
		  "Run part I of N, which together are the whole", "I/N" },
		{ "repeat", 0, 0, G_OPTION_ARG_STRING, &texts->repeat,
		  "Run everything N times, each time with the next seed and schedule", "N" },
		{ "until-fail", 0, 0, G_OPTION_ARG_NONE, &options->until_fail,
		  "Repeat until one fails; --repeat limits it", NULL },
		{ "expected-failures", 0, 0, G_OPTION_ARG_FILENAME, &options->expected_failures,
		  "Scenarios that are known to fail, and where each is tracked", "FILE" },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};

	g_option_context_add_main_entries(context, entries, NULL);
}

static void texts_clear(struct texts *texts)
{
	g_free(texts->seed);
	g_free(texts->schedule);
	g_free(texts->timeout);
	g_free(texts->shuffle);
	g_free(texts->shard);
	g_free(texts->every);
	g_free(texts->jobs);
	g_free(texts->repeat);
	g_free(texts->failing);
}

/*
 * What standard output gets. Colour is wanted of people's form alone, and 'always' is a wish for
 * that form. NO_COLOR: no-color.org. Returns an exit status, or -1 to go on.
 */
static int take_output(struct run_options *options, const char *name)
{
	const char *colour = options->colour_arg ? options->colour_arg : "auto";
	const char *no_colour = g_getenv("NO_COLOR"), *terminal = g_getenv("TERM");
	bool is_always = strcmp(colour, "always") == 0, is_terminal = isatty(STDOUT_FILENO);

	if (!is_always && strcmp(colour, "auto") != 0 && strcmp(colour, "never") != 0)
		return command_bad_value(name, "--color", colour, "auto, always or never");
	if (is_always && options->tap)
		return command_usage(name, "--tap and --color=always exclude each other");
	options->is_tap = options->tap || (!is_always && !is_terminal);
	options->is_coloured = is_always ||
			       (strcmp(colour, "auto") == 0 && is_terminal &&
				!(no_colour && *no_colour) &&
				!(terminal && strcmp(terminal, "dumb") == 0));
	return -1;
}

/* Returns an exit status, or -1 to go on. */
static int take_texts(struct run_options *options, const struct texts *texts, const char *name)
{
	int status = take_seeds(options, texts->seed, texts->schedule, name);

	if (status < 0)
		status = take_timeout(options, texts->timeout, name);
	if (status < 0)
		status = take_shuffle(options, texts->shuffle, name);
	if (status < 0)
		status = option_shard(name, texts->shard, &options->shard, &options->shards) ? -1 :
			 COMMAND_USAGE;
	if (status < 0)
		status = take_failing(options, texts->failing, name);
	if (status < 0)
		status = take_output(options, name);
	return status;
}

/* An option that run does not know, but the commands beside it do. Returns an exit status. */
static int say_misplaced(const char *message, const char *name)
{
	bool is_fabric = strstr(message, " --fabric") || strcmp(message, "Unknown option -f") == 0;

	return command_usage(name, "%s%s", message, !is_fabric ? "" :
			     ": a script names its fabric itself, topology \"FILE\"; 'umadrig "
			     "exec' takes --fabric");
}

static const char exit_statuses[] =
	"Exit status: 0 if all points passed, were skipped, or failed as expected; 1 if one\n"
	"failed; 2 if the command line is wrong; 98 if none failed and one is inconclusive; 99 if\n"
	"nothing was run, or not all.";

int run_options_parse(int argc, char **argv, struct run_options *options)
{
	struct texts texts = { .seed = NULL };
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;
	const char *name = argv[0];
	bool parsed;
	int status;

	options->on_sim = true;
	g_option_context_set_summary(context, "Runs scenario scripts and prints TAP, or, on a "
				     "terminal, what did not pass.");
	g_option_context_set_description(context, exit_statuses);
	add_entries(context, options, &texts);
	add_more_entries(context, options, &texts);
	run_bless_add_options(context, options);
	spell_out_options(argc, argv);
	parsed = command_parse(context, &argc, &argv, &error);
	status = parsed ? take_texts(options, &texts, name) : say_misplaced(error->message, name);
	if (status < 0)
		status = check_options(options, name);
	if (status < 0)
		status = take_counts(options, &texts, name);
	texts_clear(&texts);
	if (status < 0)
		status = check_reports(options, name);
	if (status < 0)
		status = take_how(options, name);
	if (status < 0)
		status = take_profile(options, name);
	if (status < 0)
		status = take_kernel(options, name);
	if (status < 0)
		status = run_bless_check(options, name);
	return status;
}

void run_options_clear(struct run_options *options)
{
	g_strfreev(options->files);
	g_free(options->keep);
	g_free(options->backend);
	g_strfreev(options->port_args);
	g_strfreev(options->writable);
	g_strfreev(options->wire);
	g_free(options->wire_arg);
	g_free(options->profile_arg);
	g_free(options->kernel_arg);
	kernel_option_free_whole(options->whole);
	g_free(options->how);
	g_strfreev(options->tags);
	g_strfreev(options->no_skips);
	g_free(options->ports[WORLD_SELF]);
	g_free(options->ports[WORLD_PEER]);
	g_free(options->colour_arg);
	g_free(options->junit);
	g_free(options->json);
	g_free(options->expected_failures);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig kernel: kernels from Linux's own files, for simulated hosts.
 *
 *	umadrig kernel build ~/linux
 *	umadrig kernel build --uml ~/linux
 *	umadrig kernel list
 *	umadrig kernel remove linux-6.12
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/kernel/kernel-build.h"
#include "harness/kernel/kernel-files.h"
#include "harness/kernel/uml-build.h"
#include "lib/json/json-writer.h"
#include "sim/kernels/kernel-cache.h"

static const char description[] =
	"Actions:\n"
	"  build SOURCE   compile the MAD layer of a kernel, and print the file that it is in.\n"
	"                 SOURCE is a kernel tree, a tar file of one, a .deb file, or an\n"
	"                 installed package such as linux-source-6.1. With --uml, build the\n"
	"                 whole kernel, as a program of User-mode Linux with virtual HCAs\n"
	"  list           print the kernels that have been built\n"
	"  remove NAME    remove those that NAME stands for, such as linux-6.12\n"
	"\n"
	"'kernel=6.12' after a fabric, and 'umadrig run --kernel 6.12', use what was built (so\n"
	"do exec, explore, record and serve); --kernel SOURCE builds it first where that is\n"
	"needed.\n"
	"\n"
	"Exit status: 0; 1 if there is no such kernel; 2 if the command line is wrong; 3 if a\n"
	"tree needs interfaces of the kernel that umadrig does not have, or this machine lacks\n"
	"something for --uml; 125 if it cannot be built for another reason.";

/* What the command line asks for. */
struct asked {
	char *output;
	gboolean sanitize, races, coverage, debug, json, all;
	gboolean uml, kasan, kcsan, lockdep, kcov, edges;
};

static bool parse(struct asked *asked, int *argc, char ***argv, GError **error)
{
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked->output,
		  "build: write the kernel to FILE, not to the cache", "FILE" },
		{ "sanitize", 0, 0, G_OPTION_ARG_NONE, &asked->sanitize,
		  "build: with AddressSanitizer and UndefinedBehaviorSanitizer", NULL },
		{ "races", 0, 0, G_OPTION_ARG_NONE, &asked->races,
		  "build: so that --schedule changes tasks at branches, too", NULL },
		{ "coverage", 0, 0, G_OPTION_ARG_NONE, &asked->coverage,
		  "build: with counters for gcov", NULL },
		{ "debug", 0, 0, G_OPTION_ARG_NONE, &asked->debug,
		  "build: for debuggers, without optimisation", NULL },
		{ "uml", 0, 0, G_OPTION_ARG_NONE, &asked->uml,
		  "build: the whole kernel, for User-mode Linux", NULL },
		{ "kasan", 0, 0, G_OPTION_ARG_NONE, &asked->kasan,
		  "build --uml: with checks of memory", NULL },
		{ "lockdep", 0, 0, G_OPTION_ARG_NONE, &asked->lockdep,
		  "build --uml: with checks of locks", NULL },
		{ "kcov", 0, 0, G_OPTION_ARG_NONE, &asked->kcov,
		  "build --uml: with coverage for fuzzers", NULL },
		{ "edges", 0, 0, G_OPTION_ARG_NONE, &asked->edges,
		  "build --uml: with coverage of the MAD layer for umad-fuzz", NULL },
		{ "kcsan", 0, 0, G_OPTION_ARG_NONE, &asked->kcsan,
		  "build --uml: refused, as User-mode Linux has none", NULL },
		{ "json", 0, 0, G_OPTION_ARG_NONE, &asked->json,
		  "list: print a JSON object instead", NULL },
		{ "all", 0, 0, G_OPTION_ARG_NONE, &asked->all,
		  "remove: every kernel of the cache", NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context =
		g_option_context_new("build SOURCE | list | remove NAME");

	g_option_context_set_summary(context, "Builds kernels for simulated hosts from Linux's own "
				     "files.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	return command_parse(context, argc, argv, error);
}

/* A kernel of the MAD layer alone, or a whole one. NULL with an error. */
static char *build_kernel(const char *source, const struct asked *asked, GError **error)
{
	const struct kernel_build_wishes wishes = {
		.sanitize = asked->sanitize, .races = asked->races, .coverage = asked->coverage,
		.debug = asked->debug, .output = asked->output,
	};
	const struct uml_build_wishes whole = {
		.kasan = asked->kasan, .kcsan = asked->kcsan, .lockdep = asked->lockdep,
		.kcov = asked->kcov, .edges = asked->edges, .debug = asked->debug,
		.output = asked->output,
	};

	return asked->uml ? uml_build(source, &whole, error) :
			    kernel_build(source, &wishes, NULL, error);
}

static int build(const char *name, const struct asked *asked, char *const *args)
{
	bool wants_whole = asked->kasan || asked->kcsan || asked->lockdep || asked->kcov ||
			   asked->edges;
	bool wants_files = asked->sanitize || asked->races || asked->coverage;
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;

	if (!args[0] || args[1])
		return command_usage(name, "build takes one SOURCE: a kernel tree, an archive or "
				     "a package");
	if (wants_whole && !asked->uml)
		return command_usage(name, "--kasan, --kcsan, --lockdep, --kcov and --edges are "
				     "for whole kernels: build --uml. For the MAD layer alone "
				     "there are --sanitize, --races and --coverage");
	if (wants_files && asked->uml)
		return command_usage(name, "--sanitize, --races and --coverage are for the MAD "
				     "layer alone; build --uml has --kasan, --lockdep, --kcov "
				     "and --edges");
	path = build_kernel(args[0], asked, &error);
	if (!path)
		return command_error(name, error->code, "%s", error->message);
	puts(path);
	return command_finish_output(name, COMMAND_OK);
}

static void print_json(const GPtrArray *list)
{
	struct json_writer out;

	json_writer_init(&out, JSON_LINES, json_to_file, stdout);
	json_open(&out, '{');
	json_open(json_name(&out, "kernels"), '[');
	for (guint i = 0; i < list->len; i++) {
		const struct kernel_cached *cached = g_ptr_array_index(list, i);
		g_auto(GStrv) options = g_strsplit(cached->options, "+", -1);

		json_space(&out, "\n  ");
		json_open(&out, '{');
		json_string(json_name(&out, "release"), cached->release);
		json_string(json_name(&out, "identity"), cached->identity);
		json_open(json_name(&out, "options"), '[');
		for (char **option = options; *option; option++)
			json_string(&out, *option);
		json_close(&out, ']');
		json_string(json_name(&out, "file"), cached->path);
		json_bool(json_name(&out, "uml"), cached->is_uml);
		json_close(&out, '}');
	}
	json_space(&out, "\n");
	json_close(&out, ']');
	json_close(&out, '}');
	json_end_line(&out);
	json_finish(&out);
}

static int list(const char *name, const struct asked *asked, char *const *args)
{
	g_autoptr(GPtrArray) kernels = kernel_cache_list();

	if (args[0])
		return command_usage(name, "unexpected argument '%s': list takes none", args[0]);
	if (asked->json)
		print_json(kernels);
	for (guint i = 0; i < kernels->len && !asked->json; i++) {
		const struct kernel_cached *cached = g_ptr_array_index(kernels, i);

		printf("%slinux-%s%s%s\t%s\t%s\n", cached->is_uml ? KERNEL_UML_PREFIX : "",
		       cached->release, *cached->options ? "+" : "", cached->options,
		       cached->identity, cached->path);
	}
	return command_finish_output(name, COMMAND_OK);
}

static int remove_file(const char *name, const char *path)
{
	if (g_unlink(path) < 0)
		return command_error(name, COMMAND_FAILED, "%s: %s", path, g_strerror(errno));
	puts(path);
	return COMMAND_OK;
}

static int remove_kernels(const char *name, const struct asked *asked, char *const *args)
{
	g_autoptr(GPtrArray) kernels = kernel_cache_list();
	int status = COMMAND_OK;
	guint found = 0;

	if (asked->all ? !!args[0] : !args[0] || args[1])
		return command_usage(name, "remove takes one NAME, as 'list' prints it, or --all");
	for (guint i = 0; i < kernels->len; i++) {
		const struct kernel_cached *cached = g_ptr_array_index(kernels, i);
		int one;

		if (!asked->all && !kernel_cached_is(cached, args[0]))
			continue;
		one = remove_file(name, cached->path);
		status = MAX(status, one);
		found++;
	}
	if (asked->all)
		kernel_objects_remove();
	if (found == 0 && !asked->all)
		return command_error(name, COMMAND_FAILED, "no kernel '%s' has been built: "
				     "'%s list' prints those that have", args[0], name);
	return command_finish_output(name, status);
}

static int act(const char *name, const struct asked *asked, char *const *args)
{
	static const struct {
		const char *name;
		int (*run)(const char *name, const struct asked *asked, char *const *args);
		bool builds, lists, removes;
	} actions[] = {
		{ "build", build, true, false, false },
		{ "list", list, false, true, false },
		{ "remove", remove_kernels, false, false, true },
	};
	bool for_build = asked->output || asked->sanitize || asked->races ||
			 asked->coverage || asked->debug || asked->uml || asked->kasan ||
			 asked->kcsan || asked->lockdep || asked->kcov || asked->edges;

	for (size_t i = 0; args[0] && i < G_N_ELEMENTS(actions); i++) {
		if (strcmp(args[0], actions[i].name) != 0)
			continue;
		if ((for_build && !actions[i].builds) || (asked->json && !actions[i].lists) ||
		    (asked->all && !actions[i].removes))
			return command_usage(name, "-o, --uml, --sanitize, --races, --coverage, "
					     "--debug, --kasan, --lockdep, --kcov, --edges and "
					     "--kcsan are for build, --json is for list, --all for "
					     "remove");
		return actions[i].run(name, asked, args + 1);
	}
	return args[0] ? command_usage(name, "unknown action '%s': expected build, list or remove",
				       args[0]) :
	       command_usage(name, "no action given: expected build, list or remove");
}

int cmd_kernel(int argc, char **argv)
{
	g_autofree char *name = g_strdup(argv[0]);
	struct asked asked = { .output = NULL };
	g_autoptr(GError) error = NULL;
	int status = parse(&asked, &argc, &argv, &error) ? act(name, &asked, argv + 1) :
		     command_usage(name, "%s", error->message);

	g_free(asked.output);
	return status;
}

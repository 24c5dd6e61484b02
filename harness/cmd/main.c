/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig: finds the command that is named on the command line and runs it.
 */
#include "config.h"

#include <dlfcn.h>
#include <glib.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/exec/attendant.h"
#include "harness/exec/exec.h"
#include "harness/kernel/kernel-sanitizer.h"
#include "sim/dictionary/mad-dictionary.h"

/* In the order in which users meet them. */
static const struct command commands[] = {
	{ "run", "run scenario scripts", cmd_run },
	{ "lint", "check scenario scripts without running them", cmd_lint },
	{ "format", "write scenario scripts in one style", cmd_format },
	{ "exec", "run a program on a simulated fabric", cmd_exec },
	{ "explore", "run a program over many seeds", cmd_explore },
	{ "serve", "share a simulated fabric between programs", cmd_serve },
	{ "env", "print shell commands that connect programs to a server", cmd_env },
	{ "ctl", "change and show the fabric of a server", cmd_ctl },
	{ "bridge", "let programs on other machines use a fabric", cmd_bridge },
	{ "record", "run a program, and save its capture, topology and environment", cmd_record },
	{ "replay", "replay a capture: serve its answers, or re-send its requests", cmd_replay },
	{ "show", "print or draw what is in a capture", cmd_show },
	{ "diff", "say what differs between two captures, or two fabrics", cmd_diff },
	{ "report", "write what is in a capture as a page for a browser", cmd_report },
	{ "scrub", "write a capture without the names of its site", cmd_scrub },
	{ "fields", "print the MAD dictionary: attributes and their fields", cmd_fields },
	{ "topology", "read, check, convert or generate a fabric", cmd_topology },
	{ "guest", "run a program in the kernel of a host that is a guest", cmd_guest },
	{ "kernel", "build kernels from Linux's own files, for simulated hosts", cmd_kernel },
	{ "doctor", "say what this machine lacks", cmd_doctor },
	{ NULL, NULL, NULL },
};

static const struct command *command_find(const char *name)
{
	for (const struct command *command = commands; command->name; command++) {
		if (strcmp(command->name, name) == 0)
			return command;
	}
	return NULL;
}

static int unknown_command(const char *word)
{
	const char *names[G_N_ELEMENTS(commands) + 2] = { "--help", "--version" };
	const char *closest;

	/* The table's last row has no name, so it also terminates the list. */
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		names[i + 2] = commands[i].name;
	if (strcmp(word, "version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "-v") == 0)
		closest = "--version";
	else
		closest = mad_closest(word, names);
	if (closest)
		return command_usage("umadrig", "unknown command '%s': did you mean '%s'?", word,
				     closest);
	return command_usage("umadrig", "unknown command '%s'", word);
}

static void print_help(void)
{
	puts("Usage: umadrig COMMAND [OPTION...]\n"
	     "\n"
	     "Tests software that speaks InfiniBand MADs, with InfiniBand hardware or without.\n"
	     "\n"
	     "Commands:");
	for (const struct command *command = commands; command->name; command++)
		printf("  %-8s %s\n", command->name, command->summary);
	puts("\n"
	     "See 'umadrig COMMAND --help' for one command, and umadrig(1) for all of them.");
}

/*
 * Another libibumad (LD_LIBRARY_PATH, LD_PRELOAD) would run scenarios on devices that were not
 * chosen. Only ours has the symbol version that is looked up here.
 */
static bool library_is_ours(void)
{
	return dlvsym(RTLD_DEFAULT, "umad_set_grh_net", "IBUMAD_UMADRIG_1.0") != NULL;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	g_autofree char *name = g_strdup_printf("umadrig %s", command->name);

	argv[0] = name;
	return command->run(argc, argv);
}

int main(int argc, char **argv)
{
	const struct command *command;
	char help[] = "--help";

	if (!kernel_sanitizer_is_again())
		exec_restart_without_sanitizer(argv);
	setlocale(LC_ALL, "");
	if (argc < 2) {
		print_help();
		return COMMAND_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts(PACKAGE_STRING);
		return command_finish_output("umadrig", COMMAND_OK);
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    (strcmp(argv[1], "help") == 0 && argc == 2)) {
		print_help();
		return command_finish_output("umadrig", COMMAND_OK);
	}
	if (strcmp(argv[1], "help") == 0) {
		/* "help NAME" means "NAME --help". */
		argv[1] = argv[2];
		argv[2] = help;
		argc = 3;
	}

	command = command_find(argv[1]);
	if (strcmp(argv[1], ATTENDANT_COMMAND) == 0)
		return attendant_main(argc - 1, argv + 1);
	if (!command)
		return unknown_command(argv[1]);
	if (!library_is_ours()) {
		fputs("umadrig: the libibumad.so.3 in use is not umadrig's: check LD_LIBRARY_PATH "
		      "and LD_PRELOAD\n", stderr);
		return COMMAND_REFUSED;
	}
	return run_command(command, argc - 1, argv + 1);
}

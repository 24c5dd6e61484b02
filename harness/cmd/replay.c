/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay: a captured fabric answers a program again.
 *
 *	umadrig replay march.pcapng --mode answer -- ./my-tests
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "sim/capture/capture.h"
#include "harness/cmd/command.h"
#include "harness/exec/exec.h"

static const char description[] =
	"A request that was asked in the capture (class, method, attribute, modifier, and LID or route)\n"
	"gets the captured answer, with its own transaction id. Of one that was not, the closest\n"
	"captured request is named on standard error, and no answer comes.\n"
	"\n"
	"Exit status: as that of umadrig exec.";

int cmd_replay(int argc, char **argv)
{
	g_autofree char *mode = NULL, *spec = NULL;
	const GOptionEntry entries[] = {
		{ "mode", 'm', 0, G_OPTION_ARG_STRING, &mode, "answer: as the captured fabric did",
		  "answer" },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new("CAPTURE -- COMMAND [ARGUMENT...]");
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	struct exec_job job = { .name = name };

	job.argv = command_split(&argc, argv);
	g_option_context_set_summary(context, "Runs a program against a captured fabric.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	if (argc != 2)
		return command_usage(name, "%s", argc < 2 ? "which capture?" :
				     "one capture, then -- and the command");
	if (!mode || strcmp(mode, "answer") != 0)
		return command_usage(name, "say --mode answer (at the captured times a capture "
				     "comes to scripts: replay \"x.pcap\" timed)");
	if (!job.argv)
		return command_usage(name, "which command? It stands behind --");

	spec = exec_spec(argv[1], NULL, &error);
	if (!spec) {
		fprintf(stderr, "%s: %s\n", name, error->message);
		return error->code;
	}
	if (!capture_is_capture(argv[1])) {
		fprintf(stderr, "%s: %s is neither a pcap nor a pcapng file (a topology is for umadrig "
			"exec --fabric)\n", name, argv[1]);
		return COMMAND_REFUSED;
	}
	job.spec = spec;
	return exec_run(&job);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay: runs a program on a fabric that answers as captured.
 *
 * 	umadrig replay march.pcapng --mode answer -- ./my-tests
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/exec/exec.h"
#include "sim/capture/capture.h"

static const char description[] =
	"A request that is in the capture (same class, method, attribute, modifier, and LID or\n"
	"route) gets the captured answer, with its own transaction ID. One that is not gets no\n"
	"answer, and the closest captured request is named on standard error.\n"
	"\n"
	"Exit status: as for umadrig exec.";

int cmd_replay(int argc, char **argv)
{
	g_autofree char *mode = NULL, *spec = NULL;
	const GOptionEntry entries[] = {
		{ "mode", 'm', 0, G_OPTION_ARG_STRING, &mode,
		  "With answer, answer as the captured fabric did", "answer" },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context =
		g_option_context_new("CAPTURE -- COMMAND [ARGUMENT...]");
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	struct exec_job job = { .name = name };

	job.argv = command_split(&argc, argv);
	g_option_context_set_summary(context, "Runs a program against a captured fabric.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	if (argc < 2)
		return command_usage(name, "no capture given");
	if (argc > 2)
		return command_usage(name, "unexpected argument '%s': put the command after --, "
				     "as in '%s %s -- %s'", argv[2], name, argv[1], argv[2]);
	if (!mode || strcmp(mode, "answer") != 0)
		return command_usage(name, "--mode answer is required (a script replays a capture "
				     "at its own times: replay \"x.pcap\" timed)");
	if (!job.argv)
		return command_usage(name, "no command given: put it after --");

	spec = exec_spec(argv[1], NULL, &error);
	if (!spec)
		return command_error(name, error->code, "%s", error->message);
	if (!capture_is_capture(argv[1]))
		return command_error(name, COMMAND_REFUSED, "%s is neither a pcap nor a pcapng "
				     "nor an ERF file (for a topology, use umadrig exec "
				     "--fabric)", argv[1]);
	job.spec = spec;
	return exec_run(&job);
}

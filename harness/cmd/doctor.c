/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadrig doctor: what this machine lacks, what that costs, and the cure. */
#include "config.h"

#include <stdio.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/doctor/doctor.h"

static const char description[] =
	"Each line is a check: its name, then 'fine', 'note' or 'lack', and what was found.\n"
	"A lack has its cost and the cure. Nothing is changed.\n"
	"\n"
	"Exit status: 0; 1 if something is lacking, while most of umadrig works all the same; 2\n"
	"if the command line is wrong.";

int cmd_doctor(int argc, char **argv)
{
	gboolean json = false;
	const GOptionEntry entries[] = {
		{ "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print a JSON object instead", NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	unsigned int lacks;

	g_option_context_set_summary(context, "Says what this machine lacks of what umadrig uses, "
				     "and the cure.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage(argv[0], "%s", error->message);
	if (argc > 1)
		return command_usage(argv[0], "unexpected argument '%s': the command takes none",
				     argv[1]);
	lacks = doctor_examine(out, json);
	fputs(out->str, stdout);
	return command_finish_output(argv[0], lacks > 0 ? COMMAND_FAILED : COMMAND_OK);
}

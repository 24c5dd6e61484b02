/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig guest: runs a program in the kernel of a host that is a guest, from within a session.
 *
 * 	umadrig exec --fabric F,clock=virtual,kernel=node7:uml:6.12 -- \
 * 		sh -c 'umadrig guest --host node7 ibping -S & ...'
 */
#include "config.h"

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/exec/in-guest.h"

static const char description[] =
	"The host is one whose kernel is a whole one, as kernel=HOST:uml:6.12 in a fabric makes\n"
	"it. The command runs in there, with the input, output, directory and environment of\n"
	"this process, gets the signals that this process gets, and ends with it.\n"
	"\n"
	"Scripts below 'umadrig exec' use it. What exec and scenarios themselves start on such a\n"
	"host runs in there without it.\n"
	"\n"
	"Exit status: that of the command; 2 if the command line is wrong; 125 if there is no\n"
	"session, or the host is no guest; 126 if the command cannot be executed, 127 if it was\n"
	"not found.";

int cmd_guest(int argc, char **argv)
{
	g_autofree char *name = g_strdup(argv[0]);
	char **words = command_split(&argc, argv);
	g_autofree char *host = NULL;
	const GOptionEntry entries[] = {
		{ "host", 0, 0, G_OPTION_ARG_STRING, &host,
		  "The node that it runs on (default: UMADRIG_HOST)", "NODE" },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("-- COMMAND [ARGUMENT...]");
	g_autoptr(GError) error = NULL;

	g_option_context_set_summary(context, "Runs a program in the kernel of a host that is a "
				     "guest.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	if (!words || argc > 1)
		return command_usage(name, "put the command after --, as in '%s -- ibstat'", name);
	return in_guest_run(name, host, words);
}

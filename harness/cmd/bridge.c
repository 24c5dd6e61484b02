/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig bridge: connects a fabric server to standard input and output, for use through ssh.
 *
 * 	umadrig exec --attach-command 'ssh node umadrig bridge -s /tmp/fabric' -- ibnetdiscover
 */
#include "config.h"

#include <signal.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/bridge/bridge.h"
#include "harness/cmd/commands.h"
#include "harness/exec/exec.h"

static const char description[] =
	"Programs on another machine join the fabric through it, over anything that carries a\n"
	"stream of bytes: there, 'umadrig exec --attach ssh:HOST:SOCKET' runs 'umadrig bridge\n"
	"--socket SOCKET' on HOST by ssh, and --attach-command runs any other command. It ends\n"
	"when the stream ends, and the server then frees everything that came through it.\n"
	"\n"
	"Exit status: 0 when the stream has ended; 2 if the command line is wrong; 125 if there\n"
	"is no server.";

int cmd_bridge(int argc, char **argv)
{
	g_autofree char *socket = NULL, *path = NULL;
	const GOptionEntry entries[] = {
		{ "socket", 's', 0, G_OPTION_ARG_FILENAME, &socket,
		  "Socket of a 'umadrig serve'", "PATH" },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;

	g_option_context_set_summary(context, "Carries a fabric server's socket on standard input "
				     "and output.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage(argv[0], "%s", error->message);
	if (argc > 1)
		return command_usage(argv[0], "unexpected argument '%s'", argv[1]);
	if (!socket)
		return command_usage(argv[0], "no server given: name its socket (--socket PATH)");
	if (isatty(STDIN_FILENO) || isatty(STDOUT_FILENO))
		return command_usage(argv[0], "standard input and output must not be a terminal: "
				     "'umadrig exec --attach-command' starts this command");
	path = g_canonicalize_filename(socket, NULL);
	signal(SIGPIPE, SIG_IGN);
	exec_raise_descriptors();
	return bridge_far_run(argv[0], path, STDIN_FILENO, STDOUT_FILENO) < 0 ? COMMAND_REFUSED :
									       COMMAND_OK;
}

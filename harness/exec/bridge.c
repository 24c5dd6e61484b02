/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exec over a bridge: starts the command that carries the bridge, and its near end in a process of
 * its own.
 *
 * The near end exits when this process exits, for whatever reason: its control pipe is then closed.
 * The command exits when its standard input is closed.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/bridge/bridge.h"
#include "harness/exec/exec.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

#define SSH "ssh:"

char *exec_bridge_command(const char *attach, GError **error)
{
	g_auto(GStrv) words = NULL;
	g_autofree char *path = NULL, *again = NULL, *host = NULL;

	if (!g_str_has_prefix(attach, SSH))
		return NULL;
	words = g_strsplit(attach + strlen(SSH), ":", 2);
	/* ssh would take a host that begins with - as an option. */
	if (!words[0] || !*words[0] || *words[0] == '-' || !words[1] || !*words[1]) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
			    "--attach %s: expected ssh:HOST:SOCKET (for a socket of that name, "
			    "./%s)", attach, attach);
		return NULL;
	}
	host = g_shell_quote(words[0]);
	path = g_shell_quote(words[1]);
	again = g_shell_quote(path);	/* the shell on the other machine parses it as well */
	return g_strdup_printf("exec ssh -T %s umadrig bridge --socket %s", host, again);
}

/* Ctrl-C is for the program, which may still need the bridge then. */
static const int for_program[] = { SIGINT, SIGQUIT, SIGHUP, 0 };

static void become_near(struct bridge_near *near, int control) G_GNUC_NORETURN;

static void become_near(struct bridge_near *near, int control)
{
	int ret;

	signal(SIGPIPE, SIG_IGN);
	exec_raise_descriptors();
	ret = bridge_near_run(near, control);
	if (ret == -EPROTO)
		fprintf(stderr, "umadrig exec: closed the bridge: it received something that is "
			"not a frame\n");
	else if (ret < 0)
		fprintf(stderr, "umadrig exec: the bridge has ended, and the devices of programs "
			"with it\n");
	bridge_near_free(near, true);
	_exit(0);
}

/* Forks the near end. */
static bool start_near(struct exec_bridge *bridge, struct bridge_near *near, GError **error)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, g_strerror(errno));
		return false;
	}
	bridge->socket = g_strdup(bridge_near_socket(near));
	pid = spawn_fork(&(struct spawn){ .ignored = for_program });
	if (pid == 0) {
		close(ends[1]);
		become_near(near, ends[0]);
	}
	close(ends[0]);
	bridge->control = ends[1];
	bridge->near = MAX(pid, 0);
	if (pid < 0)
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, g_strerror(-pid));
	return pid > 0;
}

/* With the bridge as its input and output. */
static bool start_command(struct exec_bridge *bridge, const char *command, int link, GError **error)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)command, NULL };
	const struct spawn spawn = {
		.ignored = for_program, .path = "/bin/sh", .argv = argv, .input = link,
		.output = link, .keeps_open = true,
	};
	struct spawn_failure failure;
	pid_t pid = spawn_program(&spawn, &failure);

	bridge->command = MAX(pid, 0);
	if (pid < 0)
		g_set_error(error, COMMAND_ERROR, COMMAND_CANNOT_RUN, "/bin/sh: %s",
			    g_strerror(failure.err));
	return pid > 0;
}

bool exec_bridge_begin(struct exec_bridge *bridge, const char *command, GError **error)
{
	struct bridge_near *near = NULL;
	bool started;
	int ends[2];

	*bridge = (struct exec_bridge){ .control = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, g_strerror(errno));
		return false;
	}
	started = start_command(bridge, command, ends[1], error);
	close(ends[1]);
	if (started)
		near = bridge_near_new(ends[0], error);
	else
		close(ends[0]);
	started = near && start_near(bridge, near, error);
	bridge_near_free(near, !started);
	if (!started)
		exec_bridge_end(bridge);
	return started;
}

void exec_bridge_end(struct exec_bridge *bridge)
{
	pid_t pids[] = { bridge->near, bridge->command };

	if (bridge->control >= 0)
		close(bridge->control);
	for (size_t i = 0; i < G_N_ELEMENTS(pids); i++) {
		/* A command that does not exit at the end of its input is killed. */
		if (pids[i] > 0 && i > 0)
			kill(pids[i], SIGTERM);
		if (pids[i] > 0)
			reap(pids[i]);
	}
	g_clear_pointer(&bridge->socket, g_free);
	*bridge = (struct exec_bridge){ .control = -1 };
}

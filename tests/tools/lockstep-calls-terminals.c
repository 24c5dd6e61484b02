/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Pseudoterminals: what is typed has its echo and its signals at once. */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

enum { KEYS = 100 };

/* A child on a terminal of its own, which reads nothing and waits for signals. */
static pid_t on_terminal(int sig, int *ret_master)
{
	pid_t pid = forkpty(ret_master, NULL, NULL, NULL);

	if (pid == 0) {
		if (sig)
			set_handler(sig);
		pause();
		_exit(caught == sig ? 7 : 8);
	}
	fcntl(*ret_master, F_SETFL, O_NONBLOCK);
	return pid;
}

static bool echoes(int master, const char *typed, const char *wanted)
{
	char echo[16] = "";

	if (write(master, typed, 1) != 1 || read(master, echo, sizeof(echo) - 1) < 0 ||
	    strcmp(echo, wanted) != 0) {
		printf("# '%s' for '%s'\n", echo, wanted);
		return false;
	}
	return true;
}

static bool ends(pid_t pid, int64_t from, int64_t ns)
{
	int status = 0;

	return waitpid(pid, &status, 0) == pid && passed(from, ns) && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 7;
}

bool row_terminal(void)
{
	int64_t from = now();
	int master;
	pid_t pid = on_terminal(SIGINT, &master);
	bool ok = true;

	sleep(1);
	for (int i = 0; i < KEYS && ok; i++)
		ok = echoes(master, "a", "a");
	ok = ok && echoes(master, "\003", "^C") && ends(pid, from, S);
	close(master);
	return ok;
}

/* Who leads the session of a terminal learns of its end. */
bool row_terminal_end(void)
{
	int64_t from = now();
	int master;
	pid_t pid = on_terminal(SIGHUP, &master);
	bool ok;

	sleep(1);
	ok = echoes(master, "a", "a");
	sleep(1);
	close(master);
	return ends(pid, from, 2 * S) && ok;
}

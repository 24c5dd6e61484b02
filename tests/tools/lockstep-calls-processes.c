/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Processes: made, waited for, numbered. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

bool row_getpid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(getppid() == 1000 && getpid() != getppid() ? 0 : 1);
	return getpid() == 1000 && pid > 1000 && pid < 2000 && reap(pid);
}

bool row_wait(void)
{
	int64_t from = now();
	int status;
	pid_t pid = ends_after(9, 3);

	return waitpid(pid, &status, WNOHANG) == 0 && wait(&status) == pid &&
	       WEXITSTATUS(status) == 3 && passed(from, 9 * S);
}

bool row_waitid(void)
{
	int64_t from = now();
	siginfo_t info = { .si_pid = 0 };
	pid_t pid = ends_after(2, 4);

	return waitid(P_PID, (id_t)pid, &info, WEXITED) == 0 && info.si_pid == pid &&
	       info.si_status == 4 && passed(from, 2 * S);
}

bool row_execve(void)
{
	int64_t from = now();
	pid_t pid = fork();

	if (pid == 0) {
		execlp("sleep", "sleep", "11", (char *)NULL);
		_exit(1);
	}
	return reap(pid) && passed_asleep(from, 11 * S, 1);
}

/* Without its environment a program is in virtual time all the same. */
bool row_bare_environment(void)
{
	char *const none[] = { NULL };
	int64_t from = now();
	pid_t pid = fork();

	if (pid == 0) {
		execle("/bin/sleep", "sleep", "12", (char *)NULL, none);
		_exit(1);
	}
	return reap(pid) && passed_asleep(from, 12 * S, 1);
}

bool row_vfork(void)
{
	int64_t from = now();
	pid_t pid = vfork();

	if (pid == 0) {
		execlp("sleep", "sleep", "1", (char *)NULL);
		_exit(1);
	}
	return reap(pid) && passed_asleep(from, S, 1);
}

bool row_posix_spawn(void)
{
	extern char **environ;
	char *const argv[] = { (char *)"sleep", (char *)"13", NULL };
	posix_spawnattr_t attr;
	int64_t from = now();
	pid_t pid = 0;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setpgroup(&attr, getpgrp());
	for (int i = 0; i < 50; i++) {
		if (posix_spawn(&pid, "/no/program", NULL, NULL, argv, environ) != ENOENT)
			return false;
	}
	return posix_spawnp(&pid, "sleep", NULL, &attr, argv, environ) == 0 && reap(pid) &&
	       passed_asleep(from, 13 * S, 1);
}

bool row_system(void)
{
	int64_t from = now();

	return system(NULL) != 0 && system("sleep 14; exit 3") == 3 << 8 &&
	       passed_asleep(from, 14 * S, 1);
}

bool row_popen(void)
{
	int64_t from = now();
	FILE *in, *out;
	char line[32];

	in = popen("sleep 15; echo $PPID", "r");
	if (!in || !fgets(line, sizeof(line), in) || strcmp(line, "1000\n") != 0 ||
	    !passed_asleep(from, 15 * S, 1) || pclose(in) != 0)
		return false;
	out = popen("read line; sleep $line; exit 5", "we");
	return out && fputs("16\n", out) >= 0 && pclose(out) == 5 << 8 &&
	       passed_asleep(from, 31 * S, 2);
}

/* Its parent is gone at once; who made it, not. */
bool row_daemon(void)
{
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		if (daemon(0, 0) < 0)
			_exit(1);
		sleep(3);
		write_byte(ends[1]);
		_exit(0);
	}
	return reap(pid) && passed(from, 0) && byte_comes(ends[0], from, 3 * S);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Of lockstep-foreign: children that several threads wait for, and many that run side by side. */
#include "tests/tools/lockstep-foreign.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

enum { THREADS = 4, MANY = 8 };

static pid_t children[THREADS];
static volatile int told, known;

/* The number that a program sees; what the kernel counts of the child's time is the machine's. */
static void on_child(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	told++;
	for (int i = 0; i < THREADS; i++) {
		if (children[i] == info->si_pid && info->si_code == CLD_EXITED &&
		    info->si_status == i && info->si_utime == 0 && info->si_stime == 0)
			known++;
	}
}

/* A child that ends after so long, with this status. */
static pid_t start(long us, int status)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	pause_us(us);
	_exit(status);
}

/* The session has one of the threads take SIGCHLD: no other is to see that it ended a call. */
static void *await_own(void *data)
{
	int number = (int)(intptr_t)data;
	siginfo_t info = { .si_pid = 0 };

	children[number] = start(10000 - 1000 * number, number);
	if (waitid(P_PID, (id_t)children[number], &info, WEXITED) < 0)
		say("a wait fails", errno);
	else
		say("ended", info.si_status);
	pause_us(100000);
	return NULL;
}

static void *await_nothing(void *data)
{
	(void)data;
	pause_us(50000);
	say("slept", 50000);
	return NULL;
}

/* By a descriptor. */
static void await_by_descriptor(void)
{
	pid_t pid = start(5000, 3), other = start(1000000, 0);
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	int other_fd = (int)syscall(SYS_pidfd_open, other, 0);
	siginfo_t info = { .si_pid = 0 };

	say("by a descriptor", waitid(P_PIDFD, (id_t)fd, &info, WEXITED) < 0 ? errno : 0);
	say("it is that child", info.si_pid == pid);
	say("its status", info.si_status);
	say("once", waitid(P_PIDFD, (id_t)fd, &info, WEXITED) < 0 ? errno : 0);
	say("sent", syscall(SYS_pidfd_send_signal, other_fd, SIGTERM, NULL, 0) < 0 ? errno : 0);
	say("by it", waitid(P_PIDFD, (id_t)other_fd, &info, WEXITED) < 0 ? errno : 0);
	say("the signal", info.si_status);
	say("of none", waitid(P_PIDFD, 999, &info, WEXITED) < 0 ? errno : 0);
	close(fd);
	close(other_fd);
}

/* What a killed process has open is closed at once, not when it is waited for. */
static void read_from_killed(void)
{
	siginfo_t info = { .si_pid = 0 };
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends) < 0)
		exit(1);
	pid = start(3600000000L, 0);
	close(ends[1]);
	pause_us(1000);
	say("killed", kill(pid, SIGKILL));
	say("its pipe ends", read(ends[0], &c, 1));
	say("waited for", waitid(P_PID, (id_t)pid, &info, WEXITED));
	say("by", info.si_status);
	pid = fork();
	if (pid == 0) {
		kill(getpid(), SIGKILL);
		_exit(1);
	}
	say("by itself", waitid(P_PID, (id_t)pid, &info, WEXITED));
	say("by", info.si_status);
}

/* SIGCHLD waits while it is blocked, whatever else is begun and ends. */
static void await_blocked(void)
{
	pid_t first = start(1000, 0), second;
	siginfo_t info = { .si_pid = 0 };
	sigset_t set, pending;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	pause_us(2000);
	second = start(3600000000L, 0);
	sigpending(&pending);
	say("SIGCHLD waits", sigismember(&pending, SIGCHLD));
	say("it is", sigwaitinfo(&set, &info));
	say("of the first", info.si_pid == first);
	say("waited for", waitpid(first, NULL, 0) == first);
	start(5000, 0);
	sigpending(&pending);
	say("none waits", sigismember(&pending, SIGCHLD));
	say("the next", sigwaitinfo(&set, &info));
	kill(second, SIGKILL);
	while (wait(NULL) > 0)
		;
	say("all ended", errno);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void part_children(void)
{
	const struct sigaction action = { .sa_sigaction = on_child,
					  .sa_flags = SA_SIGINFO | SA_RESTART };
	pthread_t threads[THREADS], other;

	sigaction(SIGCHLD, &action, NULL);
	pthread_create(&other, NULL, await_nothing, NULL);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, await_own, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_join(other, NULL);
	say("told", told);
	say("by its number", known);
	signal(SIGCHLD, SIG_DFL);
	await_by_descriptor();
	read_from_killed();
	await_blocked();
}

/* COMMAND, many times at once: in which order they end. */
void part_many(void)
{
	pid_t pids[MANY];

	for (int i = 0; i < MANY; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			execl("/bin/sh", "sh", "-c", getenv("COMMAND"), (char *)NULL);
			_exit(127);
		}
	}
	for (int n = 0; n < MANY; n++) {
		int status;
		pid_t pid = wait(&status);

		for (int i = 0; i < MANY; i++) {
			if (pids[i] == pid)
				say(status == 0 ? "done" : "failed", i);
		}
	}
}

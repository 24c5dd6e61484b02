/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * New processes: see sim/process/process-spawn.h.
 */
#include "config.h"

#include "sim/process/process-spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/environment-padding.h"
#include "sim/process/process-reap.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

enum { NOT_RUN = 127 };	/* the status of one that has not become its program */

/* ---- what is inherited ---- */

static void set_actions(const int *signals, void (*action)(int sig))
{
	for (; signals && *signals; signals++)
		signal(*signals, action);
}

/* In the new process. */
static void inherit(const struct spawn *spawn, pid_t parent)
{
	set_actions(spawn->ignored, SIG_IGN);
	set_actions(spawn->usual, SIG_DFL);
	if (spawn->leads == SPAWN_LEADS_GROUP)
		setpgid(0, 0);
	else if (spawn->leads == SPAWN_LEADS_SESSION)
		setsid();
	if (spawn->dies_with)
		prctl(PR_SET_PDEATHSIG, spawn->dies_with);
	/* It may have ended already. */
	if (spawn->dies_with && getppid() != parent)
		_exit(NOT_RUN);
}

/* '*ret_mask': the mask that the new process still has to set. */
static pid_t fork_blocked(const struct spawn *spawn, sigset_t *ret_mask)
{
	pid_t pid, parent = getpid();
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork();
	err = errno;
	*ret_mask = spawn->mask ? *spawn->mask : before;
	if (pid == 0) {
		inherit(spawn, parent);
		return 0;
	}
	/* Whoever signals the group must find it. */
	if (pid > 0 && spawn->leads == SPAWN_LEADS_GROUP)
		setpgid(pid, pid);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return pid < 0 ? -err : pid;
}

pid_t spawn_fork_bare(const struct spawn *spawn)
{
	static const struct spawn as_here;
	sigset_t mask;
	pid_t pid = fork_blocked(spawn ? spawn : &as_here, &mask);

	if (pid == 0)
		pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return pid;
}

pid_t spawn_fork(const struct spawn *spawn)
{
	fflush(NULL);
	return spawn_fork_bare(spawn);
}

/* ---- descriptors ---- */

/* Those from 'from' to 'to' are closed: now, or by exec. */
static void close_between(unsigned int from, unsigned int to, bool at_exec)
{
	struct rlimit limit = { .rlim_cur = 0 };

	if (from > to ||
	    syscall(SYS_close_range, from, to, at_exec ? CLOSE_RANGE_CLOEXEC : 0) == 0)
		return;
	getrlimit(RLIMIT_NOFILE, &limit);
	for (unsigned int fd = from; fd <= to && fd < limit.rlim_cur; fd++) {
		if (at_exec)
			fcntl((int)fd, F_SETFD, FD_CLOEXEC);
		else
			close((int)fd);
	}
}

void spawn_close_others(const int *kept, size_t count)
{
	for (unsigned int from = 0; ;) {
		unsigned int next = ~0U;

		for (size_t i = 0; i < count; i++) {
			if (kept[i] >= 0 && (unsigned int)kept[i] >= from)
				next = MIN(next, (unsigned int)kept[i]);
		}
		if (next > from)
			close_between(from, next == ~0U ? next : next - 1, false);
		if (next == ~0U)
			return;
		from = next + 1;
	}
}

/* 0 or -errno. Each is copied out of the way first: it may be where another is to be. */
static int set_descriptors(const struct spawn *spawn)
{
	const int wanted[] = { spawn->input, spawn->output, spawn->errors };
	int copies[G_N_ELEMENTS(wanted)];

	for (int i = 0; i < (int)G_N_ELEMENTS(wanted); i++) {
		int fd = wanted[i] == SPAWN_NULL ? open("/dev/null", O_RDWR | O_CLOEXEC) :
						   wanted[i];

		copies[i] = wanted[i] == 0 ? 0 : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (copies[i] < 0)
			return -errno;
		if (wanted[i] == SPAWN_NULL)
			close(fd);
	}
	for (int i = 0; i < (int)G_N_ELEMENTS(wanted); i++) {
		if (copies[i] > 0 && dup2(copies[i], i) < 0)
			return -errno;
	}
	if (!spawn->keeps_open)
		close_between(STDERR_FILENO + 1, ~0U, true);
	return 0;
}

/* ---- programs ---- */

/* The last that is done to an environment; nobody can put anything into it afterwards. */
static void become_in_lockstep(const char *path, char *const *argv, char *const *environment)
{
	static struct environment_padding padding;
	size_t count = 0;

	while (environment[count])
		count++;
	{
		char *padded[count + ENVIRONMENT_PADDING_VARIABLES + 1];

		memcpy(padded, environment, (count + 1) * sizeof(*padded));
		environment_pad(padded, &padding);
		execvpe(path, argv, padded);
	}
}

int spawn_become(const char *path, char *const *argv, char *const *environment)
{
	if (environment_is_in_lockstep(environment))
		become_in_lockstep(path, argv, environment);
	else
		execvpe(path, argv, environment);
	return -errno;
}

/* In the new process: what it needs, and then the program. Why not. */
static struct spawn_failure become(const struct spawn *spawn, const sigset_t *mask)
{
	int ret;

	if (spawn->directory && chdir(spawn->directory) < 0)
		return (struct spawn_failure){ SPAWN_DIRECTORY, errno };
	ret = set_descriptors(spawn);
	if (ret < 0)
		return (struct spawn_failure){ SPAWN_DESCRIPTORS, -ret };
	ret = spawn->prepare ? spawn->prepare(spawn->ctx) : 0;
	if (ret != 0)
		return (struct spawn_failure){ SPAWN_PREPARE, ret };
	pthread_sigmask(SIG_SETMASK, mask, NULL);
	ret = spawn_become(spawn->path ? spawn->path : spawn->argv[0], spawn->argv,
			   spawn->environment ? spawn->environment : environ);
	return (struct spawn_failure){ SPAWN_EXEC, -ret };
}

static void be_program(const struct spawn *spawn, const sigset_t *mask, int report)
	G_GNUC_NORETURN;

static void be_program(const struct spawn *spawn, const sigset_t *mask, int report)
{
	struct spawn_failure failure;

	/* Where ours were closed it may be one of the first three. */
	report = fcntl(report, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	failure = become(spawn, mask);
	if (write(report, &failure, sizeof(failure)) < 0)
		_exit(NOT_RUN);
	_exit(NOT_RUN);
}

pid_t spawn_begin(const struct spawn *spawn, int *ret_report)
{
	sigset_t mask;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	pid = fork_blocked(spawn, &mask);
	if (pid == 0)
		be_program(spawn, &mask, ends[1]);
	close(ends[1]);
	if (pid > 0)
		*ret_report = ends[0];
	else
		close(ends[0]);
	return pid;
}

int spawn_take_report(int report, struct spawn_failure *ret)
{
	ssize_t got;

	do
		got = read(report, ret, sizeof(*ret));
	while (got < 0 && errno == EINTR);
	return got < 0 && errno == EAGAIN ? -EAGAIN : got == sizeof(*ret);
}

pid_t spawn_program(const struct spawn *spawn, struct spawn_failure *ret)
{
	int report, failed;
	pid_t pid = spawn_begin(spawn, &report);

	if (pid < 0) {
		*ret = (struct spawn_failure){ SPAWN_FORK, -pid };
		return -1;
	}
	while ((failed = spawn_take_report(report, ret)) == -EAGAIN) {
		struct pollfd readable = { .fd = report, .events = POLLIN };

		poll(&readable, 1, -1);
	}
	close(report);
	if (!failed)
		return pid;
	reap(pid);
	return -1;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What ends programs of a process that died: see sim/programs/program-guard.h.
 */
#include "config.h"

#include "sim/programs/program-guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/server/lockstep-owner.h"

enum { CLOSED_MAX = 1024 };	/* descriptors that are closed where the kernel cannot close all */

/* Pipes whose readers wait for their end must not stay open. */
static void close_others(int fd)
{
	dup2(fd, STDIN_FILENO);
	if (syscall(SYS_close_range, 1, ~0U, 0) == 0)
		return;
	for (int i = 1; i < CLOSED_MAX; i++)
		close(i);
}

/* In the child of a process with threads: system calls only. */
static void guard(struct lockstep_owner *owner, int parent)
{
	struct pollfd end = { .fd = STDIN_FILENO, .events = POLLIN };

	close_others(parent);
	while (poll(&end, 1, -1) < 0 && errno == EINTR)
		continue;
	/* One that had the turn may have started another meanwhile. */
	lockstep_owner_kill(owner, 0);
	lockstep_owner_kill(owner, 0);
	_exit(0);
}

pid_t program_guard_start(struct lockstep_owner *owner)
{
	int parent = (int)syscall(SYS_pidfd_open, getpid(), 0);
	pid_t pid;
	int err;

	if (parent < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		guard(owner, parent);
	err = errno;
	close(parent);
	return pid < 0 ? -err : pid;
}

void program_guard_stop(pid_t guard)
{
	if (guard <= 0)
		return;
	kill(guard, SIGKILL);
	while (waitpid(guard, NULL, 0) < 0 && errno == EINTR)
		continue;
}

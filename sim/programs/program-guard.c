/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What ends programs of a process that died: see sim/programs/program-guard.h.
 */
#include "config.h"

#include "sim/programs/program-guard.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"
#include "sim/server/lockstep-owner.h"

/* In the child of a process with threads: system calls only. */
static void guard(struct lockstep_owner *owner, int parent)
{
	struct pollfd end = { .fd = parent, .events = POLLIN };

	/* Pipes whose readers wait for their end must not stay open. */
	spawn_close_others(&parent, 1);
	while (poll(&end, 1, -1) < 0 && errno == EINTR)
		continue;
	/* One that had the turn may have started another meanwhile. */
	lockstep_owner_kill(owner, 0);
	lockstep_owner_kill(owner, 0);
	_exit(0);
}

pid_t program_guard_start(struct lockstep_owner *owner)
{
	int parent = reap_descriptor(getpid());
	pid_t pid;

	if (parent < 0)
		return parent;
	pid = spawn_fork_bare(NULL);
	if (pid == 0)
		guard(owner, parent);
	close(parent);
	return pid;
}

void program_guard_stop(pid_t guard)
{
	reap_killed(guard);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/thread-reap.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/filter/program-descriptor.h"

/* Is it a process that this one started? */
static bool is_child(pid_t tid)
{
	struct process_ids ids = process_ids_of_thread(tid);

	return ids.process == tid && ids.parent == getpid();
}

void thread_reap(pid_t tid)
{
	if (is_child(tid))
		return;
	/* It was killed: this does not take long. */
	while (waitpid(tid, NULL, __WALL) < 0 && errno == EINTR)
		;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The working directory of a waiting thread: see harness/filter/thread-chdir.h.
 */
#include "config.h"

#include "harness/filter/thread-chdir.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "harness/filter/thread-inject.h"

static void say_traced(pid_t tid, int err)
{
	fprintf(stderr, "umadrig: thread %d cannot change its directory to one of the simulated "
		"devices while another process traces it (%s): give it the path instead\n",
		(int)tid, strerror(err));
}

/* The number of the copy, or -errno as chdir(2) has them. */
static int place(struct listener *listener, const struct seccomp_notif *call, int fd, int number)
{
	int ret = listener_place(listener, call, fd, number, true);

	/* Above the thread's limit by now. */
	if (ret == -EBADF)
		ret = listener_place(listener, call, fd, -1, true);
	return ret == -EMFILE ? -ENOMEM : ret;
}

long thread_chdir(struct listener *listener, const struct seccomp_notif *call, int fd, int number)
{
	int ret = thread_inject_begin(call), there;

	if (ret < 0) {
		/* One that is being killed may not be traced, either. */
		if (listener_is_waiting(listener, call))
			say_traced((pid_t)call->pid, -ret);
		return -EACCES;
	}
	there = place(listener, call, fd, number);
	const struct thread_made_call calls[] = {
		{ SYS_fchdir, { there } }, { SYS_close, { there } },
	};
	thread_inject_end(listener, call, there < 0 ? there : 0, calls, there < 0 ? 0 : 2);
	return CALL_ANSWERED;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-end.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/lockstep/kernel-signals.h"
#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-end.h"
#include "lib/stand-in/foreign-futex.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-robust.h"
#include "lib/stand-in/foreign-stat.h"

/* ---- processes ---- */

bool foreign_end_has_come(void)
{
	struct pollfd end = { .fd = foreign.pidfd, .events = POLLIN };
	const struct timespec at_once = { .tv_sec = 0 };

	return CALL_5(SYS_ppoll, &end, 1, &at_once, NULL, 8) > 0;
}

static int await_status(void)
{
	struct pollfd end = { .fd = foreign.pidfd, .events = POLLIN };
	int status = 0;

	while (CALL_5(SYS_ppoll, &end, 1, NULL, NULL, 8) == -EINTR)
		;
	if (!foreign.is_child)
		return foreign_stat_status();
	while (CALL_4(SYS_wait4, foreign.pid, &status, __WALL, NULL) == -EINTR)
		;
	return status;
}

/* As the foreign process was killed: without a core of ours. */
static void die_by(int sig)
{
	const struct rlimit none = { 0, 0 };
	sigset_t one;

	setrlimit(RLIMIT_CORE, &none);
	signal(sig, SIG_DFL);
	sigemptyset(&one);
	sigaddset(&one, sig);
	kill(getpid(), sig);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	_exit(128 + sig);
}

/* An error of its own ends it, as the server says of others. */
static void say_error(int sig)
{
	if (signal_is_of_error(sig) && sig != foreign.sent_error)
		dprintf(2, "umadrig: %d %s was killed while running, at virtual time %.9g s\n",
			getpid(), foreign.name, (double)umadrig_session_now() / 1e9);
}

void foreign_end_process(void)
{
	int status = await_status();

	if (WIFSIGNALED(status)) {
		say_error(WTERMSIG(status));
		die_by(WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

long foreign_end_exit_group(void)
{
	foreign_robust_end_all();
	foreign_call_go_on();
	foreign_end_process();
}

/* ---- threads ---- */

/* The first thread of a process stays, as a zombie, until the last has ended. */
static bool is_gone(pid_t tid)
{
	if (CALL_3(SYS_tgkill, foreign.pid, tid, 0) == -ESRCH)
		return true;
	return tid == foreign.pid && foreign_stat_has_ended(tid);
}

/* The word becomes 0, as the kernel has it where it knows of that; its wake finds nobody. */
long foreign_end_exit(void)
{
	struct foreign_task *self = foreign_self;
	const uint32_t none = 0;

	foreign_robust_end(self);
	foreign_call_go_on();
	if (foreign.tasks == 1)
		foreign_end_process();
	while (!is_gone(self->tid))
		CALL_0(SYS_sched_yield);
	if (self->cleared_at && foreign_memory_put(self->cleared_at, &none, sizeof(none)) == 0)
		foreign_futex_wake(self->cleared_at, 1);
	self->is_used = false;
	foreign.tasks--;
	pthread_exit(NULL);
}

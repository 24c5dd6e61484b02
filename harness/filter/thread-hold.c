/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * thread-hold.c: the thread is traced (ptrace(2)) before it is asked for the last time whether it
 * waits. If it does, it is in the kernel, and on its way out it stops, before it runs a signal's
 * handler: the tracer learns of signals first. There the registers are those of a call that has
 * been interrupted; they are made those of one that has returned.
 */
#include "config.h"

#include "harness/filter/thread-hold.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "harness/filter/thread-reap.h"
#include "harness/filter/thread-registers.h"

/* Stops the traced thread, for whatever reason. 0, or -errno: it was killed. */
static int stop(struct thread_hold *hold)
{
	siginfo_t info = { .si_status = 0 };

	if (ptrace(PTRACE_INTERRUPT, hold->tid, 0, 0) < 0)
		return -errno;
	/* Should it end its status is left to its parent. */
	while (waitid(P_PID, (id_t)hold->tid, &info, WSTOPPED | __WALL) < 0)
		if (errno != EINTR)
			return -errno;
	/* It may have stopped for a signal that was quicker, and is to get it. */
	hold->sig = info.si_status >> 8 == 0 ? info.si_status : 0;
	return 0;
}

static void let_go(struct thread_hold *hold)
{
	if (ptrace(PTRACE_DETACH, hold->tid, 0, hold->sig) < 0)
		thread_reap(hold->tid);
	hold->call = 0;
}

int thread_hold_begin(struct thread_hold *ret, const struct seccomp_notif *call,
		      thread_hold_check_fn *is_waiting, void *user)
{
	struct thread_hold hold = {
		.call = call->id, .tid = (pid_t)call->pid, .end = call->data.instruction_pointer,
	};
	bool was_waiting;

	/* So that none is stopped in vain that has gone on: it may not stop for long. */
	if (!is_waiting(user, call))
		return -ENOENT;
	if (ptrace(PTRACE_SEIZE, hold.tid, 0, 0) < 0) {
		int reason = errno;

		/* One that is being killed may not be traced, either. */
		return is_waiting(user, call) ? -reason : -ENOENT;
	}
	was_waiting = is_waiting(user, call);
	if (stop(&hold) < 0) {
		thread_reap(hold.tid);
		return -ENOENT;
	}
	if (!was_waiting) {
		let_go(&hold);
		return -ENOENT;
	}
	*ret = hold;
	return 0;
}

void thread_hold_end(struct thread_hold *hold, long result)
{
	thread_registers at;

	/* Otherwise it was killed meanwhile. */
	if (thread_registers_get(hold->tid, &at) == 0) {
		thread_registers_set_result(&at, hold->end, result);
		thread_registers_set(hold->tid, &at);
	}
	let_go(hold);
}

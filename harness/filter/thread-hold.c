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

int thread_hold_stop(pid_t tid, int *ret_sig)
{
	siginfo_t info = { .si_status = 0 };
	int r = ptrace(PTRACE_INTERRUPT, tid, 0, 0) < 0 ? -errno : 0;

	/* Should it end its status is left to its parent. */
	while (r == 0 && waitid(P_PID, (id_t)tid, &info, WSTOPPED | __WALL) < 0)
		r = errno == EINTR ? 0 : -errno;
	if (r < 0)
		thread_reap(tid);
	/* It may have stopped for a signal that was quicker, and is to get it. */
	*ret_sig = info.si_status >> 8 == 0 ? info.si_status : 0;
	return r;
}

void thread_hold_let_go(pid_t tid, int sig)
{
	if (ptrace(PTRACE_DETACH, tid, 0, sig) < 0)
		thread_reap(tid);
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
	if (thread_hold_stop(hold.tid, &hold.sig) < 0)
		return -ENOENT;
	if (!was_waiting) {
		thread_hold_let_go(hold.tid, hold.sig);
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
	thread_hold_let_go(hold->tid, hold->sig);
	hold->call = 0;
}

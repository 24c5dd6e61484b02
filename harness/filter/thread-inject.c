/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls in the place of a waiting thread's own: see harness/filter/thread-inject.h.
 *
 * The thread is traced (ptrace(2)) from before its call is answered until the others are done, and
 * so runs no instruction of its own in between. It is stopped on its way out of the kernel, with
 * the registers of a finished call: they are set back to before the instruction that made the call,
 * with another call in them, for each. Signals are blocked meanwhile.
 */
#include "config.h"

#include "harness/filter/thread-inject.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "harness/filter/supervisor-turn.h"
#include "harness/filter/thread-reap.h"
#include "harness/filter/thread-registers.h"

struct waiting {
	pid_t tid;
	uint64_t end;		/* of the instruction with which it made its call */
	const struct thread_made_call *calls;
	size_t count;
};

enum { SYSCALL_STOP = SIGTRAP | 0x80 };		/* PTRACE_O_TRACESYSGOOD */

/* ---- stops ---- */

/*
 * Waits until the thread stops: at a system call, or (not 'at_call') because it was interrupted.
 * Only stops are waited for: should the thread end, its status is left to its parent. Other stops
 * (SIGSTOP) are passed over; the kernel makes up for them when the thread is not traced any more.
 */
static int wait_for_stop(pid_t tid, bool at_call)
{
	siginfo_t info;

	for (;;) {
		if (waitid(P_PID, (id_t)tid, &info, WSTOPPED | __WALL) < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (at_call ? info.si_status == SYSCALL_STOP :
		    info.si_status >> 8 == PTRACE_EVENT_STOP)
			return 0;
		if (ptrace(PTRACE_SYSCALL, tid, 0, 0) < 0)
			return -errno;
	}
}

/* Has the stopped thread make a call; '*ret_result' becomes its result. */
static int inject(const struct waiting *waiting, const thread_registers *saved,
		  const struct thread_made_call *call, long *ret_result)
{
	thread_registers at = *saved;
	int ret;

	thread_registers_set_call(&at, waiting->end, call);
	ret = thread_registers_set(waiting->tid, &at);
	for (int stop = 0; ret == 0 && stop < 2; stop++) {	/* on its way in, and out */
		if (ptrace(PTRACE_SYSCALL, waiting->tid, 0, 0) < 0)
			return -errno;
		/* The thread may have to wait for a file system that it serves itself. */
		turn_outside_begin();
		ret = wait_for_stop(waiting->tid, true);
		turn_outside_end();
	}
	if (ret == 0)
		ret = thread_registers_get(waiting->tid, &at);
	if (ret == 0)
		*ret_result = thread_registers_result(&at);
	return ret;
}

/*
 * All of them, in a thread that is stopped. If a signal has taken it out of its own call, that is
 * as it was, and comes again.
 */
static int inject_all(const struct waiting *waiting)
{
	long result = -EINTR, ignored;
	thread_registers saved;
	int ret = thread_registers_get(waiting->tid, &saved);
	const bool is_in_call = ret == 0 && thread_registers_are_at(&saved, waiting->end);

	for (size_t i = 0; ret == 0 && i < waiting->count; i++)
		ret = inject(waiting, &saved, &waiting->calls[i], i == 0 ? &result : &ignored);
	if (is_in_call)
		thread_registers_set_result(&saved, waiting->end, result);
	return ret < 0 ? ret : thread_registers_set(waiting->tid, &saved);
}

/* The kernel's sigset_t has 64 bits. */
static int make_calls(const struct waiting *waiting)
{
	uint64_t all = UINT64_MAX, before;
	int ret;

	if (ptrace(PTRACE_GETSIGMASK, waiting->tid, sizeof(before), &before) < 0 ||
	    ptrace(PTRACE_SETSIGMASK, waiting->tid, sizeof(all), &all) < 0)
		return -errno;
	ret = inject_all(waiting);
	ptrace(PTRACE_SETSIGMASK, waiting->tid, sizeof(before), &before);
	return ret;
}

/* ---- all ---- */

int thread_inject_begin(const struct seccomp_notif *call)
{
	return ptrace(PTRACE_SEIZE, (pid_t)call->pid, 0, PTRACE_O_TRACESYSGOOD) < 0 ? -errno : 0;
}

void thread_inject_end(struct listener *listener, const struct seccomp_notif *call, long answer,
		       const struct thread_made_call *calls, size_t count)
{
	const struct waiting waiting = {
		.tid = (pid_t)call->pid, .end = call->data.instruction_pointer,
		.calls = calls, .count = count,
	};
	int ret;

	/*
	 * Before the answer, or the thread could wait for another one instead of stopping. Where
	 * signals end such a wait, this does so as well, and the call stays without an answer; the
	 * thread gets its result below all the same.
	 */
	ptrace(PTRACE_INTERRUPT, waiting.tid, 0, 0);
	listener_answer(listener, call, answer);
	ret = wait_for_stop(waiting.tid, false);
	if (ret == 0 && count > 0)
		ret = make_calls(&waiting);
	if (ptrace(PTRACE_DETACH, waiting.tid, 0, 0) < 0 || ret < 0)
		thread_reap(waiting.tid);
}

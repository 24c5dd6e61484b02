/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-trace.h. */
#include <elf.h>
#include <errno.h>
#include <linux/ptrace.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-process.h"
#include "lib/stand-in/foreign-stat.h"
#include "lib/stand-in/foreign-trace.h"

typedef struct user_regs_struct registers;

#if defined(__x86_64__)
static long *result_in(registers *at)
{
	return (long *)(void *)&at->rax;
}

/* Back to the instruction that makes a call, with another one; nothing is repeated. */
static void set_call(registers *at, long number)
{
	at->rip -= 2;
	at->rax = (unsigned long)number;
	at->orig_rax = (unsigned long)-1;
}

static void repeat_nothing(registers *at)
{
	at->orig_rax = (unsigned long)-1;
}
#else
static long *result_in(registers *at)
{
	return (long *)(void *)&at->regs[0];
}

static void set_call(registers *at, long number)
{
	at->pc -= 4;
	at->regs[8] = (unsigned long)number;
}

static void repeat_nothing(registers *at)
{
	(void)at;
}
#endif

static long trace(long request, pid_t tid, unsigned long at, const void *data)
{
	return CALL_4(SYS_ptrace, request, tid, at, data);
}

static long get_registers(pid_t tid, registers *ret)
{
	struct iovec part = { ret, sizeof(*ret) };

	return trace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &part);
}

static long set_registers(pid_t tid, registers *from)
{
	struct iovec part = { from, sizeof(*from) };

	return trace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &part);
}

/* ---- stops ---- */

/*
 * The kernel tells a tracer of each stop by SIGCHLD, as it does a parent. It is no child's: the
 * program would get it, and whatever waits in it end, or not, as the kernel finds the moment.
 * Where there is no handler, stops never send it: to change that would take back a SIGCHLD that
 * waits because it is blocked.
 */
void foreign_trace_changed(void)
{
	struct sigaction action;

	if (sigaction(SIGCHLD, NULL, &action) < 0 || !(action.sa_flags & SA_SIGINFO))
		return;		/* no handler of ours */
	action.sa_flags &= ~SA_NOCLDSTOP;
	if (foreign.seized)
		action.sa_flags |= SA_NOCLDSTOP;
	sigaction(SIGCHLD, &action, NULL);
}

int foreign_trace_begin(unsigned long options)
{
	long ret = trace(PTRACE_SEIZE, foreign_self->tid, 0, (const void *)options);

	if (ret < 0 && foreign_stat_has_ended(foreign_self->tid))
		return -ESRCH;
	if (ret < 0) {
		dprintf(2, "umadrig: a program that makes its system calls past libc cannot start "
			"another thread or program in virtual time: it may not be traced (%s)\n",
			strerror((int)-ret));
		return (int)ret;
	}
	foreign_self->is_seized = true;
	foreign.seized++;
	foreign_trace_changed();
	return 0;
}

void foreign_trace_interrupt(void)
{
	trace(PTRACE_INTERRUPT, foreign_self->tid, 0, NULL);
}

/* The event of the next stop that is none of a signal's, of a thread that this one traces. */
static int wait_for(idtype_t which, pid_t tid)
{
	for (;;) {
		siginfo_t info;
		/* (Only stops: the status of one that ends is its parent's.) */
		long ret = CALL_5(SYS_waitid, which, tid, &info,
				  WSTOPPED | __WALL | __WNOTHREAD, NULL);

		if (ret == -EINTR)
			continue;
		if (ret < 0)
			return (int)ret;
		if (info.si_status >> 8)
			return info.si_status >> 8;
		trace(PTRACE_CONT, info.si_pid, 0, (const void *)(long)info.si_status);
	}
}

/* Its status is its parent's; one that is not the first of its process has none. */
static int note_end(void)
{
	siginfo_t info;

	if (foreign_self->tid != foreign.pid)
		CALL_5(SYS_waitid, P_PID, foreign_self->tid, &info,
		       WEXITED | WNOHANG | __WALL | __WNOTHREAD, NULL);
	return -ESRCH;
}

/*
 * Until foreign_self stops or makes a call, which takes microseconds. 0: a call; -ESRCH: it has
 * ended; else what stopped it, the signal or, above the lower byte, the event.
 */
static int await_stop_or_call(void)
{
	const struct timespec at_once = { .tv_sec = 0 };
	struct pollfd call = { .fd = foreign.listener, .events = POLLIN };

	for (;;) {
		siginfo_t info = { .si_pid = 0 };

		if (CALL_5(SYS_waitid, P_PID, foreign_self->tid, &info,
			   WSTOPPED | WEXITED | WNOHANG | WNOWAIT | __WALL, NULL) < 0)
			return -ESRCH;
		if (info.si_pid != 0 && info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED)
			return note_end();
		if (info.si_pid != 0)
			return info.si_status;
		if (CALL_5(SYS_ppoll, &call, 1, &at_once, NULL, 8) > 0)
			return 0;
		CALL_0(SYS_sched_yield);
	}
}

int foreign_trace_wait(void)
{
	return wait_for(P_PID, foreign_self->tid);
}

int foreign_trace_wait_program(void)
{
	int event = wait_for(P_ALL, 0);

	if (event == PTRACE_EVENT_EXEC)
		foreign_self->tid = foreign.pid;
	return event;
}

int foreign_trace_wait_or_call(void)
{
	int what = await_stop_or_call();

	return what > 0 ? wait_for(P_PID, foreign_self->tid) : what;
}

void foreign_trace_go_on(void)
{
	trace(PTRACE_CONT, foreign_self->tid, 0, NULL);
}

static void is_traced_no_more(void)
{
	foreign_self->is_seized = false;
	foreign.seized--;
	foreign_trace_changed();
}

static void detach(int sig)
{
	trace(PTRACE_DETACH, foreign_self->tid, 0, (const void *)(long)sig);
	is_traced_no_more();
}

/* Is this signal to come to it, or ('flags') to its process, whichever thread is to take it? */
static bool is_queued(int sig, uint32_t flags)
{
	struct ptrace_peeksiginfo_args from = { .flags = flags, .nr = 8 };
	siginfo_t infos[8] = { { .si_signo = 0 } };
	long n;

	do {
		n = trace(PTRACE_PEEKSIGINFO, foreign_self->tid, (unsigned long)&from, infos);
		for (long i = 0; i < n; i++) {
			if (infos[i].si_signo == sig)
				return true;
		}
		from.off += 8;
	} while (n == 8);
	return false;
}

static bool is_any_pending(const struct foreign_told *told)
{
	for (unsigned int i = 0; i < told->count; i++) {
		if (is_queued(told->info[i].si_signo, PTRACE_PEEKSIGINFO_SHARED) ||
		    is_queued(told->info[i].si_signo, 0))
			return true;
	}
	return false;
}

/* It has stopped to take this signal: whose sender was told, it sees so. */
static void set_info(struct foreign_told *told, int sig)
{
	for (unsigned int i = 0; i < told->count; i++) {
		if (told->info[i].si_signo != sig)
			continue;
		trace(PTRACE_SETSIGINFO, foreign_self->tid, 0, &told->info[i]);
		told->count--;
		memmove(&told->info[i], &told->info[i + 1],
			(told->count - i) * sizeof(told->info[i]));
		return;
	}
}

void foreign_trace_take_signals(struct foreign_told *told)
{
	for (;;) {
		int what = await_stop_or_call(), sig = what >> 8 ? 0 : what;

		if (what == 0) {	/* it blocks what is left */
			foreign_self->is_traced = true;
			return;
		}
		if (what < 0) {
			is_traced_no_more();
			return;
		}
		if (sig)
			set_info(told, sig);
		if (!is_any_pending(told)) {
			detach(sig);
			return;
		}
		trace(PTRACE_CONT, foreign_self->tid, 0, (const void *)(long)sig);
	}
}

void foreign_trace_end(void)
{
	struct foreign_told told = foreign_told;

	foreign_told.count = 0;
	if (is_any_pending(&told)) {
		foreign_trace_go_on();
		foreign_trace_take_signals(&told);
	} else {
		detach(0);
	}
}

pid_t foreign_trace_message(void)
{
	unsigned long message = 0;

	trace(PTRACE_GETEVENTMSG, foreign_self->tid, 0, &message);
	return (pid_t)message;
}

void foreign_trace_set_result(long result)
{
	registers at;

	if (get_registers(foreign_self->tid, &at) < 0)
		return;
	*result_in(&at) = result;
	repeat_nothing(&at);
	set_registers(foreign_self->tid, &at);
}

long foreign_trace_make_call(long result)
{
	registers at;

	if (foreign_trace_begin(0) < 0)
		return result;
	foreign_trace_interrupt();
	foreign_call_go_on();
	if (foreign_trace_wait() > 0 && get_registers(foreign_self->tid, &at) == 0 &&
	    *result_in(&at) >= 0)
		foreign_trace_set_result(result);
	foreign_trace_end();
	return CALL_ANSWERED;
}

int foreign_trace_release_new(pid_t tid)
{
	registers at;
	long ret = wait_for(P_PID, tid);

	if (ret >= 0)
		ret = get_registers(tid, &at);
	if (ret < 0)
		return (int)ret;
	set_call(&at, CALL_BIRTH);
	ret = set_registers(tid, &at);
	trace(PTRACE_DETACH, tid, 0, NULL);
	return (int)ret;
}

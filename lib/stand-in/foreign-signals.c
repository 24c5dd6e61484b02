/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-signals.h. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/lockstep/kernel-signals.h"
#include "lib/lockstep/proc-file.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-children.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-end.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-signals.h"
#include "lib/stand-in/foreign-trace.h"
#include "lib/words/number.h"

enum { SIGNALS = 64 };

/* signal(7): what is done where the program has said nothing. */
static bool is_ignored_by_default(int sig)
{
	return sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
}

static bool stops_by_default(int sig)
{
	return sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

static uint64_t shows_sender;		/* signals whose handlers get a siginfo_t: bit SIGNAL - 1 */

/* ---- passing on ---- */

/* This thread's foreign one takes the signal when it has its answer, see foreign-answer.h. */
static void tell(const siginfo_t *info)
{
	if (shows_sender >> (info->si_signo - 1) & 1 && foreign_told.count < FOREIGN_TOLD)
		foreign_told.info[foreign_told.count++] = *info;
}

/* The kernel tells some thread of the process; the session has chosen this one. */
static void tell_of_child(const siginfo_t *info)
{
	/* The foreign process is a child of this one, which the session has no number of. */
	if (info->si_code > 0 && info->si_pid == 0)
		return;
	CALL_2(SYS_kill, foreign.pid, SIGCHLD);
	tell(info);
}

/* Only what a process sends may be passed on with its siginfo_t; else the kernel makes one. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (!foreign_self)
		return;
	if (sig == SIGCHLD) {	/* the kernel may have sent one already: they are one */
		tell_of_child(info);
	} else if (info->si_code < 0 && info->si_code != SI_TKILL) {
		CALL_4(SYS_rt_tgsigqueueinfo, foreign.pid, foreign_self->tid, sig, info);
	} else {
		CALL_3(SYS_tgkill, foreign.pid, foreign_self->tid, sig);
		tell(info);
	}
	errno = saved;
}

/* One thread of the program to another: the session, which translates others, has not seen it. */
static void pass_on_of_libc(int sig, siginfo_t *info, void *context)
{
	if (foreign_end_has_come())	/* the session has found it out */
		foreign_end_process();
	if (info->si_code == SI_TKILL)
		info->si_pid = getpid();
	pass_on(sig, info, context);
}

static void set_action(int sig, uint64_t handler)
{
	struct sigaction action = { .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP };

	if (sig == SIGKILL || sig == SIGSTOP || signal_is_of_libc(sig))
		return;
	/* An error of this program's own is not the foreign one's: the kernel sends those to it. */
	if (signal_is_of_error(sig))
		return;
	if (handler == KERNEL_SIG_IGN) {
		action.sa_handler = SIG_IGN;
	} else if (handler != KERNEL_SIG_DFL ||
		   !(is_ignored_by_default(sig) || stops_by_default(sig))) {
		action.sa_sigaction = pass_on;
		action.sa_flags = SA_SIGINFO;
		sigfillset(&action.sa_mask);
	}
	sigaction(sig, &action, NULL);
	if (sig == SIGCHLD)
		foreign_trace_changed();
}

static void keep_ignored(int sig)
{
	struct sigaction old;

	if (sigaction(sig, NULL, &old) == 0)
		set_action(sig, old.sa_handler == SIG_IGN ? KERNEL_SIG_IGN : KERNEL_SIG_DFL);
}

/*
 * libc keeps these for itself, and refuses them: but in this process no thread is cancelled, and
 * none changes its user. The kernel's action is made of that of another signal.
 */
void foreign_signals_take_from_libc(void)
{
	struct kernel_action action;

	if (CALL_4(SYS_rt_sigaction, SIGUSR1, NULL, &action, sizeof(action.mask)) < 0)
		return;
	action.handler = (uint64_t)(uintptr_t)pass_on_of_libc;
	action.flags |= SA_SIGINFO;
	action.mask = ~UINT64_C(0);
	CALL_4(SYS_rt_sigaction, SIGNAL_CANCEL, &action, NULL, sizeof(action.mask));
	CALL_4(SYS_rt_sigaction, SIGNAL_SETXID, &action, NULL, sizeof(action.mask));
}

void foreign_signals_begin(void)
{
	shows_sender = 0;
	for (int sig = 1; sig <= SIGNALS; sig++)
		keep_ignored(sig);
	foreign_signals_take_from_libc();
}

/* ---- what the program says of them ---- */

long foreign_signals_action(void)
{
	struct kernel_action action;
	int sig = (int)foreign_argument(0);

	if (sig >= 1 && sig <= SIGNALS && foreign_argument(1) &&
	    foreign_memory_get(foreign_argument(1), &action, sizeof(action)) == 0) {
		set_action(sig, action.handler);
		shows_sender &= ~(UINT64_C(1) << (sig - 1));
		if (action.handler > KERNEL_SIG_IGN && action.flags & SA_SIGINFO)
			shows_sender |= UINT64_C(1) << (sig - 1);
	}
	return CALL_GOES_ON;
}

static void to_set(uint64_t bits, sigset_t *ret)
{
	sigemptyset(ret);
	for (int sig = 1; sig <= SIGNALS; sig++) {
		if (bits >> (sig - 1) & 1)
			sigaddset(ret, sig);
	}
}

const sigset_t *foreign_signals_get_set(uint64_t at, sigset_t *buf)
{
	uint64_t bits;

	if (!at || foreign_memory_get(at, &bits, sizeof(bits)) < 0)
		return NULL;
	to_set(bits, buf);
	return buf;
}

long foreign_signals_mask(void)
{
	sigset_t set;

	if (foreign_signals_get_set(foreign_argument(1), &set))
		pthread_sigmask((int)foreign_argument(0), &set, NULL);
	return CALL_GOES_ON;
}

/* What has come waits here. */
long foreign_signals_pending(void)
{
	uint64_t pending = 0, size = foreign_argument(1);

	if (size > sizeof(pending))
		return -EINVAL;
	CALL_2(SYS_rt_sigpending, &pending, sizeof(pending));
	return foreign_call_with(0, foreign_argument(0), &pending, size);
}

/* ---- waiting for them ---- */

/* What has come here has been passed on: the kernel ends the call by it. */
long foreign_signals_suspend(void)
{
	sigset_t set;

	if (foreign_signals_get_set(foreign_argument(0), &set))
		sigsuspend(&set);
	return CALL_GOES_ON;
}

long foreign_signals_pause(void)
{
	pause();
	return CALL_GOES_ON;
}

/*
 * libc's own wait in the foreign program (pass_on_of_libc): with one a timer's thread learns that
 * it is due. Is one of the set there for this thread?
 */
static bool waits_there(void)
{
	const uint64_t of_libc = UINT64_C(1) << (SIGNAL_CANCEL - 1) |
				 UINT64_C(1) << (SIGNAL_SETXID - 1);
	char path[64], status[4096];
	uint64_t set = 0, pending = 0;

	if (foreign_memory_get(foreign_argument(0), &set, sizeof(set)) < 0 || !(set & of_libc))
		return false;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", foreign.pid, foreign_self->tid);
	proc_file_read(path, status, sizeof(status));
	return number_after(status, "\nSigPnd:", 16, &pending) == 0 && pending & set & of_libc;
}

long foreign_signals_timed_wait(void)
{
	struct timespec timeout;
	siginfo_t info;
	sigset_t set;
	int ret;

	if (!foreign_signals_get_set(foreign_argument(0), &set) ||
	    (foreign_argument(2) &&
	     foreign_memory_get(foreign_argument(2), &timeout, sizeof(timeout)) < 0))
		return -EFAULT;
	if (waits_there())
		return CALL_GOES_ON;
	memset(&info, 0, sizeof(info));
	ret = foreign_argument(2) ? sigtimedwait(&set, &info, &timeout) : sigwaitinfo(&set, &info);
	if (ret < 0 && errno == EINTR && waits_there())
		return CALL_GOES_ON;
	if (ret > 0 && foreign_argument(1) &&
	    foreign_memory_put(foreign_argument(1), &info, sizeof(info)) < 0)
		return -EFAULT;
	return foreign_call_result(ret);
}

/* ---- sending them ---- */

/*
 * By SIGKILL both end, the foreign one first. Signals of errors would end this process alone: they
 * are for the thread that sends them, to its own process. False: it is another signal, or process.
 */
static bool takes_own(int pid, int sig, int code)
{
	const siginfo_t info = { .si_signo = sig, .si_code = code, .si_pid = getpid(),
				 .si_uid = getuid() };

	if (pid != getpid() || (sig != SIGKILL && !signal_is_of_error(sig)))
		return false;
	CALL_3(SYS_tgkill, foreign.pid, sig == SIGKILL ? foreign.pid : foreign_self->tid, sig);
	if (sig == SIGKILL)
		foreign_end_process();
	foreign.sent_error = sig;
	tell(&info);
	return true;
}

long foreign_signals_kill(void)
{
	int pid = (int)foreign_argument(0), sig = (int)foreign_argument(1);

	return takes_own(pid, sig, SI_USER) ? 0 : foreign_call_result(kill(pid, sig));
}

long foreign_signals_tgkill(void)
{
	int pid = (int)foreign_argument(0), tid = (int)foreign_argument(1);
	int sig = (int)foreign_argument(2);

	if ((tid == gettid() || sig == SIGKILL) && takes_own(pid, sig, SI_TKILL))
		return 0;
	return foreign_call_result(tgkill(pid, tid, sig));
}

long foreign_signals_tkill(void)
{
	int tid = (int)foreign_argument(0), sig = (int)foreign_argument(1);

	if (tid == gettid() && takes_own(getpid(), sig, SI_TKILL))
		return 0;
	return foreign_call_result(tgkill(getpid(), tid, sig));
}

static bool get_info(uint64_t at, siginfo_t *ret)
{
	return foreign_memory_get(at, ret, sizeof(*ret)) == 0;
}

long foreign_signals_queue(void)
{
	siginfo_t info;

	if (!get_info(foreign_argument(2), &info))
		return -EFAULT;
	return foreign_call_result(syscall(SYS_rt_sigqueueinfo, foreign_argument(0),
					   foreign_argument(1), &info));
}

long foreign_signals_queue_thread(void)
{
	siginfo_t info;

	if (!get_info(foreign_argument(3), &info))
		return -EFAULT;
	return foreign_call_result(syscall(SYS_rt_tgsigqueueinfo, foreign_argument(0),
					   foreign_argument(1), foreign_argument(2), &info));
}

long foreign_signals_pidfd(void)
{
	struct foreign_descriptor descriptor;
	siginfo_t info;
	int sig = (int)foreign_argument(1), child;
	long ret;

	if (foreign_argument(2) && !get_info(foreign_argument(2), &info))
		return -EFAULT;
	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	child = foreign_children_of_pidfd(descriptor.fd);
	if (child && foreign_argument(2))
		ret = syscall(SYS_rt_sigqueueinfo, child, sig, &info);
	else if (child)
		ret = kill(child, sig);
	else
		ret = syscall(SYS_pidfd_send_signal, descriptor.fd, sig,
			      foreign_argument(2) ? &info : NULL, foreign_argument(3));
	foreign_descriptor_put(&descriptor);
	return foreign_call_result(ret);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a signal says of its sender: see lib/lockstep/signal-senders.h.
 *
 * The handler that the kernel calls is ours where the program's has SA_SIGINFO.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "lib/lockstep/crash.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/signal-senders.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/timers.h"

enum { SIGNALS = 65 };

/* ---- what it says ---- */

/* In these the kernel says which process it was. What sigqueue(3) sends has our number. */
static bool has_kernel_number(int sig, int code)
{
	return code == SI_USER || code == SI_TKILL || code == SI_MESGQ ||
	       (sig == SIGCHLD && code > 0 && code != SI_KERNEL);
}

static bool is_alarm(int code, int timer)
{
	return code == SI_TIMER && timer == SIGNAL_SENDERS_ALARM;
}

void signal_senders_translate(siginfo_t *info)
{
	int sig = info->si_signo;

	if (is_alarm(info->si_code, info->si_timerid)) {
		memset(info, 0, sizeof(*info));
		info->si_signo = sig;
		info->si_code = SI_KERNEL;
	} else if (info->si_code == SI_TIMER) {
		info->si_overrun = timers_overrun(info->si_timerid);
	} else if (has_kernel_number(sig, info->si_code)) {
		info->si_pid = processes_sender(info->si_pid);
		if (sig == SIGCHLD)	/* as getrusage(2) has it: the machine's are nobody's */
			info->si_utime = info->si_stime = 0;
	}
}

/* ---- signalfd ---- */

#define SIGNAL_FILE "anon_inode:[signalfd]"

/*
 * Of files nobody has to ask further. None of what is looked at is on the stack: inodes differ from
 * run to run, and programs send what is left there (turn.c).
 */
static bool is_signal_file(int fd)
{
	static SESSION_THREAD struct stat st;
	static SESSION_THREAD char path[64], name[sizeof(SIGNAL_FILE)];

	if (CALL_2(SYS_fstat, fd, &st) < 0 || (st.st_mode & S_IFMT) != 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return CALL_4(SYS_readlinkat, AT_FDCWD, path, name, sizeof(name)) ==
		       sizeof(SIGNAL_FILE) - 1 &&
	       memcmp(name, SIGNAL_FILE, sizeof(SIGNAL_FILE) - 1) == 0;
}

/* To the parts, or from them. */
static void copy(const struct iovec *parts, int count, size_t at, char *bytes, size_t size,
		 bool is_to)
{
	for (int i = 0; i < count && size > 0; i++) {
		size_t n;

		if (at >= parts[i].iov_len) {
			at -= parts[i].iov_len;
			continue;
		}
		n = parts[i].iov_len - at < size ? parts[i].iov_len - at : size;
		if (is_to)
			memcpy((char *)parts[i].iov_base + at, bytes, n);
		else
			memcpy(bytes, (char *)parts[i].iov_base + at, n);
		bytes += n;
		size -= n;
		at = 0;
	}
}

static void translate_record(struct signalfd_siginfo *info)
{
	if (is_alarm(info->ssi_code, (int)info->ssi_tid)) {
		*info = (struct signalfd_siginfo){
			.ssi_signo = info->ssi_signo, .ssi_code = SI_KERNEL,
		};
	} else if (info->ssi_code == SI_TIMER) {
		info->ssi_overrun = (uint32_t)timers_overrun((int)info->ssi_tid);
	} else if (has_kernel_number((int)info->ssi_signo, info->ssi_code)) {
		info->ssi_pid = (uint32_t)processes_sender((int)info->ssi_pid);
		if (info->ssi_signo == SIGCHLD)
			info->ssi_utime = info->ssi_stime = 0;
	}
}

void signal_senders_translate_file(int fd, const struct iovec *parts, int count, size_t size)
{
	struct signalfd_siginfo record;

	if (size == 0 || size % sizeof(record) || !session_is_on() || !is_signal_file(fd))
		return;
	for (size_t at = 0; at < size; at += sizeof(record)) {
		copy(parts, count, at, (char *)&record, sizeof(record), false);
		translate_record(&record);
		copy(parts, count, at, (char *)&record, sizeof(record), true);
	}
}

/* ---- handlers ---- */

typedef void action_fn(int sig, siginfo_t *info, void *context);

/* The program's, where the kernel has ours. */
static action_fn *actions[SIGNALS];

static void handle(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	if (session_is_on())
		signal_senders_translate(info);
	errno = saved;
	actions[sig](sig, info, context);
}

/*
 * Their handlers may be called at any instruction, on whatever is left of a stack, and mostly have
 * no sender. SIGSYS is the audit's.
 */
static bool is_fault(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL ||
	       sig == SIGTRAP || sig == SIGSYS;
}

NEXT_DECLARE(sigaction);

/* What crash.h has for the usual action is not seen. */
static int set_for_fault(int sig, const struct sigaction *new, struct sigaction *old)
{
	struct sigaction own;
	int r;

	if (new && new->sa_handler == SIG_DFL && crash_action(sig, &own))
		new = &own;
	r = NEXT(sigaction)(sig, new, old);
	if (r == 0 && old && crash_is_action((const void *)old->sa_sigaction))
		*old = (struct sigaction){ .sa_handler = SIG_DFL };
	return r;
}

PUBLIC int sigaction(int sig, const struct sigaction *restrict new,
		     struct sigaction *restrict old)
{
	action_fn *before;
	struct sigaction own;
	int r;

	if (!lockstep || sig <= 0 || sig >= SIGNALS)
		return NEXT(sigaction)(sig, new, old);
	if (is_fault(sig))
		return set_for_fault(sig, new, old);
	before = actions[sig];
	if (new && (new->sa_flags & SA_SIGINFO) && new->sa_handler != SIG_DFL &&
	    new->sa_handler != SIG_IGN) {
		own = *new;
		actions[sig] = new->sa_sigaction;
		own.sa_sigaction = handle;
		new = &own;
	}
	r = NEXT(sigaction)(sig, new, old);
	if (r < 0)
		actions[sig] = before;
	else if (old && old->sa_sigaction == handle)
		old->sa_sigaction = before;
	return r;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * syscall(2): calls by their numbers, which programs make where libc has no function, or had none.
 * What the library has a function for is that function's; data/calls.toml has all calls.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/klog.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/futexes.h"
#include "lib/lockstep/hooks.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/proc-names.h"
#include "lib/lockstep/refusals.h"
#include "lib/lockstep/signals.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"
#include "lib/lockstep/thread-signals.h"

/* ---- functions with the arguments of the call ---- */

typedef int int_fn(long, long, long, long, long, long);
typedef long long_fn(long, long, long, long, long, long);

/*
 * Both processors pass six such arguments in registers, and functions look at those that they have.
 * (An int leaves the upper half of its register as it is.) The stat family is not among them: so
 * libumadraw asks the kernel of descriptors.
 */
static const struct function {
	long number;
	const char *name;	/* of a hook; or it is 'to', which may be libumadraw's: */
	void (*to)(void);
	bool is_long;
} functions[] = {
#define INT(name) { SYS_##name, #name, (void (*)(void))name, false }
#define LONG(name) { SYS_##name, #name, (void (*)(void))name, true }
	LONG(read), LONG(write), LONG(readv), LONG(writev), LONG(recvfrom), LONG(sendto),
	LONG(recvmsg), LONG(sendmsg), INT(recvmmsg), INT(sendmmsg), INT(connect),
	INT(accept), INT(accept4), INT(bind), INT(listen), INT(getsockname), INT(getpeername),
	LONG(sendfile), LONG(splice), LONG(tee), LONG(vmsplice),
	INT(clock_gettime), INT(gettimeofday), LONG(times), INT(clock_settime), INT(settimeofday),
	INT(clock_adjtime), INT(adjtimex), INT(nanosleep), INT(sched_yield),
	INT(epoll_pwait), INT(semop), INT(semtimedop), INT(msgsnd), LONG(msgrcv), INT(wait4),
	INT(execve), INT(kill), INT(pidfd_send_signal), INT(tgkill), INT(openat), INT(flock),
	INT(fcntl), INT(getpid), INT(getppid), INT(gettid), INT(getpgid), INT(setpgid), INT(getsid),
	INT(setsid), INT(pidfd_open), INT(capget), INT(capset), INT(setitimer), INT(getitimer),
	INT(timerfd_create), INT(timerfd_settime), INT(timerfd_gettime), INT(statx),
	INT(mknodat), INT(mkdirat), INT(symlinkat), INT(truncate), INT(ftruncate), INT(utimensat),
	LONG(copy_file_range), LONG(getrandom), INT(getrusage), INT(sysinfo), INT(getcpu),
	INT(setpriority), INT(sched_setscheduler), INT(sched_getscheduler), INT(sched_setparam),
	INT(sched_getparam), INT(sched_setaffinity), LONG(pwritev),
	{ SYS_pwrite64, "pwrite", (void (*)(void))pwrite, true },
	{ SYS_syslog, "", (void (*)(void))klogctl, false },
	INT(mq_timedsend), LONG(mq_timedreceive), LONG(readlinkat), LONG(getdents64), INT(chdir),
	{ SYS_socket, "", (void (*)(void))socket, false },
	{ SYS_rt_sigqueueinfo, "", (void (*)(void))signals_queue, false },
	{ SYS_rt_tgsigqueueinfo, "", (void (*)(void))thread_signals_queue, false },
	{ SYS_exit_group, "_exit", (void (*)(void))_exit, false },
#if defined(__x86_64__)
	INT(poll), INT(select), INT(epoll_wait), LONG(time), INT(fork), INT(pause), INT(open),
	INT(creat), INT(getpgrp), INT(alarm), INT(mknod), INT(mkdir),
	INT(symlink), INT(futimesat), INT(utimes), INT(utime), LONG(readlink), INT(access),
	{ SYS_vfork, "fork", (void (*)(void))fork, false },
#endif
#undef INT
#undef LONG
};

enum { FUNCTIONS = sizeof(functions) / sizeof(*functions), NUMBERS = 512 };

/*
 * What answers a call of that number, if it is a function. Its own: what libumadraw has in front of
 * libc makes calls by their numbers itself.
 */
static const struct function *find_function(long number)
{
	static struct function found[NUMBERS];
	static bool is_filled;

	for (size_t i = 0; !is_filled && i < FUNCTIONS; i++) {
		struct function *to = &found[functions[i].number];
		void *hook = hooks_function(functions[i].name);

		*to = functions[i];
		if (hook)
			memcpy(&to->to, &hook, sizeof(hook));
	}
	is_filled = true;
	return number >= 0 && number < NUMBERS && found[number].to ? &found[number] : NULL;
}

/* ---- calls with others ---- */

/* Namespaces that a child may be in, without other numbers of processes. */
#define CHILD_NAMESPACES \
	((uint64_t)CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUSER | \
	 CLONE_NEWUTS)

/* Could this process make them? 0, or -errno: by a child that is none of the session's. */
static long try_namespaces(uint64_t flags)
{
	long pid = CALL_5(SYS_clone, flags, 0, 0, 0, 0);

	if (pid == 0)
		session_exit(0);
	if (pid > 0)
		CALL_4(SYS_wait4, pid, NULL, __WALL, NULL);
	return pid > 0 ? 0 : pid;
}

static long fork_into_namespaces(uint64_t flags)
{
	long r = try_namespaces(flags);

	if (r < 0)
		return call_result(r);
	r = fork();
	if (r == 0 && CALL_1(SYS_unshare, flags) < 0)
		session_exit(LOCKSTEP_EXIT);
	return r;
}

/* Other children than fork's are the kernel's own: nobody would give them their turn. */
static long clone_as_fork(uint64_t flags, uint64_t stack)
{
	const uint64_t signal = flags & CSIGNAL, namespaces = flags & ~(uint64_t)CSIGNAL;

	if (flags == SIGCHLD && stack == 0)
		return fork();
	if (signal == SIGCHLD && stack == 0 && !(namespaces & ~CHILD_NAMESPACES))
		return fork_into_namespaces(namespaces);
	/* As for those who may not: programs then do without. */
	if (signal == SIGCHLD && stack == 0 && namespaces & CLONE_NEWPID &&
	    !(namespaces & ~(CHILD_NAMESPACES | CLONE_NEWPID)))
		return call_result(-EPERM);
	session_say("umadrig: virtual time has no clone with flags %#llx\n",
		    (unsigned long long)flags);
	return call_result(-ENOSYS);
}

/* As struct clone_args has it: flags, and others up to the signal and the stack. */
static long clone3_as_fork(const uint64_t *args)
{
	return clone_as_fork(args[0] | args[4], args[5]);
}

static long call_kernel(long number, const long *a)
{
	return call_result(system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

/* The kernel's set, which is shorter than libc's. NULL: there is none. */
static const sigset_t *set_at(long at, sigset_t *buf)
{
	if (!at)
		return NULL;
	sigemptyset(buf);
	memcpy(buf, (const void *)at, sizeof(uint64_t));
	return buf;
}

/* The kernel writes what is left of the time, which libc's functions hide. */
static long poll_with_rest(const long *a)
{
	const struct timespec *time = (const struct timespec *)a[2];
	sigset_t set;

	return ppoll((struct pollfd *)a[0], (nfds_t)a[1], time, set_at(a[3], &set));
}

static long select_with_set(const long *a)
{
	const long *set_and_size = (const long *)a[5];
	sigset_t set;

	return pselect((int)a[0], (fd_set *)a[1], (fd_set *)a[2], (fd_set *)a[3],
		       (const struct timespec *)a[4],
		       set_at(set_and_size ? set_and_size[0] : 0, &set));
}

static long wait_for_signal(const long *a)
{
	sigset_t set;

	return sigtimedwait(set_at(a[0], &set), (siginfo_t *)a[1], (const struct timespec *)a[2]);
}

/* So that none is negative: 40 to 1. */
static long get_priority(const long *a)
{
	int nice;

	errno = 0;
	nice = getpriority((__priority_which_t)a[0], (id_t)a[1]);
	return nice == -1 && errno ? -1 : 20 - nice;
}

/* How many bytes of the set the kernel has written. */
static long get_affinity(const long *a)
{
	return sched_getaffinity((pid_t)a[0], (size_t)a[1], (cpu_set_t *)a[2]) < 0 ? -1 :
	       (long)sizeof(long);
}

/* To the kernel a thread is a socket, at which somebody waits, and a cookie. */
static long notify(const long *a)
{
	const struct sigevent *event = (const struct sigevent *)a[1];

	if (event && event->sigev_notify == SIGEV_THREAD)
		return call_kernel(SYS_mq_notify, a);
	return mq_notify((mqd_t)a[0], event);
}

/* The kernel's timers would be in real time, and their numbers are others than libc's. */
static long refuse(const char *name)
{
	session_say("umadrig: virtual time has no %s by syscall(2)\n", name);
	return call_result(-ENOSYS);
}

static long call_with_others(long number, long *a)
{
	sigset_t set;
	long ret;

	switch (number) {
	case SYS_clock_nanosleep:
		return call_result(-clock_nanosleep((clockid_t)a[0], (int)a[1],
						    (const struct timespec *)a[2],
						    (struct timespec *)a[3]));
	case SYS_ppoll:
		return poll_with_rest(a);
	case SYS_pselect6:
		return select_with_set(a);
	case SYS_epoll_pwait2:
		return hooked_epoll_pwait2((int)a[0], (struct epoll_event *)a[1], (int)a[2],
					   (const struct timespec *)a[3], set_at(a[4], &set));
	case SYS_getpriority:
		return get_priority(a);
	case SYS_sched_getaffinity:
		return get_affinity(a);
	case SYS_rt_sigsuspend:
		return sigsuspend(set_at(a[0], &set));
	case SYS_rt_sigtimedwait:
		return wait_for_signal(a);
	case SYS_clone:
		return clone_as_fork((uint64_t)a[0], (uint64_t)a[1]);
	case SYS_clone3:
		return clone3_as_fork((const uint64_t *)a[0]);
	case SYS_mq_notify:
		return notify(a);
	case SYS_timer_create:
		return refuse("timer_create(2)");
	case SYS_faccessat:
		return hooked_faccessat((int)a[0], (const char *)a[1], (int)a[2], 0);
	case SYS_prctl:
		return hooked_prctl((int)a[0], (unsigned long)a[1], (unsigned long)a[2],
				    (unsigned long)a[3], (unsigned long)a[4]);
	case SYS_io_uring_setup:
	case SYS_io_setup:
	case SYS_ptrace:
	case SYS_seccomp:
		if (refusals_answer(number, a, &ret))
			return call_result(ret);
		break;
	}
	if (number == SYS_waitid && !a[4])
		return waitid((idtype_t)a[0], (id_t)a[1], (siginfo_t *)a[2], (int)a[3]);
	if (tasks_is_first_argument(number))
		a[0] = tasks_to_kernel((int)a[0]);
	return call_kernel(number, a);
}

static long call_in_session(long number, long *a)
{
	const struct function *function;

	if (number == SYS_futex)	/* by far the most */
		return call_result(futexes_call(a));
	function = find_function(number);
	if (!function)
		return call_with_others(number, a);
	return function->is_long ?
		       ((long_fn *)function->to)(a[0], a[1], a[2], a[3], a[4], a[5]) :
		       ((int_fn *)function->to)(a[0], a[1], a[2], a[3], a[4], a[5]);
}

PUBLIC long syscall(long number, ...)
{
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	return session_is_on() ? call_in_session(number, a) : call_kernel(number, a);
}

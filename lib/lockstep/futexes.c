/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * syscall(2), by which GLib, Rust and C++ make locks of their own out of futexes.
 */
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/klog.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/signals.h"
#include "lib/lockstep/shared.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"
#include "lib/lockstep/thread-signals.h"
#include "lib/lockstep/turn.h"

static long futex_wait(const uint32_t *at, int op, uint32_t value, const struct timespec *timeout)
{
	int64_t deadline = LOCKSTEP_NEVER;

	if (__atomic_load_n(at, __ATOMIC_SEQ_CST) != value) {
		looks_count(LOOK_AT_OTHERS);
		return -EAGAIN;
	}
	if (timeout && (op & FUTEX_CMD_MASK) == FUTEX_WAIT)
		deadline = turn_after(clocks_ns(timeout));
	else if (timeout)
		deadline = clocks_deadline(op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME :
					   CLOCK_MONOTONIC, timeout);
	switch (turn_wait(LOCKSTEP_FUTEX, shared_name(at, !(op & FUTEX_PRIVATE_FLAG)), deadline)) {
	case TURN_WOKEN:
		return 0;
	case TURN_TIMED_OUT:
		return -ETIMEDOUT;
	case TURN_INTERRUPTED:
	case TURN_RESTARTS:
		break;
	}
	return -EINTR;
}

static long futex_wake(const uint32_t *at, int op, uint32_t most)
{
	uint64_t name = shared_name_to_wake(LOCKSTEP_FUTEX, at, !(op & FUTEX_PRIVATE_FLAG));
	long n = 0;

	while (n < (long)most && turn_wake(LOCKSTEP_FUTEX, name, false) > 0)
		n++;
	return n;
}

static long futex(const long *a)
{
	const uint32_t *at = (const uint32_t *)a[0];
	int op = (int)a[1];

	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return futex_wait(at, op, (uint32_t)a[2], (const struct timespec *)a[3]);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return futex_wake(at, op, (uint32_t)a[2]);
	}
	session_say("umadrig: virtual time has no futex operation %d\n", op & FUTEX_CMD_MASK);
	return -ENOSYS;
}

/* Other children than fork's are the kernel's own: nobody would give them their turn. */
static long clone_as_fork(uint64_t flags, uint64_t stack)
{
	if (flags == SIGCHLD && stack == 0)
		return fork();
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

/* What has numbers of processes and threads, or something of the session's; else the kernel's. */
static long call_with_numbers(long number, long *a)
{
	switch (number) {
	case SYS_getrandom:
		return getrandom((void *)a[0], (size_t)a[1], (unsigned int)a[2]);
	case SYS_getpid:
		return getpid();
	case SYS_gettid:
		return gettid();
	case SYS_statx:
		return statx((int)a[0], (const char *)a[1], (int)a[2], (unsigned int)a[3],
			     (struct statx *)a[4]);
	case SYS_getppid:
		return getppid();
	case SYS_capget:
		return capget((cap_user_header_t)a[0], (cap_user_data_t)a[1]);
	case SYS_capset:
		return capset((cap_user_header_t)a[0], (cap_user_data_t)a[1]);
	case SYS_kill:
		return kill((pid_t)a[0], (int)a[1]);
	case SYS_pidfd_open:
		return pidfd_open((pid_t)a[0], (unsigned int)a[1]);
	case SYS_pidfd_send_signal:
		return pidfd_send_signal((int)a[0], (int)a[1], (siginfo_t *)a[2],
					 (unsigned int)a[3]);
	case SYS_rt_sigqueueinfo:
		return signals_queue((int)a[0], (int)a[1], (const siginfo_t *)a[2]);
	case SYS_rt_tgsigqueueinfo:
		return thread_signals_queue((int)a[0], (int)a[1], (int)a[2],
					    (const siginfo_t *)a[3]);
	case SYS_tgkill:
		return tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]);
	}
	if (tasks_is_first_argument(number))
		a[0] = tasks_to_kernel((int)a[0]);
	return call_kernel(number, a);
}

/* What takes time, or tells of time and the machine, or makes a process; and all others. */
static long call_in_session(long number, long *a)
{
	switch (number) {
	case SYS_futex:
		return call_result(futex(a));
	case SYS_clock_gettime:
		return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
	case SYS_gettimeofday:
		return gettimeofday((struct timeval *)a[0], (void *)a[1]);
	case SYS_nanosleep:
		return nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
	case SYS_clock_nanosleep:
		return call_result(-clock_nanosleep((clockid_t)a[0], (int)a[1],
						    (const struct timespec *)a[2],
						    (struct timespec *)a[3]));
	case SYS_sched_yield:
		return sched_yield();
	case SYS_getcpu:
		return getcpu((unsigned int *)a[0], (unsigned int *)a[1]);
	case SYS_getrusage:
		return getrusage((__rusage_who_t)a[0], (struct rusage *)a[1]);
	case SYS_syslog:
		return klogctl((int)a[0], (char *)a[1], (int)a[2]);
	case SYS_socket:
		return socket((int)a[0], (int)a[1], (int)a[2]);
	case SYS_sysinfo:
		return sysinfo((struct sysinfo *)a[0]);
	case SYS_clone:
		return clone_as_fork((uint64_t)a[0], (uint64_t)a[1]);
	case SYS_clone3:
		return clone3_as_fork((const uint64_t *)a[0]);
#ifdef SYS_fork
	case SYS_fork:
	case SYS_vfork:
		return fork();
	case SYS_time:
		return time((time_t *)a[0]);
#endif
	}
	return call_with_numbers(number, a);
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

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/refusals.h. */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/refusals.h"
#include "lib/lockstep/system-call.h"

/* Each has a bit in the table. */
enum refusal { REFUSAL_RING, REFUSAL_AIO, REFUSAL_TRACE, REFUSAL_FILTER };

static void say_once(enum refusal what)
{
	static const char *const texts[] = {
		[REFUSAL_RING] = "asks for a ring of io_uring(7), and gets ENOSYS: virtual time "
				 "does not see what goes through it",
		[REFUSAL_AIO] = "asks for asynchronous input and output (io_setup), and gets "
				"ENOSYS: virtual time does not see its ends",
		[REFUSAL_TRACE] = "wants to trace a program, and gets EPERM: a debugger would stop "
				  "it while it has the turn. Start it outside of the session, as "
				  "in 'strace -f umadrig exec ...'",
		[REFUSAL_FILTER] = "sets up a filter for its own system calls, and goes on without "
				   "it: the calls of virtual time would end it",
	};

	if (lockstep->refused & 1U << what)
		return;
	lockstep->refused |= 1U << what;
	session_say("umadrig: %u %s %s\n", lockstep_self->virtual_pid, lockstep_self->name,
		    texts[what]);
}

static long no_ring(void)
{
	say_once(REFUSAL_RING);
	return -ENOSYS;
}

static long no_aio(void)
{
	say_once(REFUSAL_AIO);
	return -ENOSYS;
}

static bool begins_to_trace(long request)
{
	return request == PTRACE_TRACEME || request == PTRACE_ATTACH || request == PTRACE_SEIZE;
}

static long no_trace(void)
{
	say_once(REFUSAL_TRACE);
	return -EPERM;
}

/* What a program asks by NULL is whether the kernel knows of filters. */
static long no_filter(const void *program)
{
	if (!program)
		return -EFAULT;
	say_once(REFUSAL_FILTER);
	return 0;
}

bool refusals_answer(long number, const long *a, long *ret)
{
	switch (number) {
	case SYS_io_uring_setup:
		*ret = no_ring();
		return true;
	case SYS_io_setup:
		*ret = no_aio();
		return true;
	case SYS_ptrace:
		if (!begins_to_trace(a[0]))
			return false;
		*ret = no_trace();
		return true;
	case SYS_seccomp:
		/* One who listens would wait for calls that are not stopped. */
		if (a[0] != SECCOMP_SET_MODE_FILTER)
			return false;
		*ret = a[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER ? -EINVAL :
								no_filter((const void *)a[2]);
		return true;
	}
	return false;
}

long hooked_ptrace(long request, long pid, void *at, void *data)
{
	long read = 0, r;

	if (session_is_on() && begins_to_trace(request))
		return call_result(no_trace());
	if (request < PTRACE_PEEKTEXT || request > PTRACE_PEEKUSER)
		return call_result(CALL_4(SYS_ptrace, request, pid, at, data));
	/* libc's returns what the kernel writes. */
	r = CALL_4(SYS_ptrace, request, pid, at, &read);
	if (r < 0)
		return call_result(r);
	errno = 0;
	return read;
}

int hooked_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	if (session_is_on() && option == PR_SET_SECCOMP && a == SECCOMP_MODE_FILTER)
		return (int)call_result(no_filter((const void *)b));
	return (int)call_result(CALL_5(SYS_prctl, option, a, b, c, d));
}

/* ---- liburing and libaio, which make their calls past libc, and return -errno ---- */

struct io_uring;
struct io_uring_params;

int io_uring_queue_init(unsigned int entries, struct io_uring *ring, unsigned int flags);
int io_uring_queue_init_params(unsigned int entries, struct io_uring *ring,
			       struct io_uring_params *params);
int io_uring_setup(unsigned int entries, struct io_uring_params *params);

struct aio_context;
int io_setup(int most, struct aio_context **ret);

NEXT_DECLARE(io_setup);
PUBLIC int io_setup(int most, struct aio_context **ret)
{
	return session_is_on() ? (int)no_aio() : NEXT(io_setup)(most, ret);
}

NEXT_DECLARE(io_uring_queue_init);
PUBLIC int io_uring_queue_init(unsigned int entries, struct io_uring *ring, unsigned int flags)
{
	return session_is_on() ? (int)no_ring() : NEXT(io_uring_queue_init)(entries, ring, flags);
}

NEXT_DECLARE(io_uring_queue_init_params);
PUBLIC int io_uring_queue_init_params(unsigned int entries, struct io_uring *ring,
				      struct io_uring_params *params)
{
	return session_is_on() ? (int)no_ring() :
				 NEXT(io_uring_queue_init_params)(entries, ring, params);
}

NEXT_DECLARE(io_uring_setup);
PUBLIC int io_uring_setup(unsigned int entries, struct io_uring_params *params)
{
	return session_is_on() ? (int)no_ring() : NEXT(io_uring_setup)(entries, params);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The audit: see lib/lockstep/audit.h. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "lib/lockstep/advance.h"
#include "lib/lockstep/audit.h"
#include "lib/lockstep/call-name.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/stand-ins.h"
#include "lib/lockstep/system-call.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2	/* si_code */
#endif
/* Newer than the headers of some systems; the numbers are the same everywhere. */
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

/* ---- which calls wait, tell the time, or make what takes no part ---- */

static bool is_stream(int fd)
{
	return descriptors_may_wait(fd) && !advance_leads_to_server(fd);
}

static bool is_fifo(int directory, const char *path, long flags)
{
	struct stat st;

	return !(flags & (O_NONBLOCK | O_PATH)) && (flags & O_ACCMODE) != O_RDWR &&
	       !advance_is_beside_server(path) &&
	       CALL_4(SYS_newfstatat, directory, path, &st, 0) == 0 && S_ISFIFO(st.st_mode);
}

/* Of a stream: datagrams have nobody to wait for. */
static bool connect_waits(int fd, const void *address, size_t address_size)
{
	int type = 0;
	socklen_t size = sizeof(type);

	return descriptors_may_wait(fd) && !advance_is_server(address, address_size) &&
	       CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       type != SOCK_DGRAM;
}

static bool futex_waits(long op)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
		return true;
	}
	return false;
}

static bool has_time(const struct timespec *timeout)
{
	return !timeout || timeout->tv_sec != 0 || timeout->tv_nsec != 0;
}

/* On descriptors. */
static bool waits_for_data(long number, const long *a)
{
	switch (number) {
	case SYS_read:
	case SYS_readv:
	case SYS_write:
	case SYS_writev:
	case SYS_accept:
	case SYS_accept4:
	case SYS_vmsplice:
	case SYS_sendfile:
		return is_stream((int)a[0]);
	case SYS_splice:
		return is_stream((int)a[0]) || is_stream((int)a[2]);
	case SYS_tee:
		return is_stream((int)a[0]) || is_stream((int)a[1]);
	case SYS_connect:
		return connect_waits((int)a[0], (const void *)a[1], (size_t)a[2]);
	case SYS_recvfrom:
	case SYS_sendto:
	case SYS_recvmmsg:
	case SYS_sendmmsg:
		return !(a[3] & MSG_DONTWAIT) && is_stream((int)a[0]);
	case SYS_recvmsg:
	case SYS_sendmsg:
		return !(a[2] & MSG_DONTWAIT) && is_stream((int)a[0]);
	case SYS_flock:
		return !(a[1] & (LOCK_NB | LOCK_UN));
	case SYS_fcntl:
		return a[1] == F_SETLKW || a[1] == F_OFD_SETLKW;
	case SYS_openat:
		return is_fifo((int)a[0], (const char *)a[1], a[2]);
#ifdef SYS_open
	case SYS_open:
		return is_fifo(AT_FDCWD, (const char *)a[0], a[1]);
	case SYS_poll:
		return a[2] != 0;
	case SYS_select:
		return !a[4] || ((const long *)a[4])[0] != 0 || ((const long *)a[4])[1] != 0;
	case SYS_epoll_wait:
		return a[3] != 0;
#endif
	case SYS_ppoll:
		return has_time((const struct timespec *)a[2]);
	case SYS_pselect6:
		return has_time((const struct timespec *)a[4]);
	case SYS_epoll_pwait:
		return a[3] != 0;
	case SYS_epoll_pwait2:
		return has_time((const struct timespec *)a[3]);
	}
	return false;
}

static bool is_past(long number, const long *a)
{
	switch (number) {
	case SYS_clock_gettime:
	case SYS_gettimeofday:
	case SYS_clock_settime:
	case SYS_settimeofday:
	case SYS_adjtimex:
	case SYS_clock_adjtime:
	case SYS_times:
	case SYS_getrusage:
	case SYS_getcpu:
	case SYS_sysinfo:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_setitimer:
	case SYS_getitimer:
	case SYS_timer_create:
	case SYS_timer_settime:
	case SYS_timer_gettime:
	case SYS_timerfd_create:
	case SYS_timerfd_settime:
	case SYS_timerfd_gettime:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_sched_yield:
	case SYS_mq_timedsend:
	case SYS_mq_timedreceive:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_io_getevents:
	case SYS_futex_waitv:
	case SYS_clone:
	case SYS_clone3:
#ifdef SYS_pause
	case SYS_fork:
	case SYS_vfork:
	case SYS_pause:
	case SYS_time:
	case SYS_alarm:
#endif
		return true;
	case SYS_futex:
		return futex_waits(a[1]);
	case SYS_wait4:
		return !(a[2] & WNOHANG);
	case SYS_waitid:
		return !(a[3] & WNOHANG);
	case SYS_msgsnd:
		return !(a[3] & IPC_NOWAIT);
	case SYS_msgrcv:
		return !(a[4] & IPC_NOWAIT);
	}
	return waits_for_data(number, a);
}

/* ---- findings ---- */

static struct lockstep_finding *find_or_add(long number, bool *ret_is_new)
{
	struct lockstep_finding *at;

	*ret_is_new = false;
	for (uint32_t i = 0; i < lockstep->findings; i++) {
		at = &lockstep->finding[i];
		if (at->call == number && at->ordinal == lockstep_self->ordinal &&
		    strcmp(at->program, lockstep_self->name) == 0)
			return at;
	}
	if (lockstep->findings == LOCKSTEP_FINDINGS)
		return NULL;
	*ret_is_new = true;
	at = &lockstep->finding[lockstep->findings++];
	at->call = number;
	at->ordinal = lockstep_self->ordinal;
	memcpy(at->program, lockstep_self->name, sizeof(at->program));
	return at;
}

/* Counts it. True: it is the first of its kind. */
static bool count_it(long number)
{
	bool is_new;
	struct lockstep_finding *finding = find_or_add(number, &is_new);

	if (finding)
		finding->count++;
	else
		lockstep->unlisted++;
	return is_new;
}

/* 'what' it does, and 'from' where. */
static void name_it(const char *what, uintptr_t from)
{
	Dl_info where = { .dli_fname = NULL };

	if (!dladdr((void *)from, &where) || !where.dli_fname)
		where = (Dl_info){ .dli_fname = "?" };
	session_say("umadrig: audit: %u.%u %s %s, which bypasses virtual time, at %s+%#lx, "
		    "%lld.%09lld s after the start\n",
		    lockstep_self->virtual_pid, lockstep_self->ordinal, lockstep_self->name,
		    what, where.dli_fname, (unsigned long)(from - (uintptr_t)where.dli_fbase),
		    (long long)(lockstep->now / NS_PER_SECOND),
		    (long long)(lockstep->now % NS_PER_SECOND));
}

/* 'from': the address after the instruction. */
static void note(long number, const long *a, uintptr_t from)
{
	char what[80];

	lockstep->audited++;
	if (!is_past(number, a) || !count_it(number))
		return;
	snprintf(what, sizeof(what), "makes the system call %s (%ld)", call_name(number), number);
	name_it(what, from);
}

#if defined(__x86_64__)

/* ---- calls that a handler has to make in another way ---- */

enum { SET_SIZE = 8, RESTORER = 0x04000000 };

/* As the kernel has it. */
struct kernel_action {
	void (*handler)(int sig, siginfo_t *info, void *context);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

/*
 * rt_sigreturn(2) from here, so that it does not come to the handler. Debuggers and libgcc know the
 * frame of a signal by these very bytes, which libc has as well, after a nop.
 */
void audit_restore(void) __attribute__((visibility("hidden")));
__asm__(".text\n"
	".type audit_restore, @function\n"
	"	nop\n"
	"audit_restore:\n"
	"	mov $15, %rax\n"
	"	syscall\n"
	".size audit_restore, . - audit_restore\n");

static void return_from_signal(long stack) __attribute__((noreturn));

static void return_from_signal(long stack)
{
	__asm__ volatile("mov %0, %%rsp\n\tjmp audit_restore" : : "r"(stack) : "memory");
	__builtin_unreachable();
}

/* The mask is in the frame: the kernel sets it when the handler returns. */
static long change_mask(uint64_t *mask, const long *a)
{
	const uint64_t *set = (const uint64_t *)a[1];
	uint64_t before = *mask, now = before;

	if (a[3] != SET_SIZE)
		return -EINVAL;
	if (set && a[0] == SIG_BLOCK)
		now |= *set;
	else if (set && a[0] == SIG_UNBLOCK)
		now &= ~*set;
	else if (set && a[0] == SIG_SETMASK)
		now = *set;
	else if (set)
		return -EINVAL;
	if (a[2])
		memcpy((void *)a[2], &before, sizeof(before));
	*mask = now & ~dispatch_signals();
	return 0;
}

static void refuse_signal(int sig)
{
	delivery_set_usual(sig);
	CALL_3(SYS_tgkill, session_pid(), CALL_0(SYS_gettid), sig);
}

/* ---- the processor's clock ---- */

/*
 * The first rdtsc of a thread is a fault (dispatch.h): it is named, and those that follow are not.
 * Other faults are the program's.
 */
static struct kernel_action fault;	/* the program's action for SIGSEGV */

static bool reads_clock(const siginfo_t *info, const ucontext_t *context)
{
	const uint8_t *at = (const void *)context->uc_mcontext.gregs[REG_RIP];

	/* (Not at a bad address: that is another code.) rdtsc, or rdtscp. */
	return info->si_code == SI_KERNEL && at[0] == 0x0f &&
	       (at[1] == 0x31 || (at[1] == 0x01 && at[2] == 0xf9));
}

static bool is_usual(const struct kernel_action *action)
{
	return action->handler == (void (*)(int, siginfo_t *, void *))(void *)SIG_DFL ||
	       action->handler == (void (*)(int, siginfo_t *, void *))(void *)SIG_IGN;
}

static void on_fault(int sig, siginfo_t *info, void *data)
{
	const struct kernel_action action = fault;
	ucontext_t *context = data;

	dispatch_let_clock(true);
	if (reads_clock(info, context)) {
		if (session_is_on() && count_it(LOCKSTEP_RDTSC))
			name_it("reads the processor's clock (rdtsc)",
				(uintptr_t)context->uc_mcontext.gregs[REG_RIP]);
		return;
	}
	if (action.flags & SA_RESETHAND)
		fault = (struct kernel_action){ .flags = 0 };
	if (!is_usual(&action)) {
		action.handler(sig, info, data);
		return;
	}
	/* It happens again when this one returns; but for one that was sent. */
	delivery_set_usual(sig);
	if (info->si_code <= 0)
		refuse_signal(sig);
}

/* Ours goes before the program's. */
static long take_faults(void)
{
	struct kernel_action own = fault;

	own.handler = on_fault;
	own.flags = (fault.flags & ~(unsigned long)SA_RESETHAND) | SA_SIGINFO | RESTORER;
	if (is_usual(&fault))
		own.flags |= SA_ONSTACK;
	own.restorer = audit_restore;
	own.mask &= ~delivery_bit(SIGSYS);
	return CALL_4(SYS_rt_sigaction, SIGSEGV, &own, NULL, SET_SIZE);
}

static long change_fault_action(const long *a)
{
	const struct kernel_action before = fault;
	long r = 0;

	if (a[3] != SET_SIZE)
		return -EINVAL;
	if (a[1]) {
		memcpy(&fault, (const void *)a[1], sizeof(fault));
		r = take_faults();
	}
	if (r == 0 && a[2])
		memcpy((void *)a[2], &before, sizeof(before));
	return r;
}

/* Handlers make calls, too. SIGSYS stays ours. */
static long change_action(const long *a)
{
	struct kernel_action copy;

	if (a[0] == SIGSEGV)
		return change_fault_action(a);
	if (a[0] == SIGSYS) {
		if (a[2])
			memset((void *)a[2], 0, sizeof(copy));
		return 0;
	}
	if (!a[1])
		return CALL_4(SYS_rt_sigaction, a[0], NULL, a[2], a[3]);
	memcpy(&copy, (const void *)a[1], sizeof(copy));
	copy.mask &= ~dispatch_signals();
	return CALL_4(SYS_rt_sigaction, a[0], &copy, a[2], a[3]);
}

/* Returning from the handler would set the one before. */
static long change_stack(ucontext_t *context, const long *a)
{
	long r = CALL_2(SYS_sigaltstack, a[0], a[1]);

	if (r == 0 && a[0])
		memcpy(&context->uc_stack, (const void *)a[0], sizeof(context->uc_stack));
	return r;
}

/*
 * One that makes threads or processes returns twice, perhaps on another stack: the program makes it
 * again by itself, and the audit rests until its next turn.
 */
static void make_again(ucontext_t *context)
{
	dispatch_rest();
	context->uc_mcontext.gregs[REG_RIP] -= 2;
}

/* Those that are to be made in another way. */
static bool take_over(long number, const long *a, ucontext_t *context)
{
	greg_t *ret = &context->uc_mcontext.gregs[REG_RAX];

	switch (number) {
	case SYS_rt_sigreturn:
		return_from_signal(context->uc_mcontext.gregs[REG_RSP]);
	case SYS_rt_sigprocmask:
		*ret = change_mask((uint64_t *)(void *)&context->uc_sigmask, a);
		return true;
	case SYS_rt_sigaction:
		*ret = change_action(a);
		return true;
	case SYS_sigaltstack:
		*ret = change_stack(context, a);
		return true;
	case SYS_prctl:
		if (a[0] != PR_SET_SYSCALL_USER_DISPATCH)
			return false;
		*ret = -EINVAL;	/* it is the audit's */
		return true;
	case SYS_clone:
	case SYS_clone3:
	case SYS_fork:
	case SYS_vfork:
		make_again(context);
		return true;
	}
	return false;
}

static void on_call(int sig, siginfo_t *info, void *data)
{
	ucontext_t *context = data;
	greg_t *regs = context->uc_mcontext.gregs;
	const long a[6] = { regs[REG_RDI], regs[REG_RSI], regs[REG_RDX], regs[REG_R10],
			    regs[REG_R8], regs[REG_R9] };
	long number = regs[REG_RAX];

	if (info->si_code != SYS_USER_DISPATCH) {
		refuse_signal(sig);
		return;
	}
	if (session_is_on())
		note(number, a, (uintptr_t)regs[REG_RIP]);
	if (!take_over(number, a, context))
		regs[REG_RAX] = system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

bool audit_begin(void)
{
	const struct kernel_action action = {
		.handler = on_call, .flags = SA_SIGINFO | SA_NODEFER | SA_RESTART | RESTORER,
		.restorer = audit_restore,
	};
	const uint64_t ours = delivery_bit(SIGSYS) | delivery_bit(SIGSEGV);

	if (!lockstep->audit)
		return true;
	/* It makes calls past libc for another program, each of which it knows. */
	if (stand_ins_are_this()) {
		dispatch_exempt();
		lockstep->audited_programs++;
		return true;
	}
	CALL_4(SYS_rt_sigprocmask, SIG_UNBLOCK, &ours, NULL, SET_SIZE);
	CALL_4(SYS_rt_sigaction, SIGSEGV, NULL, &fault, SET_SIZE);
	if (CALL_4(SYS_rt_sigaction, SIGSYS, &action, NULL, SET_SIZE) < 0 || take_faults() < 0 ||
	    !dispatch_begin())
		return false;
	lockstep->audited_programs++;
	return true;
}

#else

bool audit_begin(void)
{
	(void)note, (void)name_it;
	return !lockstep->audit;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The audit: see lib/lockstep/audit.h. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "lib/lockstep/audit-calls.h"
#include "lib/lockstep/audit.h"
#include "lib/lockstep/call-name.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/kernel-signals.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/stand-ins.h"
#include "lib/lockstep/system-call.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2	/* si_code */
#endif

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
	if (!audit_calls_bypass(number, a) || !count_it(number))
		return;
	snprintf(what, sizeof(what), "makes the system call %s (%ld)", call_name(number), number);
	name_it(what, from);
}

#if defined(__x86_64__)

/* ---- calls that a handler has to make in another way ---- */

enum { RESTORER = 0x04000000 };

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

	if (a[3] != KERNEL_SET_SIZE)
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
	return action->handler == KERNEL_SIG_DFL || action->handler == KERNEL_SIG_IGN;
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
		((void (*)(int, siginfo_t *, void *))(uintptr_t)action.handler)(sig, info, data);
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

	own.handler = (uintptr_t)on_fault;
	own.flags = (fault.flags & ~(uint64_t)SA_RESETHAND) | SA_SIGINFO | RESTORER;
	if (is_usual(&fault))
		own.flags |= SA_ONSTACK;
	own.restorer = (uintptr_t)audit_restore;
	own.mask &= ~delivery_bit(SIGSYS);
	return CALL_4(SYS_rt_sigaction, SIGSEGV, &own, NULL, KERNEL_SET_SIZE);
}

static long change_fault_action(const long *a)
{
	const struct kernel_action before = fault;
	long r = 0;

	if (a[3] != KERNEL_SET_SIZE)
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
		.handler = (uintptr_t)on_call,
		.flags = SA_SIGINFO | SA_NODEFER | SA_RESTART | RESTORER,
		.restorer = (uintptr_t)audit_restore,
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
	CALL_4(SYS_rt_sigprocmask, SIG_UNBLOCK, &ours, NULL, KERNEL_SET_SIZE);
	CALL_4(SYS_rt_sigaction, SIGSEGV, NULL, &fault, KERNEL_SET_SIZE);
	if (CALL_4(SYS_rt_sigaction, SIGSYS, &action, NULL, KERNEL_SET_SIZE) < 0 ||
	    take_faults() < 0 || !dispatch_begin())
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

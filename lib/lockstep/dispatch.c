/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The selector of syscall user dispatch: see lib/lockstep/dispatch.h. */
#include <signal.h>
#include <sys/prctl.h>

#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

/* The kernel reads it at each call. */
enum { CALLS_PASS, CALLS_TRAP };
static SESSION_THREAD volatile char selector;
static SESSION_THREAD bool rests;
static bool is_exempt;		/* this process */

/* This library in memory. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

void dispatch_exempt(void)
{
	is_exempt = true;
}

bool dispatch_begin(void)
{
	if (!lockstep->audit || is_exempt)
		return true;
	if (CALL_5(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, __ehdr_start,
		   etext - __ehdr_start, &selector) < 0)
		return false;
	selector = CALLS_TRAP;
	dispatch_let_clock(false);
	return true;
}

void dispatch_let_clock(bool lets)
{
#if defined(__x86_64__)
	if (lockstep->audit && !is_exempt)
		CALL_2(SYS_prctl, PR_SET_TSC, lets ? PR_TSC_ENABLE : PR_TSC_SIGSEGV);
#else
	(void)lets;
#endif
}

bool dispatch_pause(void)
{
	bool was_on = selector == CALLS_TRAP;

	selector = CALLS_PASS;
	return was_on;
}

void dispatch_resume(bool was_on)
{
	selector = was_on ? CALLS_TRAP : CALLS_PASS;
}

void dispatch_rest(void)
{
	selector = CALLS_PASS;
	rests = true;
}

void dispatch_go_on(void)
{
	if (!rests)
		return;
	rests = false;
	selector = CALLS_TRAP;
}

uint64_t dispatch_signals(void)
{
	return lockstep && lockstep->audit && !is_exempt ?
	       UINT64_C(1) << (SIGSYS - 1) | UINT64_C(1) << (SIGSEGV - 1) : 0;
}

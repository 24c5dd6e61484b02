/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Signals come with the turn: see lib/lockstep/delivery.h. */
#include <string.h>

#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/stops.h"
#include "lib/lockstep/system-call.h"

enum { SET_SIZE = 8 };	/* of the kernel's set */

/* libc has every thread change its user by this signal, and waits for all of them. */
#define SIGNAL_SETXID 33
/*
 * It tells a thread that it was cancelled: since glibc 2.41 each, before only one that is in a
 * system call. Where it waited it looks for that itself, and no call has been interrupted.
 */
#define SIGNAL_CANCEL 32

/* struct sigaction of the kernel, on both architectures. */
struct kernel_action {
	void (*handler)(int sig);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static void (*usual_handler)(int sig);

void delivery_set_usual_handler(void (*handler)(int sig))
{
	usual_handler = handler;
}

uint64_t delivery_bits(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits;
}

/* In a stand-in those two are of the program that it stands for. */
static bool is_of_own_libc(int sig)
{
	return (sig == SIGNAL_SETXID || sig == SIGNAL_CANCEL) &&
	       !(session_is_on() && lockstep_self->stands_for);
}

uint64_t delivery_block(void)
{
	uint64_t all = ~dispatch_signals(), before = 0;

	if (is_of_own_libc(SIGNAL_SETXID))
		all &= ~delivery_bit(SIGNAL_SETXID);

	CALL_4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, SET_SIZE);
	return before;
}

uint64_t delivery_blocked(void)
{
	uint64_t mask = 0;

	CALL_4(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, SET_SIZE);
	return mask;
}

uint64_t delivery_pending(void)
{
	uint64_t pending = 0;

	CALL_2(SYS_rt_sigpending, &pending, SET_SIZE);
	return pending;
}

static struct kernel_action action_of(int sig)
{
	struct kernel_action action = { .handler = SIG_DFL };

	CALL_4(SYS_rt_sigaction, sig, NULL, &action, SET_SIZE);
	if (usual_handler && action.handler == usual_handler)
		action.handler = SIG_DFL;
	return action;
}

void delivery_set_usual(int sig)
{
	const struct kernel_action usual = { .handler = SIG_DFL };

	CALL_4(SYS_rt_sigaction, sig, &usual, NULL, SET_SIZE);
}

/* What they do by default does not end a process. */
static bool is_harmless(int sig)
{
	return sig == SIGCHLD || sig == SIGCONT || sig == SIGURG || sig == SIGWINCH ||
	       sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

bool delivery_is_deadly(int sig)
{
	return sig == SIGKILL || (!is_harmless(sig) && action_of(sig).handler == SIG_DFL);
}

bool delivery_is_default(int sig)
{
	return action_of(sig).handler == SIG_DFL;
}

enum delivery delivery_set(uint64_t mask)
{
	uint64_t coming = delivery_pending() & ~mask;
	enum delivery ret = DELIVERY_NONE;

	mask &= ~dispatch_signals();
	for (int sig = 1; coming && sig <= 64; sig++) {
		struct kernel_action action;

		if (!(coming & delivery_bit(sig)))
			continue;
		action = action_of(sig);
		if (action.handler == SIG_DFL && !is_harmless(sig))
			death_of_self();
		if (action.handler == SIG_DFL && session_is_on() && stops_by_default(sig)) {
			stops_self(sig);
			/* Others may have come since. */
			coming = delivery_pending() & ~mask;
			sig = 0;
			continue;
		}
		if (action.handler == SIG_DFL || action.handler == SIG_IGN || is_of_own_libc(sig))
			continue;
		if (!(action.flags & SA_RESTART))
			ret = DELIVERY_INTERRUPT;
		else if (ret == DELIVERY_NONE)
			ret = DELIVERY_RESTART;
	}
	CALL_4(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, SET_SIZE);
	return ret;
}

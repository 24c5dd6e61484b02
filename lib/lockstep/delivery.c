/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Signals come with the turn: see lib/lockstep/delivery.h. */
#include <string.h>

#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/kernel-signals.h"
#include "lib/lockstep/stops.h"
#include "lib/lockstep/system-call.h"

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

/*
 * A thread that waited looks itself whether it was cancelled: no call has been interrupted. (In a
 * stand-in they are of the program that it stands for.)
 */
static bool is_of_own_libc(int sig)
{
	return signal_is_of_libc(sig) && !(session_is_on() && lockstep_self->stands_for);
}

uint64_t delivery_block(void)
{
	uint64_t all = ~dispatch_signals(), before = 0;

	if (is_of_own_libc(SIGNAL_SETXID))
		all &= ~delivery_bit(SIGNAL_SETXID);

	CALL_4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, KERNEL_SET_SIZE);
	return before;
}

uint64_t delivery_blocked(void)
{
	uint64_t mask = 0;

	CALL_4(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, KERNEL_SET_SIZE);
	return mask;
}

uint64_t delivery_pending(void)
{
	uint64_t pending = 0;

	CALL_2(SYS_rt_sigpending, &pending, KERNEL_SET_SIZE);
	return pending;
}

static struct kernel_action action_of(int sig)
{
	struct kernel_action action = { .handler = KERNEL_SIG_DFL };

	CALL_4(SYS_rt_sigaction, sig, NULL, &action, KERNEL_SET_SIZE);
	if (usual_handler && action.handler == (uintptr_t)usual_handler)
		action.handler = KERNEL_SIG_DFL;
	return action;
}

void delivery_set_usual(int sig)
{
	const struct kernel_action usual = { .handler = KERNEL_SIG_DFL };

	CALL_4(SYS_rt_sigaction, sig, &usual, NULL, KERNEL_SET_SIZE);
}

/* What they do by default does not end a process. */
static bool is_harmless(int sig)
{
	return sig == SIGCHLD || sig == SIGCONT || sig == SIGURG || sig == SIGWINCH ||
	       sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

bool delivery_is_deadly(int sig)
{
	return sig == SIGKILL || (!is_harmless(sig) && action_of(sig).handler == KERNEL_SIG_DFL);
}

bool delivery_is_default(int sig)
{
	return action_of(sig).handler == KERNEL_SIG_DFL;
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
		if (action.handler == KERNEL_SIG_DFL && !is_harmless(sig))
			death_of_self();
		if (action.handler == KERNEL_SIG_DFL && session_is_on() && stops_by_default(sig)) {
			stops_self(sig);
			/* Others may have come since. */
			coming = delivery_pending() & ~mask;
			sig = 0;
			continue;
		}
		if (action.handler == KERNEL_SIG_DFL || action.handler == KERNEL_SIG_IGN ||
		    is_of_own_libc(sig))
			continue;
		if (!(action.flags & SA_RESTART))
			ret = DELIVERY_INTERRUPT;
		else if (ret == DELIVERY_NONE)
			ret = DELIVERY_RESTART;
	}
	CALL_4(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, KERNEL_SET_SIZE);
	return ret;
}

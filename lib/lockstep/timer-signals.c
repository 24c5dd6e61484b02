/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The signal of a timer, and its overruns: see lib/lockstep/timer-signals.h. */
#include <limits.h>
#include <signal.h>
#include <string.h>

#include "lib/lockstep/advance.h"
#include "lib/lockstep/baton.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/proc-file.h"
#include "lib/lockstep/signal-senders.h"
#include "lib/lockstep/timer-signals.h"
#include "lib/words/number.h"

#ifndef DELAYTIMER_MAX
#define DELAYTIMER_MAX INT_MAX
#endif

static bool is_thread_of(const struct lockstep_slot *slot, const struct lockstep_slot *timer)
{
	return slot->pid == timer->pid && slot->tid == timer->tid && lockstep_is_thread(slot);
}

/* As the kernel's timer does; of the process's alarm(3) signal_senders_translate() knows. */
static void __attribute__((noinline)) send(const struct lockstep_slot *timer)
{
	int sig = (int)timer->addr;
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = sig;
	info.si_code = SI_TIMER;
	info.si_timerid = timer->is_alarm ? SIGNAL_SENDERS_ALARM :
					    (int)(timer - lockstep->slot + 1);
	info.si_value.sival_ptr = (void *)(uintptr_t)timer->value;
	advance_signal(timer->pid, timer->tid, sig, &info);
	if (timer->tid == 0) {
		baton_wake_for_signal(timer->pid, sig);
		return;
	}
	for (uint32_t i = 0; i < lockstep->count; i++) {
		if (is_thread_of(&lockstep->slot[i], timer))
			baton_wake_thread_for_signal(&lockstep->slot[i], sig);
	}
}

/*
 * The kernel does not say whose signal of that number is on its way: that of another timer, or of
 * kill(2), passes for this timer's.
 */
static bool is_on_its_way(const struct lockstep_slot *timer)
{
	const char *status = proc_file_status(timer->tid ? timer->tid : timer->pid);
	uint64_t signals = 0;

	return number_after(status, timer->tid ? "\nSigPnd:" : "\nShdPnd:", 16, &signals) == 0 &&
	       (signals >> (timer->addr - 1) & 1);
}

/* alarm(3) and setitimer(2) count none: the kernel has one signal of that number at most. */
void timer_signals_expire(struct lockstep_slot *timer)
{
	if (timer->is_alarm || !timer->has_sent || !is_on_its_way(timer)) {
		timer->overruns_before = timer->overruns;
		timer->overruns = 0;
		timer->has_sent = 1;
		send(timer);
	} else if (timer->overruns < DELAYTIMER_MAX) {
		timer->overruns++;
	}
}

int timer_signals_overrun(const struct lockstep_slot *timer)
{
	return (int)(timer->has_sent && is_on_its_way(timer) ? timer->overruns_before :
							       timer->overruns);
}

void timer_signals_reset(struct lockstep_slot *timer)
{
	timer->overruns_before = timer->overruns = 0;
}

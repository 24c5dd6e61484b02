/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* From hand to hand: see lib/lockstep/baton.h. */
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>

#include "lib/lockstep/baton.h"
#include "lib/lockstep/process-state.h"
#include "lib/lockstep/system-call.h"

/* Not private: processes share them. */
static void futex_wait(const uint32_t *at, uint32_t value)
{
	CALL_4(SYS_futex, at, FUTEX_WAIT, value, NULL);
}

static void futex_wake(const uint32_t *at)
{
	CALL_3(SYS_futex, at, FUTEX_WAKE, INT_MAX);
}

void baton_make_runnable(struct lockstep_slot *slot, enum lockstep_reason reason)
{
	lockstep_make_runnable(lockstep, slot, reason);
}

/* SIGSTOP only stops, which one that waits need not have the turn for. */
void baton_wake_thread_for_signal(struct lockstep_slot *slot, int sig)
{
	if (sig != SIGSTOP && lockstep_takes(slot, sig))
		baton_make_runnable(slot, LOCKSTEP_DELIVERY);
}

void baton_wake_for_signal(int pid, int sig)
{
	if (sig != SIGSTOP)
		lockstep_wake_taker(lockstep, pid, sig);
}

/*
 * The server has stopped this process while it had the baton: the kernel is to know, once others
 * have that. Nobody else sends SIGSTOP: any program of the session can write the table, and might
 * name a process that it may not stop. One that is ending is not held up.
 */
static bool has_to_stop(void)
{
	if (!lockstep_self || lockstep->stopping != -lockstep_self->pid)
		return false;
	lockstep->stopping = lockstep->dying == lockstep_self->pid ? 0 : lockstep_self->pid;
	if (lockstep->stopping)
		process_state_expect_stop(lockstep->stopping);
	return lockstep->stopping != 0;
}

void baton_give(struct lockstep_slot *to, bool duty)
{
	bool stops = has_to_stop();

	lockstep->switches++;
	lockstep_hand(lockstep, to, duty);
	futex_wake(&to->baton);
	if (stops)
		CALL_2(SYS_kill, session_pid(), SIGSTOP);
}

/* Until the thread is gone: what it had is free, and its stack may be another's. */
static void bury_thread(int pid, int tid)
{
	while (CALL_3(SYS_tgkill, pid, tid, 0) != -ESRCH)
		CALL_0(SYS_sched_yield);
}

static void bury(void)
{
	int pid = lockstep->dying, tid = lockstep->dying_tid;

	if (lockstep->stopping > 0)
		process_state_await_stop(lockstep->stopping, true);
	lockstep->stopping = 0;
	if (pid == 0)
		return;
	lockstep->dying = lockstep->dying_tid = 0;
	/*
	 * Of a process the descriptors are closed then, what it wrote last has arrived, and it can
	 * be waited for. This makes its exit, the end of its pipes and wait(2) come in one order.
	 */
	if (tid)
		bury_thread(pid, tid);
	else
		process_state_await_end(pid);
}

bool baton_await(void)
{
	struct lockstep_slot *self = lockstep_self;
	bool duty;

	while (!__atomic_exchange_n(&self->baton, 0, __ATOMIC_SEQ_CST)) {
		if (__atomic_load_n(&lockstep->is_over, __ATOMIC_SEQ_CST))
			session_exit(LOCKSTEP_EXIT);
		futex_wait(&self->baton, 0);
	}
	if (__atomic_load_n(&lockstep->is_over, __ATOMIC_SEQ_CST))
		session_exit(LOCKSTEP_EXIT);
	bury();
	duty = lockstep->duty;
	lockstep->duty = 0;
	return duty;
}

/* Nobody is left who could let them go on. */
static void end_stopped(void)
{
	bool any = false;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (!slot->stopped || !lockstep_is_alive(slot))
			continue;
		if (!any)
			session_say("umadrig: %lld.%09lld s after the start all that is left is "
				    "stopped\n", (long long)(lockstep->now / NS_PER_SECOND),
				    (long long)(lockstep->now % NS_PER_SECOND));
		session_say("  %u.%u %s is stopped\n", slot->virtual_pid, slot->ordinal,
			    slot->name);
		any = true;
	}
	if (any)
		baton_end_all();
}

bool baton_pass_on(int pid)
{
	struct lockstep_slot *any = NULL;

	lockstep->activity++;
	for (uint32_t i = 0; i < lockstep->count && !any; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot != lockstep_self && slot->pid != pid && lockstep_is_thread(slot) &&
		    !slot->stopped &&
		    (slot->state == LOCKSTEP_WAITING || slot->state == LOCKSTEP_RUNNABLE))
			any = slot;
	}
	if (any)
		baton_give(any, true);
	else
		end_stopped();
	return any;
}

void baton_wake_parent(int parent)
{
	if (parent == 0)
		return;
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->pid == parent && lockstep_waits(slot) && slot->kind == LOCKSTEP_CHILD)
			baton_make_runnable(slot, LOCKSTEP_WOKEN);
	}
	baton_wake_for_signal(parent, SIGCHLD);
}

void baton_end_all(void)
{
	__atomic_store_n(&lockstep->is_over, 1, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0; i < lockstep->count; i++) {
		__atomic_store_n(&lockstep->slot[i].baton, 1, __ATOMIC_SEQ_CST);
		futex_wake(&lockstep->slot[i].baton);
		if (lockstep->slot[i].stopped && lockstep->slot[i].is_main)
			CALL_2(SYS_kill, lockstep->slot[i].pid, SIGCONT);
	}
}

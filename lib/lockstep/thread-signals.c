/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sending signals to threads. The thread takes them with its turn (delivery.h); it is woken if it
 * waits and does not block them. What it blocks.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "lib/lockstep/baton.h"
#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/kernel-signals.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/thread-signals.h"
#include "lib/lockstep/threads.h"
#include "lib/lockstep/turn.h"

/* This process ends by it at once: the calling thread does not block it, or nobody can. */
static void leave_if_deadly(bool is_self, int sig)
{
	if (sig > 0 && sig <= 64 && delivery_is_deadly(sig) &&
	    (sig == SIGKILL || (is_self && !(delivery_blocked() & delivery_bit(sig)))))
		death_of_self();
}

static void wake(struct lockstep_slot *slot, int sig)
{
	if (slot && sig > 0)
		baton_wake_thread_for_signal(slot, sig);
	turn_perhaps_yield();
}

NEXT_DECLARE(pthread_kill);
SESSION_NO_REGISTERS PUBLIC int pthread_kill(pthread_t thread, int sig)
{
	int r;

	if (!session_is_on())
		return NEXT(pthread_kill)(thread, sig);
	leave_if_deadly(pthread_equal(thread, pthread_self()), sig);
	r = NEXT(pthread_kill)(thread, sig);
	if (r == 0 && session_is_on())
		wake(threads_slot_of(thread), sig);
	return r;
}

/* A thread says its number before it waits for its first turn, so it does that soon. */
static int tid_of(const struct lockstep_slot *slot)
{
	while (__atomic_load_n(&slot->tid, __ATOMIC_SEQ_CST) == 0)
		CALL_0(SYS_sched_yield);
	return slot->tid;
}

/* 'info' may be NULL. */
SESSION_NO_REGISTERS static long send_to(struct lockstep_slot *slot, int sig, const siginfo_t *info)
{
	long r;

	leave_if_deadly(slot == lockstep_self, sig);
	r = info ? CALL_4(SYS_rt_tgsigqueueinfo, slot->pid, tid_of(slot), sig, info) :
		   CALL_3(SYS_tgkill, slot->pid, tid_of(slot), sig);
	if (r == 0 && session_is_on())
		wake(slot, sig);
	return r;
}

/*
 * With the number of this process that programs see: libc's would have the kernel's. It refuses
 * those that it uses itself.
 */
NEXT_DECLARE(pthread_sigqueue);
PUBLIC int pthread_sigqueue(pthread_t thread, int sig, const union sigval value)
{
	siginfo_t info = { .si_signo = sig, .si_code = SI_QUEUE };
	struct lockstep_slot *slot = session_is_on() ? threads_slot_of(thread) : NULL;

	if (!slot || signal_is_of_libc(sig))
		return NEXT(pthread_sigqueue)(thread, sig, value);
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value = value;
	return (int)-send_to(slot, sig, &info);
}

/* By the numbers that programs see. NULL: it is none of the session. */
static struct lockstep_slot *slot_by_number(int pid, int tid)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];
		uint32_t number = slot->virtual_tid ? slot->virtual_tid : slot->virtual_pid;

		if (slot->virtual_pid == (uint32_t)pid && number == (uint32_t)tid &&
		    lockstep_is_thread(slot))
			return slot;
	}
	return NULL;
}

struct lockstep_slot *thread_signals_find(int tid)
{
	struct lockstep_slot *slot = slot_by_number(getpid(), tid);

	if (slot)
		tid_of(slot);
	return slot;
}

PUBLIC int tgkill(pid_t pid, pid_t tid, int sig)
{
	struct lockstep_slot *slot;

	if (!session_is_on())
		return (int)call_result(CALL_3(SYS_tgkill, pid, tid, sig));
	slot = slot_by_number(pid, tid);
	if (slot)
		return (int)call_result(send_to(slot, sig, NULL));
	return (int)call_result(CALL_3(SYS_tgkill, processes_to_kernel(pid), tid, sig));
}

int thread_signals_queue(int pid, int tid, int sig, const siginfo_t *info)
{
	struct lockstep_slot *slot = slot_by_number(pid, tid);

	if (slot)
		return (int)call_result(send_to(slot, sig, info));
	return (int)call_result(CALL_4(SYS_rt_tgsigqueueinfo, processes_to_kernel(pid), tid, sig,
				       info));
}

/* ---- what a thread blocks ---- */

/* The process ends by a signal that has come, and is blocked no more. */
static void leave_by_pending(int how, const sigset_t *set)
{
	uint64_t coming, mask;

	if (!session_is_on() || !set || how == SIG_BLOCK)
		return;
	mask = delivery_bits(set);
	coming = delivery_pending() & ~(how == SIG_SETMASK ? mask : delivery_blocked() & ~mask);
	for (int sig = 1; coming && sig <= 64; sig++) {
		if ((coming & delivery_bit(sig)) && !signal_is_of_libc(sig) &&
		    delivery_is_deadly(sig))
			death_of_self();
	}
}

NEXT_DECLARE(pthread_sigmask);
PUBLIC int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	leave_by_pending(how, set);
	return NEXT(pthread_sigmask)(how, set, old);
}

NEXT_DECLARE(sigprocmask);
PUBLIC int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	leave_by_pending(how, set);
	return NEXT(sigprocmask)(how, set, old);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sending signals: see lib/lockstep/signals.h.
 *
 * The kernel gets them at once. Threads that wait for their turn block them all, so they come with
 * the turn (delivery.h); a signal that ends a process has it leave the table first.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "lib/lockstep/baton.h"
#include "lib/lockstep/crash.h"
#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/process-state.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/signals.h"
#include "lib/lockstep/stops.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"
#include "lib/lockstep/turn.h"

/* 'info' may be NULL. */
static long send_by_kernel(int pid, int sig, const siginfo_t *info)
{
	return info ? CALL_3(SYS_rt_sigqueueinfo, pid, sig, info) : CALL_2(SYS_kill, pid, sig);
}

/* Does it stop this process? Then it has gone on since. */
static bool stop_self(int sig)
{
	uint64_t mask;

	if (sig <= 0 || !session_is_on() || !delivery_is_default(sig) || !stops_by_default(sig) ||
	    (sig != SIGSTOP && delivery_blocked() & delivery_bit(sig)))
		return false;
	mask = delivery_block();
	turn_stop(sig);
	delivery_set(mask);
	return true;
}

/* This process gets it now: it may be its end. Where this thread blocks it, another takes it. */
static long send_to_self(int sig, const siginfo_t *info)
{
	long r;

	if (sig > 0 && delivery_is_deadly(sig) &&
	    (sig == SIGKILL || !(delivery_blocked() & delivery_bit(sig))))
		death_of_self();
	if (stop_self(sig))
		return 0;
	r = send_by_kernel(session_pid(), sig, info);
	if (r == 0 && sig > 0 && session_is_on() && delivery_blocked() & delivery_bit(sig))
		baton_wake_for_signal(session_pid(), sig);
	return r;
}

static long send_to(int pid, int sig, const siginfo_t *info)
{
	long r;

	if (pid == session_pid())
		return send_to_self(sig, info);
	if (sig == SIGSTOP)
		process_state_expect_stop(pid);
	r = send_by_kernel(pid, sig, info);
	if (r < 0 || sig == 0 || !session_slot_of(pid))
		return r;
	if (sig == SIGCONT)
		stops_end(pid);
	if (sig == SIGKILL)
		death_of_other(pid);
	else if (sig == SIGSTOP)
		stops_other(pid);
	else
		baton_wake_for_signal(pid, sig);
	return r;
}

/* To a group: to each of its processes that belongs to the session, this one last. */
static long send_to_group(int group, int sig)
{
	long own = CALL_1(SYS_getpgid, 0), r = -ESRCH;
	bool is_mine = group == 0 || group == own;

	if (group == 0)
		group = (int)own;
	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];
		int pid = slot->pid;

		if (!slot->is_main || pid == session_pid() || session_slot_of(pid) != slot ||
		    CALL_1(SYS_getpgid, pid) != group)
			continue;
		r = send_to(pid, sig, NULL);
	}
	return is_mine ? send_to_self(sig, NULL) : r;
}

static int hooked_kill(pid_t pid, int sig)
{
	long r;

	if (!session_is_on())
		return (int)call_result(CALL_2(SYS_kill, pid, sig));
	if (pid > 0)
		r = send_to(processes_to_kernel(pid), sig, NULL);
	else if (pid == -1)
		r = -EPERM;	/* everything that there is, beyond the session */
	else
		r = send_to_group(pid == 0 ? 0 : processes_group_to_kernel(-pid), sig);
	/* It is there still: a program may ask until it is not. */
	if (session_is_on() && sig == 0 && r == 0)
		looks_count(LOOK_IN_VAIN);
	if (session_is_on())
		turn_perhaps_yield();
	return (int)call_result(r);
}

static int hooked_killpg(pid_t group, int sig)
{
	return hooked_kill(-group, sig);
}

int signals_queue(int pid, int sig, const siginfo_t *info)
{
	long r = send_to(processes_to_kernel(pid), sig, info);

	if (session_is_on())
		turn_perhaps_yield();
	return (int)call_result(r);
}

static int hooked_sigqueue(pid_t pid, int sig, const union sigval value)
{
	siginfo_t info = { .si_signo = sig, .si_code = SI_QUEUE };

	info.si_pid = getpid();		/* the session's number */
	info.si_uid = getuid();
	info.si_value = value;
	return session_is_on() ? signals_queue(pid, sig, &info) :
				 (int)call_result(send_by_kernel(pid, sig, &info));
}

PUBLIC int pidfd_send_signal(int fd, int sig, siginfo_t *info, unsigned int flags)
{
	int pid = session_is_on() ? tasks_of_pidfd(fd) : 0;
	long r;

	if (!session_slot_of(pid) || flags)
		return (int)call_result(CALL_4(SYS_pidfd_send_signal, fd, sig, info, flags));
	r = send_to(pid, sig, info);
	if (session_is_on())
		turn_perhaps_yield();
	return (int)call_result(r);
}

/* libc's sends to the thread. */
SESSION_NO_REGISTERS static int hooked_raise(int sig)
{
	if (session_is_on() && delivery_is_deadly(sig) &&
	    !(delivery_blocked() & delivery_bit(sig))) {
		crash_note(sig);
		death_of_self();
	}
	if (stop_self(sig))
		return 0;
	return (int)call_result(CALL_3(SYS_tgkill, session_pid(), CALL_0(SYS_gettid), sig));
}

/* A handler gets it first; where it returns, or there is none, the process ends. */
static void hooked_abort(void)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	uint64_t mask = delivery_blocked() & ~delivery_bit(SIGABRT);

	CALL_4(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, 8);
	hooked_raise(SIGABRT);
	sigaction(SIGABRT, &usual, NULL);
	for (;;)
		hooked_raise(SIGABRT);
}

/* ---- waiting ---- */

static int hooked_sigsuspend(const sigset_t *set)
{
	uint64_t mask = delivery_bits(set), before;
	enum delivery delivery;

	if (!session_is_on())
		return (int)call_result(CALL_2(SYS_rt_sigsuspend, set, 8));
	before = delivery_block();
	delivery = delivery_set(mask);
	while (delivery == DELIVERY_NONE) {
		enum turn_end end = turn_wait(LOCKSTEP_SIGNAL, 0, LOCKSTEP_NEVER);

		pthread_testcancel();
		if (end == TURN_INTERRUPTED || end == TURN_RESTARTS)
			break;
	}
	delivery_set(before);
	return (int)call_result(-EINTR);
}

static int hooked_pause(void)
{
	sigset_t set;

	sigprocmask(SIG_BLOCK, NULL, &set);
	return hooked_sigsuspend(&set);
}

const struct hook signals_hooks[] = {
	{ "kill", hooked_kill },
	{ "killpg", hooked_killpg },
	{ "sigqueue", hooked_sigqueue },
	{ "raise", hooked_raise },
	{ "abort", hooked_abort },
	{ "sigsuspend", hooked_sigsuspend },
	{ "pause", hooked_pause },
	{ NULL, NULL },
};

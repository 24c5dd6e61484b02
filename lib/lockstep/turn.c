/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whose turn it is: see lib/lockstep/turn.h.
 *
 * The thread that has to wait chooses (lib/lockstep/strategy.h) one of those that can run. If none
 * can, those that wait for descriptors which the server does not know look at them once more. If
 * still none can, the server moves the clock to its next event, or to the first deadline; those
 * that are due can run, in the order of (deadline, sequence).
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/invariant.h"
#include "lib/lockstep/advance.h"
#include "lib/lockstep/baton.h"
#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/look-row.h"
#include "lib/lockstep/process-state.h"
#include "lib/lockstep/stops.h"
#include "lib/lockstep/strategy.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/table-check.h"
#include "lib/lockstep/timer-signals.h"
#include "lib/lockstep/turn.h"

enum {
	PASSED_MAX = 1000,	/* waits in a row that no time passes in */
	PASSED_NS = 1000,	/* what each further one takes */
};

static SESSION_THREAD int64_t passed_at;	/* when the last of those was */
static SESSION_THREAD unsigned int passed;

/* ---- what can run ---- */

/* In vain does not count as activity: two that look would have each other look for ever. */
static bool look_again(void)
{
	bool any = false;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->state != LOCKSTEP_WAITING || slot->stopped ||
		    slot->looked == lockstep->activity ||
		    !(slot->is_generic || (slot->expects_signals && lockstep_is_thread(slot))))
			continue;
		slot->looked = lockstep->activity;
		baton_make_runnable(slot, LOCKSTEP_LOOK);
		any = true;
	}
	return any;
}

void turn_expire_file(struct lockstep_slot *timer)
{
	timer->due = timer->deadline ? timer->deadline : 1;
	timer->deadline = LOCKSTEP_NEVER;
	lockstep->files_due++;
}

static void expire_timer(struct lockstep_slot *timer)
{
	int64_t interval = timer->interval;

	if (timer->file) {
		turn_expire_file(timer);
		return;
	}
	timer->deadline = interval > 0 ? timer->deadline + interval : LOCKSTEP_NEVER;
	timer->seq = ++lockstep->seq;
	timer_signals_expire(timer);
}

static void expire(struct lockstep_slot *slot)
{
	if (slot->kind == LOCKSTEP_TIMER)
		expire_timer(slot);
	else if (slot->kind == LOCKSTEP_END)
		death_of_all();
	else
		baton_make_runnable(slot, LOCKSTEP_TIMED_OUT);
}

static struct lockstep_slot *first_due(int64_t now)
{
	struct lockstep_slot *first = NULL;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->state == LOCKSTEP_WAITING && slot->deadline <= now &&
		    (!first || slot->deadline < first->deadline ||
		     (slot->deadline == first->deadline && slot->seq < first->seq)))
			first = slot;
	}
	return first;
}

static int64_t first_deadline(void)
{
	int64_t first = LOCKSTEP_NEVER;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->state == LOCKSTEP_WAITING && slot->deadline < first)
			first = slot->deadline;
	}
	return first;
}

static void say_waits(const struct lockstep_slot *slot)
{
	const char *what = lockstep_kind_text(slot->kind);

	if (slot->stopped) {
		session_say("  %u.%u %s is stopped\n", slot->virtual_pid, slot->ordinal,
			    slot->name);
		return;
	}
	if (slot->kind == LOCKSTEP_DESCRIPTOR)
		session_say("  %u.%u %s waits for %s %lld\n", slot->virtual_pid, slot->ordinal,
			    slot->name, what, (long long)slot->addr);
	else if (slot->addr)
		session_say("  %u.%u %s waits for %s %#llx\n", slot->virtual_pid, slot->ordinal,
			    slot->name, what, (unsigned long long)slot->addr);
	else
		session_say("  %u.%u %s waits for %s\n", slot->virtual_pid, slot->ordinal,
			    slot->name, what);
}

static void give_up(const char *why) __attribute__((noreturn));

/* Names each thread with what it waits for, and ends all. */
static void give_up(const char *why)
{
	session_say("umadrig: %lld.%09lld s after the start %s, and\n",
		    (long long)(lockstep->now / NS_PER_SECOND),
		    (long long)(lockstep->now % NS_PER_SECOND), why);
	for (uint32_t i = 0; i < lockstep->count; i++) {
		if ((lockstep->slot[i].state == LOCKSTEP_WAITING ||
		     lockstep->slot[i].state == LOCKSTEP_RUNNABLE) &&
		    lockstep_is_thread(&lockstep->slot[i]))
			say_waits(&lockstep->slot[i]);
	}
	baton_end_all();
	session_exit(LOCKSTEP_EXIT);
}

static void to_next_instant(void)
{
	struct lockstep_slot *slot;
	int64_t now;

	if (look_again())
		return;
	lockstep->advances++;
	now = advance_clock(first_deadline());
	if (now == -EDEADLK && death_of_missing())
		return;
	if (now == -EDEADLK)
		give_up("nothing can happen any more: no packet is on its way, no timer is armed");
	if (now == -ETIME)
		give_up("virtual time is at its limit");
	if (now == -EMFILE || now == -ENFILE)
		session_say("umadrig: virtual time ends: %u %s has no descriptor left for a call "
			    "to the server\n", lockstep_self->virtual_pid, lockstep_self->name);
	if (now == -EACCES)
		session_say("umadrig: virtual time ends: %u %s has become user %u, who cannot "
			    "reach the session's files; let all pass through TMPDIR, or set "
			    "another\n",
			    lockstep_self->virtual_pid, lockstep_self->name, geteuid());
	if (now < 0) {
		baton_end_all();	/* its end is the session's */
		session_exit(LOCKSTEP_EXIT);
	}
	lockstep->now = now;
	lockstep->activity++;
	while ((slot = first_due(now)))
		expire(slot);
}

/* ---- the turn ---- */

/* Chooses until it is this thread's turn. 'duty': it chooses at least once. */
static void choose(bool duty)
{
	struct lockstep_slot *self = lockstep_self;

	while (duty || self->state != LOCKSTEP_RUNNING) {
		struct lockstep_slot *next = strategy_pick();

		if (!next) {
			to_next_instant();
			duty = true;
			continue;
		}
		if (next == self) {
			self->state = LOCKSTEP_RUNNING;
			lockstep->holder = self->pid;
			lockstep->holder_tid = self->tid;
			break;
		}
		baton_give(next, false);
		duty = baton_await();
		if (!duty)
			self->state = LOCKSTEP_RUNNING;
	}
}

/* With --enable-checks, at the begin of each turn: the session ends if an invariant is broken. */
static SESSION_NO_REGISTERS void check_table(void)
{
	const char *broken = lockstep_table_check(lockstep, lockstep_self);

	if (!broken)
		return;
	session_say("umadrig: an invariant is broken (%u %s, %lld ns after the start): %s\n",
		    lockstep_self->virtual_pid, lockstep_self->name, (long long)lockstep->now,
		    broken);
	baton_end_all();
	CALL_2(SYS_kill, session_pid(), SIGABRT);
	session_exit(LOCKSTEP_EXIT);
}

/* Waits for the turn; the state says for what. */
static enum turn_end take_turn(bool duty)
{
	struct lockstep_slot *self = lockstep_self;
	int saved = errno;
	uint32_t reason;
	enum delivery delivery;

	self->mask = delivery_block();
	choose(duty);
	if (INVARIANTS_ARE_CHECKED)
		check_table();
	reason = self->reason;
	delivery = delivery_set(self->mask);
	dispatch_go_on();
	session_wipe();
	errno = saved;
	if (reason == LOCKSTEP_TIMED_OUT)
		return TURN_TIMED_OUT;
	switch (delivery) {
	case DELIVERY_NONE:
		break;
	case DELIVERY_RESTART:
		return TURN_RESTARTS;
	case DELIVERY_INTERRUPT:
		return TURN_INTERRUPTED;
	}
	return TURN_WOKEN;
}

/*
 * A wait whose end has come already takes no time. A thread that makes such waits until the clock
 * has moved needs some that take time. OpenSM's event wheel does that: its timers have
 * milliseconds, and what it compares has microseconds.
 */
static int64_t deadline_that_comes(int64_t deadline)
{
	if (deadline > lockstep->now)
		return deadline;
	if (lockstep->now - passed_at > PASSED_NS)
		passed = 0;
	passed_at = lockstep->now;
	return ++passed < PASSED_MAX ? deadline : turn_after(PASSED_NS);
}

/* One that has looked for signals in vain goes on waiting, at its old place. */
static enum turn_end wait_now(enum lockstep_kind kind, uint64_t addr, int64_t deadline)
{
	struct lockstep_slot *self = lockstep_self;
	enum turn_end end;

	self->kind = kind;
	self->addr = addr;
	self->deadline = deadline_that_comes(deadline);
	self->reason = LOCKSTEP_WOKEN;
	self->seq = ++lockstep->seq;
	strategy_waits();
	do {
		self->state = LOCKSTEP_WAITING;
		end = take_turn(false);
	} while (end == TURN_WOKEN && self->reason == LOCKSTEP_LOOK && !self->is_generic &&
		 !(delivery_pending() & self->awaited));
	return end;
}

void turn_expect_signals(int pid)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		if (lockstep->slot[i].pid == pid)
			lockstep->slot[i].expects_signals = 1;
	}
}

enum turn_end turn_wait(enum lockstep_kind kind, uint64_t addr, int64_t deadline)
{
	int64_t from = lockstep->now;
	enum turn_end end;

	lockstep_self->is_generic = 0;
	lockstep_self->cookies = 0;
	lockstep->activity++;
	end = wait_now(kind, addr, deadline);
	look_row_waited(lockstep->now != from);
	return end;
}

enum turn_end turn_wait_for_descriptors(uint64_t addr, int64_t deadline)
{
	int64_t from = lockstep->now;
	enum turn_end end;

	if (lockstep_self->reason != LOCKSTEP_LOOK)
		lockstep->activity++;
	end = wait_now(LOCKSTEP_DESCRIPTOR, addr, deadline);
	lockstep_self->is_generic = 0;
	look_row_waited(lockstep->now != from);
	return end;
}

/* What it looks at has been looked at just now: what others do from here on is news to it. */
void turn_look_later(int64_t deadline, bool is_news, bool is_told)
{
	struct lockstep_slot *self = lockstep_self;

	if (is_news)
		lockstep->activity++;
	self->cookies = 0;
	self->is_generic = is_told;
	self->looked = lockstep->activity;
	wait_now(LOCKSTEP_YIELD, 0, deadline);
	self->is_generic = 0;
}

int turn_wake(enum lockstep_kind kind, uint64_t addr, bool all)
{
	int n = 0;

	look_row_woke();
	for (;;) {
		struct lockstep_slot *first = NULL;

		for (uint32_t i = 0; i < lockstep->count; i++) {
			struct lockstep_slot *slot = &lockstep->slot[i];

			if (lockstep_waits(slot) && slot->kind == (uint32_t)kind &&
			    slot->addr == addr &&
			    (lockstep_is_shared(addr) || slot->pid == lockstep_self->pid) &&
			    (!first || slot->seq < first->seq))
				first = slot;
		}
		if (!first)
			return n;
		baton_make_runnable(first, LOCKSTEP_WOKEN);
		n++;
		if (!all)
			return n;
	}
}

static void let_in(void)
{
	lockstep_self->kind = LOCKSTEP_YIELD;
	lockstep_self->addr = 0;
	lockstep_self->deadline = LOCKSTEP_NEVER;
	baton_make_runnable(lockstep_self, LOCKSTEP_WOKEN);
	take_turn(true);
}

void turn_yield(void)
{
	strategy_yields();
	let_in();
}

void turn_perhaps_yield(void)
{
	if (strategy_lets_in())
		let_in();
}

void turn_stop(int sig)
{
	const uint64_t one = delivery_bit(sig);
	const struct timespec at_once = { .tv_sec = 0 };
	struct lockstep_slot *self = lockstep_self;
	bool duty;

	/* The kernel stops it by SIGSTOP, which no process group is exempt from. */
	if (sig != SIGSTOP)
		CALL_4(SYS_rt_sigtimedwait, &one, NULL, &at_once, sizeof(one));
	stops_mark(self->pid, sig);
	self->kind = LOCKSTEP_SIGNAL;
	self->addr = 0;
	self->deadline = LOCKSTEP_NEVER;
	baton_make_runnable(self, LOCKSTEP_WOKEN);
	lockstep->stopping = self->pid;
	process_state_expect_stop(self->pid);
	if (!baton_pass_on(self->pid))
		session_exit(LOCKSTEP_EXIT);
	CALL_2(SYS_kill, self->pid, SIGSTOP);
	duty = baton_await();
	if (!duty)
		self->state = LOCKSTEP_RUNNING;
	choose(duty);
}

void turn_begin(uint64_t mask)
{
	lockstep_self->tid = (int32_t)CALL_0(SYS_gettid);
	baton_await();		/* never with the duty: it can run */
	lockstep_self->state = LOCKSTEP_RUNNING;
	lockstep->holder_tid = lockstep_self->tid;
	delivery_set(mask);
}

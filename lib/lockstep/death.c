/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The end of threads and processes: see lib/lockstep/death.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "lib/lockstep/advance.h"
#include "lib/lockstep/baton.h"
#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/process-state.h"
#include "lib/lockstep/stops.h"
#include "lib/lockstep/system-call.h"

/* Children of a process that is gone: nobody asks for their status by it any more. */
static void leave_children(int pid)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->parent != pid)
			continue;
		slot->parent = 0;
		slot->is_reaped = 1;
	}
}

/*
 * Those that wait for a mutex that the dead may have held look at it: a robust one is theirs then,
 * with EOWNERDEAD.
 */
static void wake_heirs(int pid)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (lockstep_waits(slot) && slot->kind == LOCKSTEP_MUTEX &&
		    (slot->pid == pid || lockstep_is_shared(slot->addr)))
			baton_make_runnable(slot, LOCKSTEP_WOKEN);
	}
}

/* Returns the parent of the process, or 0. */
static int mark_dead(int pid)
{
	int parent = 0;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->pid != pid || !lockstep_is_alive(slot))
			continue;
		slot->state = LOCKSTEP_DEAD;
		parent = slot->parent;
		slot->is_reaped = !slot->is_main || parent == 0;
	}
	leave_children(pid);
	wake_heirs(pid);
	return parent;
}

/* Calls 'act' for each process but 'pid'. */
static void for_each_other(int pid, void (*act)(struct lockstep_slot *))
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (lockstep_is_alive(slot) && slot->is_main && slot->pid != pid && slot->pid > 0)
			act(slot);
	}
}

static void terminate(struct lockstep_slot *slot)
{
	advance_signal(slot->pid, 0, SIGTERM, NULL);
	if (slot->stopped) {
		advance_signal(slot->pid, 0, SIGCONT, NULL);
		stops_end(slot->pid);
	}
	baton_wake_for_signal(slot->pid, SIGTERM);
}

static void kill_it(struct lockstep_slot *slot)
{
	int pid = slot->pid;

	advance_signal(pid, 0, SIGKILL, NULL);
	mark_dead(pid);
	process_state_await_end(pid);
}

/*
 * The first program ends: what it leaves gets SIGTERM, and after the grace, in virtual time,
 * SIGKILL. The keeper of umadrig exec would do the same at moments that nobody can repeat.
 */
static void end_session(int pid)
{
	struct lockstep_slot *end;

	lockstep->root = 0;
	if (lockstep->grace_ns <= 0) {
		for_each_other(pid, kill_it);
		return;
	}
	for_each_other(pid, terminate);
	end = session_slot_new();
	if (!end)
		return;
	end->pid = end->parent = 0;
	end->kind = LOCKSTEP_END;
	end->deadline = lockstep->now + lockstep->grace_ns;
	end->seq = ++lockstep->seq;
	end->state = LOCKSTEP_WAITING;
}

void death_of_self(void)
{
	int pid = session_pid();

	if (!session_is_on() || lockstep_self->pid != pid || !lockstep_is_alive(lockstep_self))
		return;
	baton_wake_parent(mark_dead(pid));
	if (pid == lockstep->root)
		end_session(pid);
	lockstep->dying = pid;
	lockstep->dying_tid = 0;
	baton_pass_on(pid);
	lockstep_self = NULL;
}

/* Another thread of the process stands for it from now on. */
static void hand_over_process(void)
{
	for (uint32_t i = 0; i < lockstep->count && lockstep_self->is_main; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot == lockstep_self || slot->pid != lockstep_self->pid ||
		    !lockstep_is_thread(slot))
			continue;
		slot->is_main = 1;
		lockstep_self->is_main = 0;
	}
}

void death_of_thread(void)
{
	hand_over_process();
	lockstep_self->state = LOCKSTEP_DEAD;
	lockstep_self->is_reaped = 1;
	wake_heirs(lockstep_self->pid);
	lockstep->dying = lockstep_self->pid;
	lockstep->dying_tid = lockstep_self->tid;
	baton_pass_on(0);
	lockstep_self = NULL;
}

/* The process that it stood for ends too: its pipes would stay open until it was waited for. */
static void end_stood_for(int pid)
{
	if (pid <= 0)
		return;
	advance_signal(pid, 0, SIGKILL, NULL);
	process_state_await_end(pid);
}

void death_of_other(int pid)
{
	int stood_for = 0, parent;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->pid == pid && lockstep_is_alive(slot) && slot->is_main)
			stood_for = slot->stands_for_process;
	}
	parent = mark_dead(pid);
	process_state_await_end(pid);
	end_stood_for(stood_for);
	baton_wake_parent(parent);
	if (pid == lockstep->root)
		end_session(pid);
	lockstep->activity++;
}

void death_from_outside(struct lockstep_slot *slot)
{
	session_say("umadrig: %u %s was killed from outside while it waited\n", slot->virtual_pid,
		    slot->name);
	death_of_other(slot->pid);
}

/* Has it ended, or is it about to within 'ms' of real time? It may still be to be waited for. */
static bool has_ended(int pid, int ms)
{
	const struct timespec limit = { .tv_nsec = ms * 1000000L };
	int fd = (int)CALL_2(SYS_pidfd_open, pid, 0);
	struct pollfd end = { .fd = fd, .events = POLLIN };
	struct timespec rest = limit;
	bool ret;

	if (fd < 0)
		return fd == -ESRCH;
	ret = CALL_5(SYS_ppoll, &end, 1, &rest, NULL, 0) > 0;
	CALL_1(SYS_close, fd);
	return ret;
}

/* Where the process that it stood for was killed, a stand-in ends as that one did. */
static void tell_stand_in(const struct lockstep_slot *slot)
{
	session_say("umadrig: %u %s was killed from outside while it waited\n", slot->virtual_pid,
		    slot->name);
	advance_signal(slot->pid, 0, DELIVERY_TELLS_STAND_IN, NULL);
	baton_wake_for_signal(slot->pid, DELIVERY_TELLS_STAND_IN);
}

bool death_of_missing(void)
{
	enum { LOOK_MS = 20 };	/* a signal that was just sent takes a moment */
	bool any = false;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];
		int pid = slot->pid;

		if (!lockstep_is_alive(slot) || !slot->is_main || pid <= 0)
			continue;
		if (pid != session_pid() && has_ended(pid, LOOK_MS))
			death_from_outside(slot);
		else if (slot->stands_for_process && has_ended(slot->stands_for_process, LOOK_MS))
			tell_stand_in(slot);
		else
			continue;
		any = true;
	}
	return any;
}

static void say_killed(struct lockstep_slot *slot)
{
	session_say("umadrig: killed what had not ended %lld ms after SIGTERM, in virtual time: "
		    "%s (%u)\n", (long long)(lockstep->grace_ns / 1000000), slot->name,
		    slot->virtual_pid);
}

void death_of_all(void)
{
	int pid = session_pid();

	for_each_other(0, say_killed);
	for_each_other(pid, kill_it);
	mark_dead(pid);
	for (;;)
		CALL_2(SYS_kill, pid, SIGKILL);
}

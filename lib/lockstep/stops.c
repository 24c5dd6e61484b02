/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Stopped processes: see lib/lockstep/stops.h. */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/lockstep/baton.h"
#include "lib/lockstep/process-state.h"
#include "lib/lockstep/stops.h"
#include "lib/lockstep/system-call.h"

void (*stops_self)(int sig);

void stops_mark(int pid, int sig)
{
	int parent = 0;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->pid != pid || !lockstep_is_thread(slot))
			continue;
		slot->stopped = (uint32_t)sig;
		parent = slot->parent;
	}
	baton_wake_parent(parent);
	lockstep->activity++;
}

/*
 * A terminal's signals do not stop a process group that nobody is left to let go on: none of its
 * processes has a parent in another group of the same session (POSIX: orphaned).
 */
static bool is_orphaned(void)
{
	long group = CALL_1(SYS_getpgid, 0), own = CALL_1(SYS_getsid, 0);
	long parent = CALL_0(SYS_getppid);

	if (CALL_1(SYS_getpgid, parent) != group && CALL_1(SYS_getsid, parent) == own)
		return false;
	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->is_main && slot->parent && session_slot_of(slot->pid) == slot &&
		    CALL_1(SYS_getpgid, slot->pid) == group &&
		    CALL_1(SYS_getpgid, slot->parent) != group &&
		    CALL_1(SYS_getsid, slot->parent) == own)
			return false;
	}
	return true;
}

bool stops_by_default(int sig)
{
	return sig == SIGSTOP ||
	       ((sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU) && !is_orphaned());
}

void stops_other(int pid)
{
	const struct lockstep_slot *slot = session_slot_of(pid);

	if (!slot || slot->stopped)
		return;
	process_state_await_stop(pid, true);
	stops_mark(pid, SIGSTOP);
}

void stops_end(int pid)
{
	const struct lockstep_slot *slot = session_slot_of(pid);

	if (!slot || !slot->stopped)
		return;
	process_state_await_stop(pid, false);
	stops_mark(pid, 0);
}

int stops_signal(int pid, int sig)
{
	const struct lockstep_slot *slot = session_slot_of(pid);

	return slot && slot->stopped ? (int)slot->stopped : sig;
}

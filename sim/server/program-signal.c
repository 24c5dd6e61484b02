/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signals from the fabric: see sim/server/program-signal.h.
 */
#include "config.h"

#include "sim/server/program-signal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "lib/lockstep/table.h"
#include "sim/process/process-reap.h"
#include "sim/server/descent.h"
#include "sim/server/lockstep.h"

enum {
	END_MS = 1000,
	STOP_TRIES = 5000,	/* of 100 us: one that a debugger holds is not waited for */
	STOP_PAUSE_US = 100,
};

/* The table can be written by programs: it may name any process, but only ours are meant. */
static bool is_meant(const struct lockstep_slot *slot, const char *name)
{
	return slot->is_main && lockstep_is_thread(slot) && slot->pid > 1 &&
	       descent_of(slot->pid) &&
	       strncmp(slot->name, name, sizeof(slot->name) - 1) == 0;
}

/* ---- stops ---- */

/* All of a process's threads, which wait in the kernel. */
static bool is_of(const struct lockstep_slot *slot, int pid)
{
	return slot->pid == pid && lockstep_is_thread(slot);
}

/* Is the thread as 'is_stopped' says, or gone? The third word of its status tells. */
static bool is_so(int pid, int tid, bool is_stopped)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task/%d/stat", pid, tid);
	g_autofree char *text = NULL;
	const char *state;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return true;
	state = strrchr(text, ')');
	return !state || !state[1] || strchr("ZX", state[2]) || is_stopped == (state[2] == 'T');
}

static void await(const struct lockstep_table *table, int pid, bool is_stopped)
{
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		const struct lockstep_slot *slot = &table->slot[i];

		for (int try = 0; try < STOP_TRIES && is_of(slot, pid) && slot->tid &&
		     !is_so(pid, slot->tid, is_stopped); try++)
			g_usleep(STOP_PAUSE_US);
	}
}

static void mark(struct lockstep_table *table, int pid, int sig)
{
	int parent = 0;

	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		if (!is_of(&table->slot[i], pid))
			continue;
		table->slot[i].stopped = (uint32_t)sig;
		parent = table->slot[i].parent;
	}
	server_lockstep_tell_parent(table, parent);
	table->activity++;
}

/*
 * As lib/lockstep/stops.h has it. The process whose thread has the baton waits for our reply: it
 * stops itself when it has given the baton on.
 */
static void stop_one(struct lockstep_table *table, int pid, bool was_stopped)
{
	if (was_stopped)
		return;
	if (table->holder == pid) {
		table->stopping = -pid;
	} else {
		if (kill(pid, SIGSTOP) < 0)
			return;
		await(table, pid, true);
	}
	mark(table, pid, SIGSTOP);
}

static void let_go_on(struct lockstep_table *table, int pid, bool was_stopped)
{
	if (table->stopping == -pid)
		table->stopping = 0;
	if (kill(pid, SIGCONT) < 0)
		return;
	if (was_stopped) {
		await(table, pid, false);
		mark(table, pid, 0);
	}
	lockstep_wake_taker(table, pid, SIGCONT);
}

/* ---- signals ---- */

static void send_one(struct server_lockstep *lockstep, int pid, int sig, bool was_stopped)
{
	struct lockstep_table *table = server_lockstep_map(lockstep);

	if (sig == SIGSTOP)
		stop_one(table, pid, was_stopped);
	if (sig == SIGCONT)
		let_go_on(table, pid, was_stopped);
	if (sig == SIGSTOP || sig == SIGCONT || kill(pid, sig) < 0)
		return;
	if (sig != SIGKILL) {
		lockstep_wake_taker(table, pid, sig);
		return;
	}
	/* What it has open is closed then, before anything else happens. */
	while (!reap_has_ended(pid, END_MS))
		continue;
	server_lockstep_died(lockstep, pid);
}

int program_signal(struct server_lockstep *lockstep, const char *name, int sig, GString *why)
{
	const struct lockstep_table *table = server_lockstep_map(lockstep);
	int count = 0;

	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		if (!is_meant(&table->slot[i], name))
			continue;
		send_one(lockstep, table->slot[i].pid, sig, table->slot[i].stopped);
		count++;
	}
	if (count > 0)
		return count;
	g_string_append_printf(why, "there is no program '%s'", name);
	return -ESRCH;
}

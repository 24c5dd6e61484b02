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

enum { END_MS = 1000 };

static uint32_t slot_count(const struct lockstep_table *table)
{
	return MIN(table->count, LOCKSTEP_SLOTS);
}

/* The table can be written by programs: it may name any process, but only ours are meant. */
static bool is_meant(const struct lockstep_slot *slot, const char *name)
{
	return slot->state != LOCKSTEP_FREE && slot->state != LOCKSTEP_DEAD && slot->is_main &&
	       slot->kind != LOCKSTEP_TIMER && slot->pid > 1 && descent_of(slot->pid) &&
	       strncmp(slot->name, name, sizeof(slot->name) - 1) == 0;
}

static bool may_take(const struct lockstep_slot *slot, int pid, int sig)
{
	return slot->pid == pid && lockstep_waits(slot) && slot->kind != LOCKSTEP_TIMER &&
	       !(slot->mask >> (sig - 1) & 1);
}

void program_signal_wake(struct lockstep_table *table, int pid, int sig)
{
	struct lockstep_slot *found = NULL;

	for (uint32_t i = 0; i < slot_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (may_take(slot, pid, sig) && (!found || slot->is_main))
			found = slot;
	}
	if (!found)
		return;
	found->state = LOCKSTEP_RUNNABLE;
	found->reason = LOCKSTEP_DELIVERY;
	found->ready_seq = ++table->seq;
}

static void send_one(struct server_lockstep *lockstep, int pid, int sig)
{
	struct lockstep_table *table = server_lockstep_map(lockstep);

	if (kill(pid, sig) < 0)
		return;
	if (sig != SIGKILL) {
		program_signal_wake(table, pid, sig);
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

	for (uint32_t i = 0; i < slot_count(table); i++) {
		if (!is_meant(&table->slot[i], name))
			continue;
		send_one(lockstep, table->slot[i].pid, sig);
		count++;
	}
	if (count > 0)
		return count;
	g_string_append_printf(why, "there is no program '%s'", name);
	return -ESRCH;
}

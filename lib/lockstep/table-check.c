/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/table-check.h. */
#include "lib/lockstep/table-check.h"

#include <stddef.h>

#include "lib/base/invariant.h"

static const char *timer_check(const struct lockstep_slot *slot)
{
	MUST(slot->state == LOCKSTEP_STARTING || slot->state == LOCKSTEP_WAITING,
	     "slot: what is no thread never runs");
	MUST(slot->interval >= 0, "slot: a timer's interval is no negative time");
	NEVER(slot->baton, "slot: what is no thread never has the baton");
	return NULL;
}

static const char *slot_check(const struct lockstep_table *table, const struct lockstep_slot *slot)
{
	MUST(slot->state <= LOCKSTEP_DEAD, "slot: its state is one of those that there are");
	if (!lockstep_is_alive(slot))
		return NULL;
	MUST(slot->kind < LOCKSTEP_KINDS, "slot: it waits for something that there is");
	MUST(slot->reason <= LOCKSTEP_DELIVERY, "slot: it goes on for a reason that there is");
	MUST(slot->cookies <= LOCKSTEP_COOKIES, "slot: it has room for the handles that it awaits");
	MUST(slot->name[LOCKSTEP_NAME_SIZE - 1] == '\0', "slot: its name is terminated");
	NEVER(slot->seq > table->seq || slot->ready_seq > table->seq,
	      "slot: never has it waited since a time to come");
	return lockstep_is_thread(slot) ? NULL : timer_check(slot);
}

static const char *counts_check(const struct lockstep_table *table)
{
	MUST(table->magic == LOCKSTEP_MAGIC, "table: it is one");
	MUST(table->count <= LOCKSTEP_SLOTS, "table: it has room for its slots");
	MUST(table->handles <= LOCKSTEP_HANDLES, "table: it has room for its handles");
	MUST(table->findings <= LOCKSTEP_FINDINGS, "table: it has room for its findings");
	MUST(table->outsides <= LOCKSTEP_OUTSIDE, "table: it has room for what leads out");
	MUST(table->now >= 0, "table: time begins at 0");
	return NULL;
}

const char *lockstep_table_check(const struct lockstep_table *table,
				 const struct lockstep_slot *self)
{
	uint32_t files_due = 0;

	MUST_HOLD(counts_check(table));
	if (table->is_over)
		return NULL;
	MUST(self->state == LOCKSTEP_RUNNING, "slot: one that has the turn is running");
	MUST(table->holder == self->pid && table->holder_tid == self->tid,
	     "table: it names the thread that has the turn");
	NEVER(table->dying, "table: never does one go on before the dead are buried");
	NEVER(table->stopping, "table: never does one go on before another has stopped");
	for (uint32_t i = 0; i < table->count; i++) {
		const struct lockstep_slot *slot = &table->slot[i];

		MUST_HOLD(slot_check(table, slot));
		NEVER(slot != self && slot->state == LOCKSTEP_RUNNING,
		      "slot: never do two threads run");
		files_due += slot->kind == LOCKSTEP_TIMER && slot->file && slot->due &&
			     slot->state == LOCKSTEP_WAITING;
	}
	MUST(files_due == table->files_due, "table: it counts the timers that are due");
	return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The send table: open addressing with linear probing.
 */
#include "kmod-stub/send-table.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "kmod-stub/mad-send.h"
#include "lib/base/invariant.h"

enum {
	SLOTS_MIN = 32,
	RUN_BITS = 3,		/* consecutive TIDs have their homes in runs of 8 */
};

static inline uint32_t home_of(const struct send_table *table, uint64_t tid)
{
	uint64_t hash = (tid >> RUN_BITS) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t place = (uint32_t)(hash >> 32) << RUN_BITS | (tid & ((1u << RUN_BITS) - 1));

	return place & (table->slot_count - 1);
}

/* The slot of 'tid', or the empty one where it would go. There always is one. */
static inline uint32_t slot_of(const struct send_table *table, uint64_t tid)
{
	uint32_t slot = home_of(table, tid);

	while (table->slots[slot].sends && table->slots[slot].tid != tid)
		slot = (slot + 1) & (table->slot_count - 1);
	return slot;
}

__attribute__((noinline)) static int grow(struct send_table *table)
{
	struct send_table larger = *table;

	larger.slot_count *= 2;
	larger.slots = calloc(larger.slot_count, sizeof(struct send_slot));
	if (!larger.slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < table->slot_count; i++)
		if (table->slots[i].sends)
			larger.slots[slot_of(&larger, table->slots[i].tid)] = table->slots[i];
	free(table->slots);
	*table = larger;
	return 0;
}

int send_table_init(struct send_table *table)
{
	*table = (struct send_table){ .slot_count = SLOTS_MIN };
	table->slots = calloc(SLOTS_MIN, sizeof(struct send_slot));
	return table->slots ? 0 : -ENOMEM;
}

void send_table_clear(struct send_table *table)
{
	assert(table->count == 0 && table->used == 0);
	free(table->slots);
	*table = (struct send_table){ 0 };
}

int send_table_add(struct send_table *table, struct mad_send *send)
{
	struct send_slot *slot;
	uint32_t place;

	if (table->used >= table->slot_count / 2 && grow(table) < 0)
		return -ENOMEM;
	place = slot_of(table, send->tid);
	slot = &table->slots[place];
	table->last_slot = place;
	if (!slot->sends)
		table->used++;
	slot->tid = send->tid;
	send->same_tid_next = slot->sends;
	send->same_tid_previous = NULL;
	if (slot->sends)
		slot->sends->same_tid_previous = send;
	slot->sends = send;
	send->in_table = true;
	table->count++;
	return 0;
}

/* Entries after the hole move up into it, unless that would put them before their home. */
static void close_hole(struct send_table *table, uint32_t hole)
{
	uint32_t mask = table->slot_count - 1;

	for (uint32_t i = (hole + 1) & mask; table->slots[i].sends; i = (i + 1) & mask) {
		uint32_t home = home_of(table, table->slots[i].tid);

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			table->slots[hole] = table->slots[i];
			hole = i;
		}
	}
	table->slots[hole].sends = NULL;
	table->used--;
}

void send_table_remove(struct send_table *table, struct mad_send *send)
{
	if (!send->in_table)
		return;
	send->in_table = false;
	table->count--;
	if (send->same_tid_next)
		send->same_tid_next->same_tid_previous = send->same_tid_previous;
	if (send->same_tid_previous) {
		send->same_tid_previous->same_tid_next = send->same_tid_next;
	} else {
		uint32_t slot = table->last_slot;

		if (table->slots[slot].sends != send)
			slot = slot_of(table, send->tid);
		table->slots[slot].sends = send->same_tid_next;
		if (!send->same_tid_next)
			close_hole(table, slot);
	}
}

struct mad_send *send_table_find(const struct send_table *table, uint64_t tid,
				 uint8_t mgmt_class, struct mad_send *previous)
{
	struct mad_send *send = previous ? previous->same_tid_next :
					   table->slots[slot_of(table, tid)].sends;

	while (send && send->mgmt_class != mgmt_class)
		send = send->same_tid_next;
	return send;
}

const char *send_table_check(const struct send_table *table)
{
	uint32_t used = 0, count = 0;

	MUST(table->slot_count && !(table->slot_count & (table->slot_count - 1)),
	     "send table: the number of slots is a power of two");
	for (uint32_t i = 0; i < table->slot_count; i++) {
		const struct send_slot *slot = &table->slots[i];
		const struct mad_send *before = NULL;

		if (!slot->sends)
			continue;
		used++;
		MUST(slot_of(table, slot->tid) == i,
		     "send table: no empty slot is between a TID and its home");
		for (const struct mad_send *send = slot->sends; send; send = send->same_tid_next) {
			MUST(count++ < table->count, "send table: it counts its sends");
			MUST(send->in_table && send->tid == slot->tid,
			     "send table: a send is below its TID, and knows that it is there");
			MUST(send->same_tid_previous == before,
			     "send table: sends of one TID know each other");
			before = send;
		}
	}
	MUST(count == table->count, "send table: it counts its sends");
	MUST(used == table->used, "send table: it counts the slots in use");
	MUST(used <= table->slot_count / 2, "send table: half of the slots are empty");
	return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The send table: outstanding sends of a host by TID and class. It answers two questions for each
 * MAD without looking at all the others: is this write a duplicate, and which request does this
 * response answer?
 *
 * It uses open addressing, so that a missing TID costs one memory access, and no send is touched
 * because of another. Consecutive TIDs are neighbours. Sends with the same TID
 * (segments of RMPP by the user) are linked to each other.
 */
#ifndef UMADRIG_KMOD_STUB_SEND_TABLE_H
#define UMADRIG_KMOD_STUB_SEND_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct mad_send;

struct send_slot {
	uint64_t tid;
	struct mad_send *sends;	/* with this TID; NULL: the slot is empty */
};

struct send_table {
	struct send_slot *slots;	/* a power of two of them, at most half in use */
	uint32_t slot_count;
	uint32_t used;		/* slots */
	uint32_t count;		/* sends */
	uint32_t last_slot;	/* of the last send, unless entries have moved since */
};

static inline bool send_table_is_empty(const struct send_table *table)
{
	return table->count == 0;
}

/* An empty table. -ENOMEM. */
int send_table_init(struct send_table *table);
/* Frees the table's own memory; it must be empty of sends. */
void send_table_clear(struct send_table *table);

/* Files 'send' under its TID. -ENOMEM. */
int send_table_add(struct send_table *table, struct mad_send *send);
/* Removes it; does nothing if it is not in the table. */
void send_table_remove(struct send_table *table, struct mad_send *send);

/* Its invariants: lib/base/invariant.h. */
const char *send_table_check(const struct send_table *table);

/*
 * The first send with this TID and class after 'previous' (NULL: from the start), or NULL. Sends
 * with equal TID and class come in no useful order.
 */
struct mad_send *send_table_find(const struct send_table *table, uint64_t tid,
				 uint8_t mgmt_class, struct mad_send *previous);

#endif

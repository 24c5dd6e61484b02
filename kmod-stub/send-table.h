/*
 * The send table: outstanding sends of a host by TID and class. It answers two questions for each
 * MAD without looking at all the others: is this write a duplicate, and which request does this
 * response answer.
 */
#ifndef KMOD_SEND_TABLE_H
#define KMOD_SEND_TABLE_H

#include <stdint.h>

struct mad_send;

struct send_table {
	struct mad_send **chains;	/* a power of two of them */
	uint32_t chain_count;
	uint32_t count;
};

/* An empty table. -ENOMEM. */
int send_table_init(struct send_table *table);
/* Frees the table's own memory; it must be empty of sends. */
void send_table_clear(struct send_table *table);

/* Files 'send' under its TID and class. Never fails: without memory the chains get longer. */
void send_table_add(struct send_table *table, struct mad_send *send);
/* Takes it out; nothing happens where it is not in. */
void send_table_remove(struct send_table *table, struct mad_send *send);

/*
 * The first send with this TID and class after 'previous' (NULL: from the start), or NULL. Sends
 * with equal TID and class come in no useful order.
 */
struct mad_send *send_table_find(const struct send_table *table, uint64_t tid,
				 uint8_t mgmt_class, struct mad_send *previous);

#endif

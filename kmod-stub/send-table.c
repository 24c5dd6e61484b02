/*
 * The send table: chains through the sends themselves, as many chains as sends at least.
 */
#include "send-table.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "mad-send.h"

enum { CHAINS_MIN = 16 };

static uint32_t chain_of(uint32_t chain_count, uint64_t tid, uint8_t mgmt_class)
{
	/* TIDs count upwards in both halves: a multiplication spreads all of their bits. */
	uint64_t hash = (tid ^ (uint64_t)mgmt_class << 56) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(hash >> 32) & (chain_count - 1);
}

static void chain_push(struct mad_send **chain, struct mad_send *send)
{
	send->chain_next = *chain;
	send->chain_link = chain;
	if (*chain)
		(*chain)->chain_link = &send->chain_next;
	*chain = send;
}

static void chains_grow(struct send_table *table)
{
	uint32_t count = table->chain_count * 2;
	struct mad_send **chains = calloc(count, sizeof(struct mad_send *));

	if (!chains)
		return;
	for (uint32_t i = 0; i < table->chain_count; i++) {
		while (table->chains[i]) {
			struct mad_send *send = table->chains[i];

			table->chains[i] = send->chain_next;
			chain_push(&chains[chain_of(count, send->tid, send->mgmt_class)], send);
		}
	}
	free(table->chains);
	table->chains = chains;
	table->chain_count = count;
}

int send_table_init(struct send_table *table)
{
	table->chains = calloc(CHAINS_MIN, sizeof(struct mad_send *));
	if (!table->chains)
		return -ENOMEM;
	table->chain_count = CHAINS_MIN;
	table->count = 0;
	return 0;
}

void send_table_clear(struct send_table *table)
{
	assert(table->count == 0);
	free(table->chains);
	*table = (struct send_table){ 0 };
}

void send_table_add(struct send_table *table, struct mad_send *send)
{
	uint32_t chain;

	if (table->count >= table->chain_count)
		chains_grow(table);
	chain = chain_of(table->chain_count, send->tid, send->mgmt_class);
	chain_push(&table->chains[chain], send);
	table->count++;
}

void send_table_remove(struct send_table *table, struct mad_send *send)
{
	if (!send->chain_link)
		return;
	*send->chain_link = send->chain_next;
	if (send->chain_next)
		send->chain_next->chain_link = send->chain_link;
	send->chain_next = NULL;
	send->chain_link = NULL;
	table->count--;
}

struct mad_send *send_table_find(const struct send_table *table, uint64_t tid,
				 uint8_t mgmt_class, struct mad_send *previous)
{
	struct mad_send *send;

	if (previous)
		send = previous->chain_next;
	else
		send = table->chains[chain_of(table->chain_count, tid, mgmt_class)];
	while (send && (send->tid != tid || send->mgmt_class != mgmt_class))
		send = send->chain_next;
	return send;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Records of switches: SwitchInfoRecord, LinearForwardingTableRecord and
 * MulticastForwardingTableRecord (IBA vol 1, 15.2.5.5, 15.2.5.6 and 15.2.5.8).
 */
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/route.h"
#include "sim/sa/sa-list.h"

enum {
	LID_COMPONENT = 0,

	/* SwitchInfoRecord, in bytes */
	SWITCH_INFO = 4,
	SWITCH_INFO_SIZE = 20,

	/* The tables */
	BLOCK_NUM = 2,
	TABLE = 8,
	LIDS_PER_BLOCK = 64,
	POSITION_SHIFT = 12,		/* in the 16 bits of Position and BlockNum */
	MODIFIER_SHIFT = 28,
	PORTS_PER_POSITION = 16,
	MULTICAST_LIDS_PER_BLOCK = 32,
};

typedef void switch_fn(struct sa_table *table, struct node *node, uint8_t *record);

/* Calls 'offer' for the switches that the LID selects, with a record that begins with it. */
static enum sa_status for_switches(const struct sa_request *request, struct sa_table *table,
				   switch_fn *offer)
{
	struct sa_ends at = { 0 };
	struct end_port *end;

	sa_table_skip(table, SA_COMPONENT(LID_COMPONENT));
	while (!sa_table_is_done(table) && (end = sa_ends_next(request->subnet, &at))) {
		uint8_t record[SA_RECORD_MAX] = { 0 };

		if (!end->port->node->sw || !sa_may_see(request, end) ||
		    sa_other_lid(request, LID_COMPONENT, 0, end))
			continue;
		put_be16(record, end->attr.lid);
		offer(table, end->port->node, record);
	}
	return SA_OK;
}

static void offer_switch(struct sa_table *table, struct node *node, uint8_t *record)
{
	uint8_t data[SMP_DATA_SIZE];

	sma_read(&node->ports[0], ATTR_SWITCH_INFO, 0, data);
	memcpy(record + SWITCH_INFO, data, SWITCH_INFO_SIZE);
	sa_table_offer(table, record);
}

enum sa_status sa_list_switches(const struct sa_request *request, struct sa_table *table)
{
	return for_switches(request, table, offer_switch);
}

/* The blocks up to LinearFDBTop. */
static void offer_linear(struct sa_table *table, struct node *node, uint8_t *record)
{
	unsigned int last;

	switch_lft(node, 0);		/* it has a top once it is computed */
	last = node->sw->lft_top / LIDS_PER_BLOCK;
	for (unsigned int block = 0; block <= last; block++) {
		put_be16(record + BLOCK_NUM, (uint16_t)block);
		sma_read_modified(&node->ports[0], ATTR_LINEAR_TABLE, block, record + TABLE);
		sa_table_offer(table, record);
	}
}

enum sa_status sa_list_linear(const struct sa_request *request, struct sa_table *table)
{
	return for_switches(request, table, offer_linear);
}

/* How many blocks are in use: up to the last one that has a port for a LID; 0: none. */
static unsigned int multicast_blocks(const struct node *node)
{
	const struct switch_part *sw = node->sw;
	size_t positions = node->port_count / PORTS_PER_POSITION + 1U;
	unsigned int lids = 0;

	for (size_t i = 0; sw->mft && i < positions * sw->mft_cap; i++) {
		if (sw->mft[i])
			lids = MAX(lids, (unsigned int)(i % sw->mft_cap) + 1);
	}
	return (lids + MULTICAST_LIDS_PER_BLOCK - 1) / MULTICAST_LIDS_PER_BLOCK;
}

static void offer_multicast(struct sa_table *table, struct node *node, uint8_t *record)
{
	unsigned int blocks = multicast_blocks(node);
	unsigned int positions = node->port_count / PORTS_PER_POSITION + 1U;

	for (unsigned int block = 0; block < blocks; block++) {
		for (unsigned int position = 0; position < positions; position++) {
			put_be16(record + BLOCK_NUM,
				 (uint16_t)(position << POSITION_SHIFT | block));
			sma_read_modified(&node->ports[0], ATTR_MULTICAST_TABLE,
					  position << MODIFIER_SHIFT | block, record + TABLE);
			sa_table_offer(table, record);
		}
	}
}

enum sa_status sa_list_multicast(const struct sa_request *request, struct sa_table *table)
{
	return for_switches(request, table, offer_multicast);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * GUIDInfoRecord: the GUIDs of an end port, and its aliases, which hypervisors register for their
 * virtual machines (IBA vol 1, 15.2.5.18).
 */
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/node-change.h"
#include "sim/sa/sa-list.h"
#include "sim/sa/sa-store.h"

enum {
	/* Components */
	LID_COMPONENT = 0,
	BLOCK_COMPONENT = 1,
	FIRST_GUID_COMPONENT = 4,

	/* Bytes */
	BLOCK = 2,
	GUIDS = 8,
	GUIDS_PER_BLOCK = 8,
};

#define ASSIGNED_FROM UINT64_C(0x0014050000000000)	/* GUIDs of the SA's choice */

enum sa_status sa_list_guids(const struct sa_request *request, struct sa_table *table)
{
	struct sa_ends at = { 0 };
	struct end_port *end;

	sa_table_skip(table, SA_COMPONENT(LID_COMPONENT));
	while (!sa_table_is_done(table) && (end = sa_ends_next(request->subnet, &at))) {
		if (sa_other_lid(request, LID_COMPONENT, 0, end) || !sa_may_see(request, end))
			continue;
		for (unsigned int i = 0; i * GUIDS_PER_BLOCK < end->attr.gid_count; i++) {
			uint8_t record[SA_RECORD_MAX] = { 0 };

			put_be16(record, end->attr.lid);
			record[BLOCK] = (uint8_t)i;
			sma_read_modified(end->port, ATTR_GUID_INFO, i, record + GUIDS);
			sa_table_offer(table, record);
		}
	}
	return SA_OK;
}

/* ---- aliases ---- */

/* The port whose block the request names. */
static enum sa_status read_port(const struct sa_request *request, struct end_port **ret_end)
{
	struct end_port *end = sa_end_by_lid(request->subnet, get_be16(request->data));
	unsigned int block = request->data[BLOCK];

	if (!sa_has(request, LID_COMPONENT) || !sa_has(request, BLOCK_COMPONENT))
		return SA_INSUFFICIENT_COMPONENTS;
	if (!end || !sa_may_see(request, end) || block * GUIDS_PER_BLOCK >= end->attr.gid_count)
		return SA_NO_RECORDS;
	/* The port's own GUID, the first, is nobody's to change. */
	if (block == 0 && sa_has(request, FIRST_GUID_COMPONENT))
		return SA_REQ_INVALID;
	*ret_end = end;
	return SA_OK;
}

static bool is_taken(const struct subnet *subnet, uint64_t guid)
{
	uint8_t gid[16];

	put_be64(gid, GID_PREFIX_LINK_LOCAL);
	put_be64(gid + 8, guid);
	return sa_end_by_gid(subnet, gid) != NULL;
}

/* A GUID that no port has. */
static uint64_t assign(const struct subnet *subnet)
{
	uint64_t guid;

	do {
		guid = ASSIGNED_FROM + ++subnet->sa->store->guids_assigned;
	} while (is_taken(subnet, guid));
	return guid;
}

/* 'guid' 0: none. */
static void set_alias(struct end_port *end, size_t index, uint64_t guid)
{
	put_be64(end->gids[index], guid ? end->gid_prefix : 0);
	put_be64(end->gids[index] + 8, guid);
	node_changed(end->port->node);
}

/* The GUID that 'end' has at 'index'; 0: none. */
static uint64_t guid_at(const struct end_port *end, size_t index)
{
	return get_be64(end->gids[index] + 8);
}

/* What entry 'index' is to be when 'guid' is wished for; 0: any, such as what it is already. */
static uint64_t choose(const struct sa_request *request, const struct end_port *end, size_t index,
		       uint64_t guid)
{
	uint64_t present = guid_at(end, index);

	if (!guid)
		return present ? present : assign(request->subnet);
	return is_taken(request->subnet, guid) ? present : guid;
}

/* The request selects GUIDs of 'end' by its mask: the first index that it has from 'index' on. */
static bool next_selected(const struct sa_request *request, const struct end_port *end,
			  size_t *index)
{
	size_t first = (size_t)request->data[BLOCK] * GUIDS_PER_BLOCK;
	size_t last = MIN(first + GUIDS_PER_BLOCK, end->attr.gid_count);

	for (*index = MAX(*index, first); *index < last; ++*index) {
		if (sa_has(request, FIRST_GUID_COMPONENT + (unsigned int)(*index - first)))
			return true;
	}
	return false;
}

/* The answer is the whole block as it is now: an alias that was refused is not in it. */
static void answer_block(const struct sa_request *request, struct end_port *end, uint8_t *answer)
{
	memcpy(answer, request->data, GUIDS);
	sma_read_modified(end->port, ATTR_GUID_INFO, request->data[BLOCK], answer + GUIDS);
}

enum sa_status sa_set_guids(const struct sa_request *request, uint8_t *answer)
{
	size_t first = (size_t)request->data[BLOCK] * GUIDS_PER_BLOCK;
	struct end_port *end = NULL;
	enum sa_status status = read_port(request, &end);

	if (status != SA_OK)
		return status;
	for (size_t i = 0; next_selected(request, end, &i); i++) {
		uint64_t guid = get_be64(request->data + GUIDS + (i - first) * 8);

		set_alias(end, i, choose(request, end, i, guid));
	}
	answer_block(request, end, answer);
	return SA_OK;
}

enum sa_status sa_remove_guids(const struct sa_request *request, uint8_t *answer)
{
	struct end_port *end = NULL;
	enum sa_status status = read_port(request, &end);

	if (status != SA_OK)
		return status;
	for (size_t i = 0; next_selected(request, end, &i); i++) {
		if (sa_is_member(request->subnet, guid_at(end, i)))
			return SA_DENIED;
	}
	for (size_t i = 0; next_selected(request, end, &i); i++)
		set_alias(end, i, 0);
	answer_block(request, end, answer);
	return SA_OK;
}

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

/* The port whose block the request names; NULL: it names none that it may change. */
static struct end_port *named(const struct sa_request *request)
{
	struct end_port *end = sa_end_by_lid(request->subnet, get_be16(request->data));
	size_t first = (size_t)request->data[BLOCK] * GUIDS_PER_BLOCK;

	if (!sa_has(request, LID_COMPONENT) || !sa_has(request, BLOCK_COMPONENT) || !end ||
	    !sa_may_see(request, end) || first >= end->attr.gid_count)
		return NULL;
	return end;
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

/* What entry 'index' is to be when 'guid' is wished for (0: any). 0: it stays as it is. */
static uint64_t choose(const struct sa_request *request, const struct end_port *end, size_t index,
		       uint64_t guid)
{
	if (index == 0)
		return 0;
	if (!guid)
		return assign(request->subnet);
	if (guid != get_be64(end->gids[index] + 8) && is_taken(request->subnet, guid))
		return 0;
	return guid;
}

/*
 * Carries out a Set, or a Delete, of those GUIDs that the mask has. The port's own GUID, the first,
 * is nobody's to change. An answer has what each has become: 0 where that was refused.
 */
static enum sa_status change(const struct sa_request *request, uint8_t *answer, bool is_set)
{
	struct end_port *end = named(request);
	size_t first = (size_t)request->data[BLOCK] * GUIDS_PER_BLOCK;

	if (!end)
		return SA_REQ_INVALID;
	memcpy(answer, request->data, GUIDS);
	for (size_t i = 0; i < GUIDS_PER_BLOCK && first + i < end->attr.gid_count; i++) {
		uint64_t guid = get_be64(request->data + GUIDS + i * 8);

		if (!sa_has(request, FIRST_GUID_COMPONENT + (unsigned int)i))
			continue;
		if (is_set)
			guid = choose(request, end, first + i, guid);
		if (first + i > 0 && (!is_set || guid))
			set_alias(end, first + i, is_set ? guid : 0);
		put_be64(answer + GUIDS + i * 8, guid);
	}
	return SA_OK;
}

enum sa_status sa_set_guids(const struct sa_request *request, uint8_t *answer)
{
	return change(request, answer, true);
}

enum sa_status sa_remove_guids(const struct sa_request *request, uint8_t *answer)
{
	return change(request, answer, false);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * NodeRecord: one for each end port (IBA vol 1, 15.2.5.2).
 */
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/sa/sa-list.h"

enum {
	LID_COMPONENT = 0,		/* of all records that begin with a LID */

	/* NodeRecord, in bytes */
	NODE_INFO = 4,
	NODE_INFO_SIZE = 40,
	NODE_DESCRIPTION = 44,
};

enum sa_status sa_list_nodes(const struct sa_request *request, struct sa_table *table)
{
	struct sa_ends at = { 0 };
	struct end_port *end;

	sa_table_skip(table, SA_COMPONENT(LID_COMPONENT));
	while (!sa_table_is_done(table) && (end = sa_ends_next(request->subnet, &at))) {
		uint8_t record[SA_RECORD_MAX] = { 0 }, data[SMP_DATA_SIZE];

		if (sa_other_lid(request, LID_COMPONENT, 0, end) || !sa_may_see(request, end))
			continue;
		put_be16(record, end->attr.lid);
		/* LocalPortNum is the port that the record is of. */
		sma_read(end->port, ATTR_NODE_INFO, 0, data);
		memcpy(record + NODE_INFO, data, NODE_INFO_SIZE);
		sma_read(end->port, ATTR_NODE_DESCRIPTION, 0, record + NODE_DESCRIPTION);
		sa_table_offer(table, record);
	}
	return SA_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * LinkRecord: one for each end of a link that is up (IBA vol 1, 15.2.5.13).
 */
#include "sim/sa/sa-list.h"

enum {
	FROM_LID_COMPONENT = 0,
	TO_LID_COMPONENT = 3,

	FROM_LID = 0,			/* in bytes */
	FROM_PORT = 2,
	TO_PORT = 3,
	TO_LID = 4,
};

static void offer_link(const struct sa_request *request, struct sa_table *table,
		       const struct port *port)
{
	const struct end_port *from = port_speaker(port);
	const struct end_port *to = port_is_linked(port) ? port_speaker(port->peer) : NULL;
	uint8_t record[SA_RECORD_MAX] = { 0 };

	if (!to || !from->attr.lid || !to->attr.lid || !sa_may_see(request, from) ||
	    !sa_may_see(request, to) || !sa_common_p_key(from, to) ||
	    sa_other_lid(request, FROM_LID_COMPONENT, FROM_LID, from) ||
	    sa_other_lid(request, TO_LID_COMPONENT, TO_LID, to))
		return;
	put_be16(record + FROM_LID, from->attr.lid);
	record[FROM_PORT] = port->num;
	record[TO_PORT] = port->peer->num;
	put_be16(record + TO_LID, to->attr.lid);
	sa_table_offer(table, record);
}

enum sa_status sa_list_links(const struct sa_request *request, struct sa_table *table)
{
	struct sa_ends at = { 0 };
	const struct end_port *end;

	sa_table_skip(table, SA_COMPONENT(FROM_LID_COMPONENT) | SA_COMPONENT(TO_LID_COMPONENT));
	while (!sa_table_is_done(table) && (end = sa_ends_next(request->subnet, &at))) {
		const struct node *node = end->port->node;
		bool is_whole = node->sw || node->planes;	/* one end port for all ports */

		for (unsigned int num = 1; is_whole && num <= node->port_count; num++)
			offer_link(request, table, &node->ports[num]);
		if (!is_whole)
			offer_link(request, table, end->port);
	}
	return SA_OK;
}

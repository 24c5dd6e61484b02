/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whether a subnet manager is missed: see sim/host/sm-missed.h.
 */
#include "sim/host/sm-missed.h"

#include "lib/base/wire.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

void sm_missed_look(struct umadrig_fabric *fabric, const uint8_t *mad)
{
	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_ADM)
		return;
	if (!(mad[MAD_METHOD] & MAD_METHOD_RESPONSE))
		fabric->sa_was_asked = true;
	else if (get_be16(mad + MAD_STATUS) != MAD_STATUS_BAD_METHOD_ATTR)
		/* With that status the MAD layer itself answers a Get that no agent takes. */
		fabric->sm_was_there = true;
}

void sm_missed_not(struct umadrig_fabric *fabric)
{
	fabric->sm_was_there = true;
}

enum sm_missed sm_missed(const struct umadrig_fabric *fabric, const struct umadrig_host *host)
{
	if (fabric->sm_was_there || fabric->captured || fabric_has_sa(fabric))
		return SM_NOT_MISSED;
	if (fabric->sa_was_asked)
		return SM_MISSED_BY_REQUEST;
	for (unsigned int i = 0; i < host->node_count; i++) {
		const struct node *node = host->nodes[i];

		for (unsigned int num = 1; num <= node->port_count; num++) {
			const struct end_port *end = node->ports[num].end;

			if (end && end->attr.lid != 0)
				return SM_NOT_MISSED;
		}
	}
	return SM_MISSED_BY_PORT;
}

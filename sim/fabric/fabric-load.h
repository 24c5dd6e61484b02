/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The load of a fabric: flows between end ports, which have a rate and no packets. A flow goes the
 * way of the forwarding tables, as a packet to the LID of its end would, and moves PortXmitData,
 * PortXmitPkts, PortRcvData, PortRcvPkts and PortXmitWait of the ports on it (sim/fabric/motion.h).
 *
 * What each flow carries is its max-min fair share: the rates of all flows grow alike; one stops at
 * the rate that was wanted for it, or, with all others there, at a link that is full
 * (sim/fabric/load-share.c). In front of that link its ports wait for credits: they count
 * PortXmitWait in the share of time in which they do not send. A flow without a whole way, with
 * links that are Active, carries nothing.
 *
 * Ways and shares are worked out when a counter is read, or when something is about to change on
 * which they depend: who changes that calls load_touch() before (sim/fabric/load-touch.h). So a
 * load costs nothing while nobody reads and nothing changes, and what is read does not depend on
 * who has read before.
 */
#ifndef UMADRIG_SIM_FABRIC_FABRIC_LOAD_H
#define UMADRIG_SIM_FABRIC_FABRIC_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum flow_state {
	FLOW_GOES,		/* carries what was wanted */
	FLOW_HELD,		/* 'at' is full */
	FLOW_NO_LID,		/* 'at', its end, has no LID */
	FLOW_LINK_DOWN,		/* the link of 'at' is not up, or not Active */
	FLOW_NO_ROUTE,		/* the switch that 'at' leads to has no port for the LID */
	FLOW_MISLED,		/* 'at' leads to another end port than the flow's, or in a circle */
};

struct flow {
	int id;			/* of the order that it is part of */
	uint32_t packet_size;	/* octets, from the LRH through the ICRC */
	struct end_port *from, *to;
	uint64_t wanted, carried;	/* bits per second */
	enum flow_state state;
	const struct port *at;	/* NULL: it goes */
};

/* The flows that a text orders. */
struct load_order {
	char *from, *to;	/* as the text has them */
	uint64_t bits_per_s;
	uint32_t packet_size;
};

enum { FLOW_PACKET_SIZE = 4096 };	/* unless the text says otherwise */

/*
 * "H1:H2:100G", "H1[1]:H2[1]:100G:size=2048": names with colons in them are in double quotes. FROM
 * or TO may be "all": every CA port with a cable, and then TO "next": each of them to the one after
 * it, the last to the first. 0 and an order to be freed with load_order_clear(), or -EINVAL with a
 * message.
 */
int load_order_parse(const char *text, struct load_order *ret_order, char *reterr,
		     size_t reterr_size);
void load_order_clear(struct load_order *order);

/* All of these: lock held. */

/*
 * Adds the flows of an order. Its id (> 0, never used again), or with a message: -EINVAL the text;
 * -ENOENT there is no such node or port; -E2BIG too many flows.
 */
int load_add(struct umadrig_fabric *fabric, const char *text, char *reterr, size_t reterr_size);
/* Ends the flows of order 'id', or 0: all. What they have moved remains. -ENOENT: there is none. */
int load_remove(struct umadrig_fabric *fabric, int id);
/* Frees everything. */
void load_clear(struct umadrig_fabric *fabric);

/* Flow 'at' as it is now, in the order of their orders; NULL: there are fewer. */
const struct flow *load_flow(struct umadrig_fabric *fabric, size_t at);

#endif

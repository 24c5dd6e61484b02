/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A request of subnet administration, and the ports that it is about.
 */
#ifndef UMADRIG_SIM_SA_SA_REQUEST_H
#define UMADRIG_SIM_SA_SA_REQUEST_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/wire.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/subnet.h"

/* MAD status: the class's own byte (IBA vol 1, table 189). */
enum sa_status {
	SA_OK = 0,
	SA_NO_RESOURCES = 0x0100,
	SA_REQ_INVALID = 0x0200,
	SA_NO_RECORDS = 0x0300,
	SA_TOO_MANY_RECORDS = 0x0400,
	SA_INVALID_GID = 0x0500,
	SA_INSUFFICIENT_COMPONENTS = 0x0600,
	SA_DENIED = 0x0700,
	SA_BAD_METHOD_ATTR = 0x000c,
	SA_DISCARDED = 0xffff,		/* no answer at all */
};

enum sa_method {
	SA_GET = 0x01,
	SA_SET = 0x02,
	SA_REPORT = 0x06,
	SA_GET_TABLE = 0x12,
	SA_GET_MULTI = 0x14,
	SA_DELETE = 0x15,
	SA_REPORT_RESP = 0x86,
};

enum sa_attribute {
	SA_CLASS_PORT_INFO = 0x0001,
	SA_NOTICE = 0x0002,
	SA_INFORM_INFO = 0x0003,
	SA_NODE_RECORD = 0x0011,
	SA_PORT_INFO_RECORD = 0x0012,
	SA_SL_TO_VL_RECORD = 0x0013,
	SA_SWITCH_INFO_RECORD = 0x0014,
	SA_LINEAR_RECORD = 0x0015,
	SA_MULTICAST_RECORD = 0x0017,
	SA_SM_INFO_RECORD = 0x0018,
	SA_LINK_RECORD = 0x0020,
	SA_GUID_INFO_RECORD = 0x0030,
	SA_SERVICE_RECORD = 0x0031,
	SA_P_KEY_RECORD = 0x0033,
	SA_PATH_RECORD = 0x0035,
	SA_VL_ARBITRATION_RECORD = 0x0036,
	SA_MEMBER_RECORD = 0x0038,
	SA_MULTI_PATH_RECORD = 0x003a,
	SA_INFORM_INFO_RECORD = 0x00f3,
};

/* Component 'number' of a ComponentMask. */
#define SA_COMPONENT(number) (UINT64_C(1) << (number))

struct sa_request {
	struct subnet *subnet;		/* whose SA is asked */
	struct end_port *from;		/* who asks */
	const uint8_t *header;		/* the user header that the request came with */
	const uint8_t *data;		/* the record: all that the MAD has */
	uint64_t mask;			/* ComponentMask */
	uint32_t modifier;
	uint16_t attr_id;
	uint8_t method;			/* enum sa_method */
	bool is_trusted;		/* it has the SM_Key */
};

/* Is the component in the request's mask? */
static inline bool sa_has(const struct sa_request *request, unsigned int component)
{
	return request->mask & SA_COMPONENT(component);
}

/* ---- the ports that a request is about ---- */

/* The subnet's end ports with a LID, of nodes that are there, in order: NULL after the last. */
struct sa_ends {
	unsigned int next;
};
struct end_port *sa_ends_next(const struct subnet *subnet, struct sa_ends *at);

/* The end port with this LID that is there; NULL: none. */
struct end_port *sa_end_by_lid(const struct subnet *subnet, uint16_t lid);

/* The end port that has this GID (16 bytes); the link-local prefix is any subnet's. NULL: none. */
struct end_port *sa_end_by_gid(const struct subnet *subnet, const uint8_t *gid);

/*
 * Two end ports have a P_Key in common, at least one as a full member (IBA vol 1, 10.9.3): that of
 * 'a'; 0: they have none, and neither learns of the other from the SA (15.4.1.2).
 */
uint16_t sa_common_p_key(const struct end_port *a, const struct end_port *b);

/* Does the requester share a partition with it? */
static inline bool sa_may_see(const struct sa_request *request, const struct end_port *end)
{
	return sa_common_p_key(request->from, end) != 0;
}

/*
 * Is a LID in the request's component 'number', at byte 'at' of the record, not one of the port's?
 * With an LMC each of its LIDs means the port.
 */
bool sa_other_lid(const struct sa_request *request, unsigned int number, unsigned int at,
		  const struct end_port *end);

#endif

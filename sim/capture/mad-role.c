/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Roles of MADs: see sim/capture/mad-role.h.
 */
#include "sim/capture/mad-role.h"

#include <string.h>

/*
 * Messages of the CM (IBA vol 1, 12.6); the IDs that they carry are in 12.6.5 to 12.6.12 and 12.11.
 */
enum {
	CM_CONNECT_REQUEST = 0x0010,
	CM_RECEIPT = 0x0011,		/* MRA */
	CM_REJECT = 0x0012,
	CM_CONNECT_REPLY = 0x0013,
	CM_READY = 0x0014,
	CM_DISCONNECT_REQUEST = 0x0015,
	CM_DISCONNECT_REPLY = 0x0016,
	CM_SERVICE_REQUEST = 0x0017,
	CM_SERVICE_REPLY = 0x0018,
	CM_LOAD_PATH = 0x0019,
	CM_PATH_RESPONSE = 0x001a,
	CM_SUGGEST_PATH = 0x001b,
	CM_SUGGEST_RESPONSE = 0x001c,

	CM_LOCAL_ID = MAD_HDR_SIZE,
	CM_REMOTE_ID = MAD_HDR_SIZE + 4,
	CM_ABOUT = MAD_HDR_SIZE + 8,	/* high 2 bits: the message that MRA or REJ is about */
	CM_ABOUT_REQUEST = 0,
	CM_ABOUT_REPLY = 1,
	CM_ABOUT_PATH = 2,		/* of MRA; of REJ: about no message */
};

/* The part of a message of the CM in a conversation. */
struct cm_part {
	enum mad_role role;
	uint16_t begins;		/* the attribute that began the conversation */
	bool by_remote;			/* the remote ID is the beginning side's */
};

static struct cm_part cm_about(const uint8_t *mad, bool is_receipt)
{
	unsigned int about = mad[CM_ABOUT] >> 6;
	struct cm_part part = { MAD_ROLE_DELAYS, CM_CONNECT_REQUEST, true };

	if (is_receipt && about == CM_ABOUT_PATH)
		part.begins = CM_LOAD_PATH;
	/* About the reply: it comes from the side that began. */
	if (about == CM_ABOUT_REPLY || !get_be32(mad + CM_REMOTE_ID))
		part.by_remote = false;
	if (!is_receipt)
		part.role = about == CM_ABOUT_REPLY ? MAD_ROLE_CLOSES : MAD_ROLE_ANSWERS;
	return part;
}

static struct cm_part cm_part(const uint8_t *mad)
{
	uint16_t attribute = get_be16(mad + MAD_ATTR_ID);

	switch (attribute) {
	case CM_CONNECT_REQUEST:
	case CM_DISCONNECT_REQUEST:
	case CM_SERVICE_REQUEST:
	case CM_LOAD_PATH:
	case CM_SUGGEST_PATH:
		return (struct cm_part){ MAD_ROLE_ASKS, attribute, false };
	case CM_CONNECT_REPLY:
		return (struct cm_part){ MAD_ROLE_ANSWERS, CM_CONNECT_REQUEST, true };
	case CM_DISCONNECT_REPLY:
		return (struct cm_part){ MAD_ROLE_ANSWERS, CM_DISCONNECT_REQUEST, true };
	case CM_SERVICE_REPLY:		/* both carry the one request ID */
		return (struct cm_part){ MAD_ROLE_ANSWERS, CM_SERVICE_REQUEST, false };
	case CM_PATH_RESPONSE:
		return (struct cm_part){ MAD_ROLE_ANSWERS, CM_LOAD_PATH, true };
	case CM_SUGGEST_RESPONSE:
		return (struct cm_part){ MAD_ROLE_ANSWERS, CM_SUGGEST_PATH, true };
	case CM_READY:
		return (struct cm_part){ MAD_ROLE_CLOSES, CM_CONNECT_REQUEST, false };
	case CM_RECEIPT:
		return cm_about(mad, true);
	case CM_REJECT:
		return cm_about(mad, false);
	default:	/* a number from the wire */
		return (struct cm_part){ MAD_ROLE_SENDS, attribute, false };
	}
}

static bool is_cm_message(const uint8_t *mad)
{
	return mad[MAD_CLASS] == MAD_CLASS_CM && mad[MAD_METHOD] == MAD_METHOD_SEND;
}

enum mad_role mad_role(const uint8_t *mad)
{
	if (mad_is_rmpp(mad) && mad[RMPP_TYPE] > RMPP_TYPE_DATA &&
	    mad[RMPP_TYPE] <= RMPP_TYPE_ABORT)
		return MAD_ROLE_CONTROLS;
	if (is_cm_message(mad))
		return cm_part(mad).role;
	if (mad_is_response(mad))
		return MAD_ROLE_ANSWERS;
	if (mad[MAD_METHOD] == MAD_METHOD_SEND && mad[MAD_CLASS] != MAD_CLASS_BM)
		return MAD_ROLE_SENDS;
	return MAD_ROLE_ASKS;
}

struct mad_key mad_key(const uint8_t *mad)
{
	struct mad_key key = {
		.mgmt_class = mad[MAD_CLASS],
		.attribute = get_be16(mad + MAD_ATTR_ID),
		.id = get_be64(mad + MAD_TID),
	};

	if (is_cm_message(mad)) {
		struct cm_part part = cm_part(mad);

		key.attribute = part.begins;
		key.id = get_be32(mad + (part.by_remote ? CM_REMOTE_ID : CM_LOCAL_ID));
	}
	return key;
}

unsigned int mad_key_hash(const struct mad_key *key)
{
	uint64_t mixed = key->id ^ (uint64_t)key->mgmt_class << 48 ^
			 (uint64_t)key->attribute << 32;

	return (unsigned int)(mixed * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

bool mad_key_equal(const struct mad_key *a, const struct mad_key *b)
{
	return a->mgmt_class == b->mgmt_class && a->attribute == b->attribute && a->id == b->id;
}

bool mad_expects_close(const uint8_t *mad)
{
	return is_cm_message(mad) && get_be16(mad + MAD_ATTR_ID) == CM_CONNECT_REPLY;
}

bool mad_method_answers(const uint8_t *request, const uint8_t *answer)
{
	uint8_t method = request[MAD_METHOD];

	if (is_cm_message(request))
		return is_cm_message(answer);
	if (request[MAD_CLASS] == MAD_CLASS_BM && answer[MAD_METHOD] == method)
		return get_be32(answer + MAD_ATTR_MOD) & ~get_be32(request + MAD_ATTR_MOD) & 1;
	switch (method) {
	case MAD_METHOD_SET:
		return answer[MAD_METHOD] == MAD_METHOD_GET_RESP;
	case MAD_METHOD_TRAP:
		return answer[MAD_METHOD] == MAD_METHOD_TRAP_REPRESS;
	case MAD_METHOD_SEND:
		return answer[MAD_METHOD] == MAD_METHOD_SEND;
	default:	/* a number from the wire */
		return answer[MAD_METHOD] == (method | MAD_METHOD_RESPONSE);
	}
}

void mad_answer_to(const uint8_t *request, uint8_t *answer)
{
	memcpy(answer + MAD_TID, request + MAD_TID, 8);
	if (is_cm_message(request) && is_cm_message(answer))
		memcpy(answer + (cm_part(answer).by_remote ? CM_REMOTE_ID : CM_LOCAL_ID),
		       request + CM_LOCAL_ID, 4);
}

/* ---- ways ---- */

static bool same_route(const uint8_t *a, const uint8_t *b)
{
	unsigned int hops = a[SMP_HOP_CNT] < SMP_PATH_SIZE ? a[SMP_HOP_CNT] : SMP_PATH_SIZE - 1;

	return a[SMP_HOP_CNT] == b[SMP_HOP_CNT] &&
	       memcmp(a + SMP_DR_SLID, b + SMP_DR_SLID, 4) == 0 &&
	       memcmp(a + SMP_INITIAL_PATH + 1, b + SMP_INITIAL_PATH + 1, hops) == 0;
}

static bool same_gid(const struct packet_addr *a, const uint8_t *gid, const struct packet_addr *b,
		     const uint8_t *other)
{
	return !a->has_grh || !b->has_grh || memcmp(gid, other, 16) == 0;
}

bool mad_goes_along(const struct packet_addr *a, const uint8_t *a_mad, const struct packet_addr *b,
		    const uint8_t *b_mad)
{
	/* The LIDs of a directed route change on the way where a part of it is LID-routed. */
	if (a_mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		return same_route(a_mad, b_mad);
	return a->slid == b->slid && a->dlid == b->dlid && a->src_qp == b->src_qp &&
	       a->dest_qp == b->dest_qp && same_gid(a, a->sgid, b, b->sgid) &&
	       same_gid(a, a->dgid, b, b->dgid);
}

bool mad_goes_back(const struct packet_addr *a, const uint8_t *a_mad, const struct packet_addr *b,
		   const uint8_t *b_mad, bool any_source)
{
	if (a_mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		return same_route(a_mad, b_mad);
	if (a->slid != b->dlid || !same_gid(a, a->sgid, b, b->dgid))
		return false;
	/* The CM may continue at another queue pair than the one that got the request. */
	if (a_mad[MAD_CLASS] != MAD_CLASS_CM &&
	    (a->src_qp != b->dest_qp || a->dest_qp != b->src_qp))
		return false;
	return any_source || (a->dlid == b->slid && same_gid(a, a->dgid, b, b->sgid));
}

bool mad_is_same(const uint8_t *a, const uint8_t *b)
{
	bool directed = a[MAD_CLASS] == MAD_CLASS_SUBN_DR;
	size_t end = directed ? SMP_RETURN_PATH : MAD_SIZE;

	return memcmp(a, b, SMP_HOP_PTR) == 0 &&
	       memcmp(a + SMP_HOP_CNT, b + SMP_HOP_CNT, end - SMP_HOP_CNT) == 0 &&
	       (directed || a[SMP_HOP_PTR] == b[SMP_HOP_PTR]);
}

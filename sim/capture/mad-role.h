/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The role of a MAD in a conversation: whether it asks or answers, and which fields have to agree.
 */
#ifndef UMADRIG_SIM_CAPTURE_MAD_ROLE_H
#define UMADRIG_SIM_CAPTURE_MAD_ROLE_H

#include "sim/capture/capture.h"

enum mad_role {
	MAD_ROLE_ASKS,		/* expects an answer */
	MAD_ROLE_ANSWERS,
	MAD_ROLE_SENDS,		/* a Send: answers an earlier one, or begins */
	MAD_ROLE_DELAYS,	/* the answer will take longer */
	MAD_ROLE_CLOSES,	/* confirms or rejects an answer */
	MAD_ROLE_CONTROLS,	/* RMPP's control of a transfer: ACK, STOP, ABORT */
};

/* What the MADs of a conversation have in common, in both directions. */
struct mad_key {
	uint8_t mgmt_class;
	uint16_t attribute;	/* for the CM: of the message that begins */
	uint64_t id;		/* TID, or for the CM the beginning side's ID */
};

/* 'mad' has MAD_SIZE bytes, here and below. */
enum mad_role mad_role(const uint8_t *mad);
struct mad_key mad_key(const uint8_t *mad);
unsigned int mad_key_hash(const struct mad_key *key);
bool mad_key_equal(const struct mad_key *a, const struct mad_key *b);

/* Is it an answer that will be confirmed, like the CM's ConnectReply by ReadyToUse? */
bool mad_expects_close(const uint8_t *mad);

/* Does the method of 'answer' answer that of 'request'? For the CM, the attribute decides. */
bool mad_method_answers(const uint8_t *request, const uint8_t *answer);

/*
 * Makes a captured answer that of 'request': gives it the TID, and to a message of the CM the
 * requester's ID.
 */
void mad_answer_to(const uint8_t *request, uint8_t *answer);

/* Is it a MAD of a transfer by RMPP: of its data, or about it? */
static inline bool mad_is_rmpp(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE);
}

/* Is it a segment of one? */
static inline bool mad_is_segment(const uint8_t *mad)
{
	return mad_is_rmpp(mad) && mad[RMPP_TYPE] == RMPP_TYPE_DATA;
}

/* Does 'b' go the way of 'a'? For a directed route: along the same one, in the same direction. */
bool mad_goes_along(const struct packet_addr *a, const uint8_t *a_mad, const struct packet_addr *b,
		    const uint8_t *b_mad);

/*
 * Does 'b' go back to where 'a' came from? With 'any_source', whatever its source, as Linux accepts
 * answers.
 */
bool mad_goes_back(const struct packet_addr *a, const uint8_t *a_mad, const struct packet_addr *b,
		   const uint8_t *b_mad, bool any_source);

/*
 * Is it the same MAD, recorded at two places? Only hop pointer and return path change on the way.
 */
bool mad_is_same(const uint8_t *a, const uint8_t *b);

#endif

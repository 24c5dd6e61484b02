/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a captured port did, put together: which MADs are programs' requests, which are sent again
 * by its kernel, and what answers them.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_EVENT_H
#define UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_EVENT_H

#include "harness/script/draft/draft.h"

/* A request that a program sent: one umad_send(). */
struct draft_ask {
	unsigned int number;	/* from 1 */
	unsigned int sends;	/* how often it left the port */
	int64_t first_ns, last_ns, gap_ns;	/* when; and the least time between two */
	uint16_t dlid;
	bool is_answered;
	int64_t answered_ns;
	bool is_foreign;	/* a program has answered, and not an agent of the fabric */
	GByteArray *data;	/* of an answer in segments; NULL: it is one MAD */
	GByteArray *sent;	/* of a request in segments; NULL: it is one MAD */
	uint8_t request[MAD_SIZE];	/* as it left; of segments the first */
	/* for the writer */
	unsigned int left;	/* how often it is still to be sent again */
	int64_t due_ns;		/* when its last attempt ends; -1: never */
};

enum draft_event_kind {
	DRAFT_ASK,		/* leaves: the first time */
	DRAFT_AGAIN,		/* leaves: the same again */
	DRAFT_PIECE,		/* leaves: a segment of a request, behind the first */
	DRAFT_ANSWER,		/* arrives: of the fabric's own agents */
	DRAFT_FOREIGN,		/* arrives: a program's answer, or a segment of one */
	DRAFT_OWN,		/* leaves: made by the port's kernel */
	DRAFT_ARRIVES,		/* arrives: what nobody here has asked for */
};

struct draft_event {
	enum draft_event_kind kind;
	const struct capture_mad *mad;
	uint8_t bytes[MAD_SIZE];	/* as they left, or as they arrived */
	struct draft_ask *ask;		/* OWN, ARRIVES: may be NULL */
	bool is_end;			/* ANSWER, FOREIGN: the answer is whole */
};

struct draft_events {
	GPtrArray *list;	/* of struct draft_event *, in the order of the capture */
	GPtrArray *asks;	/* of struct draft_ask * */
	unsigned int elsewhere;	/* requests of other ports */
};

/*
 * NULL, with the reason: see draft_write(). The events refer to the capture. Without latency
 * packets take no time, so that what the fabric answers comes in the order of the requests, however
 * programs ran on the real clock.
 */
struct draft_events *draft_events_new(const struct draft *draft, const struct capture *capture,
				      const struct capture_stand *stand, GString *reterr);
/* NULL is allowed. */
void draft_events_free(struct draft_events *events);

/* Does an agent of a simulated node, or its kernel, give this answer, and no program? */
bool draft_is_of_fabric(const uint8_t *answer);

/* Has a subnet administration answered with it? */
bool draft_is_of_sa(const uint8_t *mad);

/* Is it a segment of a transfer by RMPP, and not about one (ACK, STOP, ABORT)? */
bool draft_is_segment(const uint8_t *mad);

#endif

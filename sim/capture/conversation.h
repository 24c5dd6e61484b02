/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Conversations: the MADs of a capture put together to requests and their answers.
 *
 * MADs go in one by one, conversations come out in the order of their first MADs. A request and
 * its answer agree in class, TID and attribute, their methods belong together (Get and GetResp, Set
 * and GetResp, Trap and TrapRepress, Report and ReportResp, ...), and the answer goes back to where
 * the request came from; a directed route is the same in both. Messages of the CM belong together
 * by their communication IDs, of BM by the lowest bit of the modifier; in other classes a Send with
 * the TID of an earlier one from the other side answers it. A transfer by RMPP is one message. A
 * request that is sent again before it is answered is a retry; a MAD that is recorded at a second
 * port, on its way, is the same MAD.
 *
 * Memory is bounded: at most CONVERSATIONS_MAX are held, and CONVERSATION_BYTES_MAX of their
 * messages; the oldest goes out as it is where there is no room. A request that has no answer after
 * CONVERSATION_TIMEOUT_NS of the capture's time goes out as unanswered.
 */
#ifndef UMADRIG_SIM_CAPTURE_CONVERSATION_H
#define UMADRIG_SIM_CAPTURE_CONVERSATION_H

#include "sim/capture/capture.h"

#define CONVERSATIONS_MAX 8192
#define CONVERSATION_BYTES_MAX (16u << 20)
#define CONVERSATION_TIMEOUT_NS INT64_C(60000000000)
/* An answered one is held for so long: its answer may turn out to have been dropped on the way. */
#define CONVERSATION_LINGER_NS INT64_C(1000000000)

enum conversation_kind {
	CONVERSATION_ANSWERED,		/* a request and its answer */
	CONVERSATION_UNANSWERED,	/* a request that expects one and has none */
	CONVERSATION_ONE_WAY,		/* a MAD that expects none */
	CONVERSATION_ORPHAN,		/* an answer without its request: 'request' is not there */
};

/* A MAD, or a whole transfer by RMPP. */
struct conversation_message {
	unsigned int frame;		/* of the first MAD; 0: there is no such message */
	unsigned int last_frame;	/* of the last one that added something */
	int64_t time_ns;		/* of these two, since the capture began */
	int64_t last_ns;
	enum capture_transport transport;
	struct packet_addr addr;	/* of the first MAD */
	unsigned int segments;		/* of a transfer; 0: not by RMPP */
	uint8_t rmpp_status;		/* of the STOP or ABORT that ended it; 0: none */
	bool is_broken;			/* a transfer of which something is missing */
	/*
	 * MAD_SIZE bytes; of a transfer the headers of the first segment, then the data of all:
	 * what a program gets that receives it. Where there is a message it is never NULL, and
	 * MAD_SIZE bytes may always be read.
	 */
	const uint8_t *bytes;
	size_t size;
};

struct conversation {
	enum conversation_kind kind;
	struct conversation_message request;
	struct conversation_message answer;
	struct conversation_message close;	/* what confirms the answer: ReadyToUse of the CM */
	int64_t asked_ns;		/* when the request was sent for the last time */
	unsigned int retries;		/* times that the request was sent again */
	unsigned int repeats;		/* times that the answer came again */
	unsigned int delays;		/* notices that the answer will take longer (CM: MRA) */
	unsigned int losses;		/* MADs that were dropped, or got no answer */
	bool ran_out;			/* it went out because there was no room for it any more */
};

/* Good for the call only, with all that it refers to. */
typedef void conversation_fn(void *ctx, const struct conversation *conversation);

struct conversations;

/* What is put together goes to 'fn'. Never NULL. */
struct conversations *conversations_new(conversation_fn *fn, void *ctx);
/*
 * The next MAD of the capture; may call 'fn'. One with a wrong CRC was never heard: it is counted.
 */
void conversations_take(struct conversations *conversations, const struct capture_mad *mad);
/* There are no more: the rest goes to 'fn'. */
void conversations_end(struct conversations *conversations);
/* Without any further call of 'fn'. NULL is allowed. */
void conversations_free(struct conversations *conversations);

/* How many went out for lack of room before they were answered. */
size_t conversations_ran_out(const struct conversations *conversations);
/* How many MADs had a wrong CRC. */
size_t conversations_damaged(const struct conversations *conversations);

/* The message that names the conversation: its request, or of an orphan its answer. */
static inline const struct conversation_message *
conversation_head(const struct conversation *conversation)
{
	return conversation->request.frame ? &conversation->request : &conversation->answer;
}

/* From the last time that the request was sent to the (first MAD of the) answer; -1: none. */
static inline int64_t conversation_round_trip_ns(const struct conversation *conversation)
{
	if (conversation->kind != CONVERSATION_ANSWERED)
		return -1;
	return conversation->answer.time_ns - conversation->asked_ns;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Conversations: the MADs of a capture put together to requests and their answers.
 *
 * MADs go in one by one, and conversations come out in the order of their first MADs. A request and
 * its answer agree in class, TID and attribute, their methods belong together (Get and GetResp, Set
 * and GetResp, Trap and TrapRepress, Report and ReportResp, ...), and the answer goes back to where
 * the request came from; a directed route is the same in both. Messages of the CM belong together
 * by their communication IDs, of BM by the lowest bit of the modifier; in other classes a Send with
 * the TID of an earlier one from the other side answers it. A transfer by RMPP is one message. A
 * request that is sent again before it is answered is a retry; a MAD that is recorded at a second
 * port, on its way, is the same MAD.
 *
 * Memory is bounded: at most CONVERSATIONS_MAX are held, and CONVERSATION_BYTES_MAX of their
 * messages; if there is no room, the oldest is handed out as it is. A request that has no answer
 * after CONVERSATION_TIMEOUT_NS of the capture's time is handed out as unanswered.
 */
#ifndef UMADRIG_SIM_CAPTURE_CONVERSATION_H
#define UMADRIG_SIM_CAPTURE_CONVERSATION_H

#include "sim/capture/capture.h"
#include "sim/capture/transfer.h"

#define CONVERSATIONS_MAX 8192
#define CONVERSATION_BYTES_MAX TRANSFERS_BYTES_MAX
/*
 * Those that are complete and linger are handed out if there is more than this, and more than some
 * conversations: the ACK of the last segment of a long one is still to come.
 */
#define CONVERSATION_LINGER_BYTES (16u << 20)
#define CONVERSATIONS_FEW 16
#define CONVERSATION_TIMEOUT_NS INT64_C(60000000000)
/* How long an answered one is held: its answer may turn out to have been dropped on its way. */
#define CONVERSATION_LINGER_NS INT64_C(1000000000)

enum conversation_kind {
	CONVERSATION_ANSWERED,		/* a request and its answer */
	CONVERSATION_UNANSWERED,	/* a request that expects one and has none */
	CONVERSATION_ONE_WAY,		/* a MAD that expects none */
	CONVERSATION_ORPHAN,		/* an answer without its request: no 'request' */
};

/* A MAD, or a whole transfer by RMPP. */
struct conversation_message {
	unsigned int frame;		/* of the first MAD; 0: there is no such message */
	unsigned int last_frame;	/* of the last one that added something */
	int64_t time_ns;		/* of these two, since the capture began */
	int64_t last_ns;
	enum capture_transport transport;
	struct packet_addr addr;	/* of the first MAD */
	const char *interface_name;	/* where that left its port; NULL: not known */
	unsigned int segments;		/* of a transfer; 0: not by RMPP */
	uint8_t rmpp_status;		/* of the STOP or ABORT that ended it; 0: none */
	bool is_broken;			/* a transfer with missing segments */
	/*
	 * MAD_SIZE bytes; of a transfer the headers of the first segment, then the data of all, as
	 * a program receives them. Never NULL if there is a message, and MAD_SIZE bytes can always
	 * be read.
	 */
	const uint8_t *bytes;
	size_t size;
	/* Of a transfer also what a program does not get. */
	size_t padded;			/* 'size', and what follows the data in the last segment */
	const uint8_t *headers;		/* of the segments from the second on, or NULL */
	size_t header;			/* bytes of each of them; 0: not by RMPP */
	const uint8_t *seen;		/* a bit for each segment by its number, or NULL */
	size_t seen_size;		/* bytes */
};

struct conversation {
	enum conversation_kind kind;
	struct conversation_message request;
	struct conversation_message answer;
	struct conversation_message close;	/* confirms the answer: ReadyToUse of the CM */
	int64_t asked_ns;		/* when the request was sent for the last time */
	unsigned int retries;		/* how often the request was sent again */
	unsigned int repeats;		/* how often the answer came again */
	unsigned int delays;		/* notices that the answer will take longer (CM: MRA) */
	unsigned int losses;		/* MADs that were dropped, or got no answer */
	bool ran_out;			/* it was handed out for lack of room */
};

/* The conversation and all that it refers to are valid for the call only. */
typedef void conversation_fn(void *ctx, const struct conversation *conversation);

struct conversations;

/* Conversations are handed to 'fn'. Never NULL. */
struct conversations *conversations_new(conversation_fn *fn, void *ctx);
/*
 * Takes the next MAD of the capture; may call 'fn'. A MAD with a wrong CRC was never received: it
 * is only counted.
 */
void conversations_take(struct conversations *conversations, const struct capture_mad *mad);
/* Ends the capture: hands the rest to 'fn'. */
void conversations_end(struct conversations *conversations);
/* Frees them without any further call of 'fn'. NULL is allowed. */
void conversations_free(struct conversations *conversations);

/* How many were handed out for lack of room before they were answered. */
size_t conversations_ran_out(const struct conversations *conversations);
/* How many MADs had a wrong CRC. */
size_t conversations_damaged(const struct conversations *conversations);

/* The message that identifies the conversation: its request, or the answer of an orphan. */
static inline const struct conversation_message *
conversation_head(const struct conversation *conversation)
{
	return conversation->request.frame ? &conversation->request : &conversation->answer;
}

/* From the last time that the request was sent to the last segment of the answer; -1: none. */
static inline int64_t conversation_round_trip_ns(const struct conversation *conversation)
{
	if (conversation->kind != CONVERSATION_ANSWERED)
		return -1;
	return conversation->answer.last_ns - conversation->asked_ns;
}

#endif

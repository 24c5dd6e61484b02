/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A receive context: one message on its way in, or just arrived, by its sender and the sender's key
 * for it (linux-mad C.3). rmpp-recv.c moves it on.
 *
 *	         segment 1               the last gap is closed,
 *	         (not the last)          and the last segment is here
 *	  (none) ------------> COLLECTING ------------------------> COMPLETE
 *	     |                   |   ^ |                            ^   |
 *	     |                   |   +-+ segment: held, taken, or   |   | 10 s, or its agent goes:
 *	     |                   |       ends a window: ACK         |   | the key is free again
 *	     |                   | 40 s: ABORT; or its agent goes   |   v
 *	     |                   +--------------------------------------> (none)
 *	     +-- segment 1, which is the last ----------------------+
 *
 * COLLECTING: the timer is for the whole message. A segment up to 'acked' is acknowledged once
 * more; one beyond 'window', or that is here, is dropped. Entering COMPLETE acknowledges all of it
 * and hands it on, so that 'recv' has no packets any more; only the key stays, so that a segment
 * that was sent again begins no second message. It is acknowledged. The timer is for the key.
 *
 * An ABORT or STOP of the sender ends no context, as in Linux: the 40 s do.
 */
#ifndef UMADRIG_KMOD_STUB_RMPP_CONTEXT_H
#define UMADRIG_KMOD_STUB_RMPP_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "kmod-stub/agent.h"
#include "kmod-stub/event.h"
#include "kmod-stub/mad-recv.h"

enum rmpp_context_state {
	RMPP_COLLECTING,
	RMPP_COMPLETE,
};

struct rmpp_context {
	struct rmpp_context *chain_next;	/* in the host's table, or the free list */
	struct rmpp_context **chain_link;
	struct rmpp_context *agent_next;	/* in the agent's list */
	struct rmpp_context **agent_link;
	struct agent *agent;
	struct event timer;		/* for the whole message; then for its key */
	uint64_t order;			/* of creation */
	uint64_t tid;			/* the key, with LID and QP of 'recv.from' */
	uint8_t mgmt_class;
	uint8_t class_version;
	uint8_t method;
	enum rmpp_context_state state;
	int32_t have;			/* all segments up to this one are here */
	int32_t acked;			/* as the sender has been told */
	int32_t window;			/* the last segment that it may send */
	int32_t reply_window;		/* where a response in segments begins */
	struct mad_recv recv;		/* segment 1, the others linked behind it, by number */
	struct packet *contiguous;	/* segment 'have' */
	struct packet *last;		/* of those here, gaps or not */
};

/* The context of the transfer that 'recv' belongs to, or NULL. */
struct rmpp_context *rmpp_context_find(const struct agent *agent, const struct mad_recv *recv);

/*
 * A context that begins with 'recv', whose packet it takes over; 'timer.fire' is the caller's.
 * NULL: no memory.
 */
struct rmpp_context *rmpp_context_new(struct agent *agent, const struct mad_recv *recv);

/* Disarms and frees it, its segments included, each of which is said to end for 'why'. */
void rmpp_context_free(struct rmpp_context *context, const char *why);

/* All of an agent that goes. */
void rmpp_context_flush_agent(struct agent *agent);

/*
 * Dual-sided transfers (linux-mad C.5): the requester of a message that is here says with
 * 'recv' how many segments of the response may come at first. False: there is no such message.
 */
bool rmpp_context_set_reply_window(const struct agent *agent, const struct mad_recv *recv,
				   int32_t window);
/* What was said so for the response 'send', or 1. */
int32_t rmpp_context_reply_window(const struct mad_send *send);

#endif

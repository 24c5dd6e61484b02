/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A receive context: one message that is arriving or has just arrived, identified by its sender and
 * the sender's key (linux-mad C.3). rmpp-recv.c runs its state machine.
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
 * COLLECTING: the timer is for the whole message. A segment up to 'acked' is acknowledged again;
 * one beyond 'window', or that is held already, is dropped. Entering COMPLETE acknowledges all of
 * it and passes it on, so that 'recv' has no packets any more; only the key stays, so that a
 * segment that is sent again does not begin a second message. Such a segment is acknowledged. The
 * timer is for the key.
 *
 * An ABORT or STOP of the sender does not end a context, as in Linux: the 40 s do.
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
	int32_t have;			/* all segments up to this one have arrived */
	int32_t acked;			/* the last one acknowledged */
	int32_t window;			/* the last segment that it may send */
	int32_t reply_window;		/* where a response in segments begins */
	struct mad_recv recv;		/* segment 1, the others linked to it, by number */
	struct packet *contiguous;	/* segment 'have' */
	struct packet *last;		/* the one with the highest number, after gaps or not */
};

/* The context of the transfer that 'recv' belongs to, or NULL. */
struct rmpp_context *rmpp_context_find(const struct agent *agent, const struct mad_recv *recv);

/*
 * A context that begins with 'recv', whose packet it takes over; the caller sets 'timer.fire'.
 * NULL: no memory.
 */
struct rmpp_context *rmpp_context_new(struct agent *agent, const struct mad_recv *recv);

/* Disarms and frees it and its segments, which are dropped for the reason 'why'. */
void rmpp_context_free(struct rmpp_context *context, const char *why);

/* Its invariants: lib/base/invariant.h. */
const char *rmpp_context_check(const struct rmpp_context *context);

/* Frees all contexts of an agent that is unregistered. */
void rmpp_context_flush_agent(struct agent *agent);

/*
 * Dual-sided transfers (linux-mad C.5): with 'recv' the requester of a message that has arrived
 * says how many segments of the response may come at first. False: there is no such message.
 */
bool rmpp_context_set_reply_window(const struct agent *agent, const struct mad_recv *recv,
				   int32_t window);
/* The window set so for the response 'send', or 1. */
int32_t rmpp_context_reply_window(const struct mad_send *send);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A send: a MAD on its way out, through posting, completion, waiting for an answer, and
 * retransmission, to its end.
 *
 *	            post                    completion, with a timeout
 *	  new ----------------> POSTED ------------------------------> WAITING
 *	   |  QP full \           ^ |                                   |  |
 *	   |           > OVERFLOW-+ | completion                retry   |  | answered, or
 *	   | DR, local              v                   (to POSTED) <---+  | no retries left
 *	   +--------> LOCAL ----> ended <----------------------------------+
 *
 * A send in segments repeats this: it is POSTED again at its completion while the window has room,
 * and leaves WAITING when an ACK opens the window.
 */
#ifndef UMADRIG_KMOD_STUB_MAD_SEND_H
#define UMADRIG_KMOD_STUB_MAD_SEND_H

#include <stdlib.h>

#include "kmod-stub/agent.h"
#include "kmod-stub/kmod-port.h"
#include "lib/base/user-header.h"
#include "lib/base/wire.h"

enum {
	/* Linux: the defaults of ib_mad's send_queue_size and recv_queue_size. */
	SEND_QUEUE_DEPTH = 128,
	RECV_QUEUE_DEPTH = 512,
};

enum send_state {
	SEND_NEW,
	SEND_POSTED,		/* in the QP, not yet completed */
	SEND_OVERFLOW,		/* waits for room in the QP; no timer runs */
	SEND_WAITING,		/* for an answer */
	SEND_BACKLOG,		/* held by flow control (flow-control.h); no timer runs */
	SEND_LOCAL,		/* a directed-route SMP to the node itself, its delivery pending */
};

struct mad_send {
	/* Undefined while the send is not in such a list. */
	struct mad_send *next;			/* in a send_queue, or the free list */
	struct mad_send *same_tid_next;		/* in the send table */
	struct mad_send *same_tid_previous;
	struct mad_send *agent_next;		/* in the agent's list of sends ... */

	/* All 0 in a new send, up to tid: mad_send_new(). */
	struct mad_send **agent_link;		/* ... NULL: not in it */
	struct agent *agent;			/* NULL: the kernel's own, or the agent is gone */
	struct kmod_usage *usage;		/* NULL: not counted */
	size_t cost;				/* bytes counted there */
	struct rmpp_send *rmpp;			/* goes in segments; NULL: in one MAD */
	struct packet *local_packet;		/* LOCAL: what is to be delivered to local_hi_tid */
	enum send_state state;
	uint32_t timeout_ms;			/* 0: no answer expected; from 2^31 on: for ever */
	uint32_t retries;			/* as requested */
	bool answered;				/* before its completion, which ends it */
	bool in_table;				/* the send table */
	bool counted;				/* by flow control */

	/* Undefined until the send's state gives them a meaning, or the caller fills them in. */
	uint64_t tid;
	uint64_t order;				/* of entry into the current list */
	int64_t deadline_ns;			/* while WAITING, which it does ... */
	int64_t waits_since_ns;			/* ... since then */
	struct mad_send *wait_next;		/* in a lane of the agent's wait queue, */
	struct mad_send *wait_previous;
	struct wait_lane *wait_lane;		/* this one, or NULL: */
	uint32_t wait_slot;			/* its place in the heap */
	uint32_t retries_left;
	uint8_t mgmt_class;
	uint8_t qpn;				/* 0 or 1: the QP it leaves from */
	bool is_response;
	uint8_t hop_ptr;			/* as the user wrote it, if it is an SMP */
	struct mad_address to;
	uint32_t local_hi_tid;			/* of an agent; 0: none */
	uint8_t header[USER_HEADER_SIZE];	/* as the user wrote it */
	uint8_t mad[MAD_SIZE];			/* in segments: the class header only */
};

/* A received MAD: its packet and the contents of the headers. */
struct mad_recv;

/* Initializes the parts of a port and of an agent that sends use. */
void mad_send_init_port(struct kmod_port *port);
void mad_send_init_agent(struct agent *agent);

/*
 * A send in state NEW, of which all is 0 from agent_link up to tid and the rest undefined: the
 * caller fills in qpn, to and mad. NULL: no memory.
 */
static inline struct mad_send *mad_send_new(struct kmod_host *host)
{
	struct mad_send *send = host->free_sends;

	if (send)
		host->free_sends = send->next;
	else
		send = malloc(sizeof(*send));
	if (!send)
		return NULL;
	/* One by one they are a few moves; of a memset() GCC makes a slow "rep stos". */
	send->agent_link = NULL;
	send->agent = NULL;
	send->usage = NULL;
	send->cost = 0;
	send->rmpp = NULL;
	send->local_packet = NULL;
	send->state = SEND_NEW;
	send->timeout_ms = 0;
	send->retries = 0;
	send->answered = false;
	send->in_table = false;
	send->counted = false;
	return send;
}

/* Removes it from all lists and returns it to the host. It must be in no send_queue. */
void mad_send_free(struct kmod_host *host, struct mad_send *send);

/*
 * The core's post (linux-mad B.3): 'send' has agent (or NULL: the port's own responder), qpn, to,
 * mad, is_response, timeout_ms and retries; the rest is filled in. On success the send is under way
 * and is freed at its end; on an error the caller frees it: -EINVAL (an RMPP agent and a class
 * without RMPP, an impossible directed route), -ENOMEM.
 */
int mad_send_post(struct kmod_port *port, struct mad_send *send);

/*
 * The outstanding send of 'agent' that 'recv' refers to (as a response to a request, or as RMPP's
 * reaction to a response), or NULL (linux-mad B.5): first waiting sends in order of their
 * deadlines, then those in the QP in order.
 */
struct mad_send *mad_send_match(struct agent *agent, const struct mad_recv *recv);

/* Ends the send, now or at its completion. 'how' is for the trace. */
void mad_send_finish(struct mad_send *send, const char *how);

/* Posts the current segment of a waiting send. */
void mad_send_resume(struct mad_send *send);

/* Restarts the timer of a waiting send; does nothing if it is still in the QP. */
void mad_send_wait_again(struct mad_send *send);

/* Invariants of a send that is under way: lib/base/invariant.h. */
const char *mad_send_check(const struct mad_send *send);

/* Ends all sends of an agent that is unregistered; those in the QP are still sent. */
void mad_send_flush_agent(struct agent *agent);

/* Ends all sends in the queues of a removed port. */
void mad_send_flush_port(struct kmod_port *port);

#endif

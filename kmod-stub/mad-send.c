/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A send: its state machine (linux-mad B.3, B.5, B.6).
 */
#include "kmod-stub/mad-send.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/flow-control.h"
#include "kmod-stub/mad-recv.h"
#include "kmod-stub/packet.h"
#include "kmod-stub/profile.h"
#include "kmod-stub/rmpp.h"
#include "kmod-stub/send-packet.h"
#include "kmod-stub/smi.h"
#include "kmod-stub/stub.h"
#include "kmod-stub/trace.h"
#include "kmod-stub/umad-file.h"

static void completions_fire(struct event *event);
static void locals_fire(struct event *event);
static void timer_fire(struct event *event);

void mad_send_init_port(struct kmod_port *port)
{
	port->completion.kind = EVENT_SEND_COMPLETION;
	port->completion.fire = completions_fire;
	port->local.kind = EVENT_LOCAL_COMPLETION;
	port->local.fire = locals_fire;
}

void mad_send_init_agent(struct agent *agent)
{
	agent->timer.kind = EVENT_TIMER;
	agent->timer.fire = timer_fire;
	agent->timer_ns = TIME_NEVER;
}

/* Files the send with its agent and in the send table. -ENOMEM. */
static int enlist(struct kmod_host *host, struct mad_send *send)
{
	struct agent *agent = send->agent;
	int err;

	if (!agent)
		return 0;
	err = wait_queue_reserve(&agent->waits);
	if (err)
		return err;
	err = send_table_add(&host->sends, send);
	if (err) {
		wait_queue_unreserve(&agent->waits);
		return err;
	}
	send->agent_next = agent->sends;
	send->agent_link = &agent->sends;
	if (agent->sends)
		agent->sends->agent_link = &send->agent_next;
	agent->sends = send;
	return 0;
}

/* Takes the send from its agent's lists: it is not outstanding any more. */
static void delist(struct kmod_host *host, struct mad_send *send)
{
	if (!send->agent_link)
		return;
	if (host->ops->send_over)
		host->ops->send_over(host->ctx, send->agent->file->owner, send->tid,
				     send->mgmt_class);
	send_table_remove(&host->sends, send);
	*send->agent_link = send->agent_next;
	if (send->agent_next)
		send->agent_next->agent_link = send->agent_link;
	send->agent_link = NULL;
	wait_queue_unreserve(&send->agent->waits);
}

void mad_send_free(struct kmod_host *host, struct mad_send *send)
{
	delist(host, send);
	if (send->rmpp)
		rmpp_send_free(send->rmpp);
	if (send->usage)
		send->usage->sending -= send->cost;
	send->next = host->free_sends;
	host->free_sends = send;
}

/* ---- into the QP ---- */

static uint32_t attempts_made(const struct mad_send *send)
{
	return send->retries - send->retries_left + 1;
}

static void transmit(struct kmod_port *port, struct mad_send *send)
{
	const struct kmod_host *host = port->host;
	struct mad_qp *qp = &port->qps[send->qpn];
	struct packet *packet = send_packet_new(port, send);

	qp->posted++;
	send->state = SEND_POSTED;
	if (send_queue_is_empty(&port->completions) && !port->completing)
		host->ops->arm(host->ctx, &port->completion, host_now_ns(host));
	send_queue_push(&port->completions, send);
	if (send->rmpp)
		TRACE(port, "rmpp-tx " TRACE_TID " seg %d of %d posted dlid=%u  acked=%d win=%d",
		      TRACE_TID_ARGS(send->tid), send->rmpp->sent, send->rmpp->segments,
		      packet_dlid(packet), send->rmpp->acked, send->rmpp->window);
	else
		TRACE(port,
		      "send " TRACE_TID " posted class=0x%02x method=0x%02x dlid=%u try=%u/%u",
		      TRACE_TID_ARGS(send->tid), send->mgmt_class, send->mad[MAD_METHOD],
		      packet_dlid(packet), attempts_made(send), send->retries + 1);
	host->ops->transmit(host->ctx, port->wire, packet);
}

/* Posts the send to the QP, or appends it to those that wait for room in it. */
static void post(struct kmod_port *port, struct mad_send *send)
{
	struct mad_qp *qp = &port->qps[send->qpn];

	if (qp->posted < port->send_room) {
		transmit(port, send);
		return;
	}
	send->state = SEND_OVERFLOW;
	send_queue_push(&qp->overflow, send);
	TRACE(port, "send " TRACE_TID " queued  the QP is full", TRACE_TID_ARGS(send->tid));
}

/* Makes one attempt: appends the send to those that are posted. */
static void attempt(struct kmod_port *port, struct mad_send *send)
{
	send->order = port->host->send_order++;
	post(port, send);
}

/* ---- directed routes that end in the node itself ---- */

/* What the driver did with an SMP to the node itself, in words for the trace. */
static const char *local_outcome(unsigned int result)
{
	switch (result) {
	case KMOD_MAD_SUCCESS | KMOD_MAD_REPLY:
		return " local   answered by the driver";
	case KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED:
		return " local   consumed by the driver";
	case KMOD_MAD_SUCCESS:
		return " local   not the driver's";
	default:	/* bits, not an enum of ours */
		return " refused by the driver";
	}
}

/* Notes in 'send' what is to be delivered, and to whom. False: the driver failed it. */
static bool handle_locally(struct kmod_port *port, struct mad_send *send)
{
	const struct kmod_host *host = port->host;
	struct kmod_source source = {
		.slid = get_be16(send->mad + SMP_DR_SLID),
		.pkey_index = send->to.pkey_index,
	};
	struct packet *packet = send_packet_local(port);
	uint8_t *deliver = packet_mad(packet);
	const struct agent *receiver = NULL;
	unsigned int result;

	result = host->ops->process_mad(host->ctx, port->wire, &source, send->mad, deliver);
	switch (result) {
	case KMOD_MAD_SUCCESS | KMOD_MAD_REPLY:
		if (mad_is_response(deliver))
			receiver = send->agent;
		break;
	case KMOD_MAD_SUCCESS:
		mad_copy(deliver, send->mad);
		receiver = mad_recv_find_agent(port, send->mad);
		break;
	default:	/* flags, not an enum */
		packet_free(host->ops->pool, packet);
		packet = NULL;
		break;
	}
	send->local_packet = packet;
	send->local_hi_tid = receiver ? receiver->hi_tid : 0;
	TRACE(port, "send " TRACE_TID "%s", TRACE_TID_ARGS(send->tid), local_outcome(result));
	return packet || result == (KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED);
}

/* The directed-route part of a post; '*ret_local': the SMP never leaves. 0 or -EINVAL. */
static int post_directed(struct kmod_port *port, struct mad_send *send, bool *ret_local)
{
	if (smi_starts_directed(send->mad) && !smi_fix_up_send(port->attr, send->mad)) {
		TRACE(port, "send " TRACE_TID " refused: invalid directed route",
		      TRACE_TID_ARGS(send->tid));
		return -EINVAL;
	}
	*ret_local = port->host->ops->process_mad && smi_is_local(send->mad);
	if (*ret_local && !handle_locally(port, send))
		return -EINVAL;
	return 0;
}

/* The agent's last send that is in the queue, or NULL. In time proportional to its length. */
static struct mad_send *last_of(const struct send_queue *queue, const struct agent *agent)
{
	struct mad_send *last = NULL;

	for (struct mad_send *send = queue->first; send; send = send->next)
		if (send->agent == agent)
			last = send;
	return last;
}

/* Linux: an agent's work delivers all that the agent has sent; the works come in their order. */
static void push_local(struct kmod_port *port, struct mad_send *send)
{
	struct kmod_host *host = port->host;
	struct mad_send *after = NULL;

	if (send_queue_is_empty(&port->locals))
		host->ops->arm(host->ctx, &port->local, host_now_ns(host));
	else if (port->locals.last->agent != send->agent)
		after = last_of(&port->locals, send->agent);
	if (after)
		send_queue_insert(&port->locals, after, send);
	else
		send_queue_push(&port->locals, send);
}

int mad_send_post(struct kmod_port *port, struct mad_send *send)
{
	const struct agent *agent = send->agent;
	bool local = false;
	int err;

	send->tid = get_be64(send->mad + MAD_TID);
	send->mgmt_class = send->mad[MAD_CLASS];
	send->retries_left = send->retries;
	if (agent && agent->rmpp_version && !mad_class_has_rmpp(send->mgmt_class))
		return -EINVAL;
	err = enlist(port->host, send);
	if (err)
		return err;
	if (send->mgmt_class == MAD_CLASS_SUBN_DR) {
		err = post_directed(port, send, &local);
		if (err)
			return err;
	}
	if (send->rmpp)
		rmpp_send_start(send);
	if (!local) {
		send->counted = flow_control_counts(send);
		if (!send->counted || !flow_control_holds(send))
			attempt(port, send);
		return 0;
	}
	send->state = SEND_LOCAL;
	push_local(port, send);
	return 0;
}

/* The agent that a local SMP is for, if it is still there: mostly the one that has sent it. */
static struct agent *local_receiver(const struct kmod_host *host, const struct mad_send *send)
{
	if (send->agent && send->agent->hi_tid == send->local_hi_tid)
		return send->agent;
	return send->local_hi_tid ? host_agent_find(host, send->local_hi_tid) : NULL;
}

static void deliver_local(struct kmod_port *port, struct mad_send *send)
{
	struct agent *receiver = local_receiver(port->host, send);
	struct mad_recv recv;

	/* Without a GRH: the members for one are not looked at. */
	recv.packet = send->local_packet;
	recv.gid_known = true;
	recv.qpn = 0;
	recv.from.qpn = 0;
	recv.from.lid = LID_PERMISSIVE;
	recv.from.sl = 0;
	recv.from.path_bits = 0;
	recv.from.pkey_index = send->to.pkey_index;
	recv.from.has_grh = false;
	send->local_packet = NULL;
	if (!recv.packet)
		return;
	if (receiver)
		umad_file_receive(receiver->file, receiver->id, &recv, MAD_SIZE);
	else
		trace_drop(port, recv.packet, "no agent for an SMP to the node itself");
}

static void locals_fire(struct event *event)
{
	struct kmod_port *port = container_of(event, struct kmod_port, local);
	struct mad_send *send;

	while ((send = send_queue_pop(&port->locals))) {
		deliver_local(port, send);
		mad_send_free(port->host, send);
	}
}

/* ---- completion, waiting, timers ---- */

/* Sends what flow control has held, as far as it may be sent. */
static void let_out(struct agent *agent)
{
	struct mad_send *send;

	while ((send = flow_control_next(agent)))
		attempt(agent->port, send);
}

/* Ends a send that was outstanding. */
static void end(struct kmod_port *port, struct mad_send *send)
{
	struct agent *counts = send->counted ? send->agent : NULL;

	if (counts && !send->answered)
		flow_control_over(send);
	mad_send_free(port->host, send);
	if (counts)
		let_out(counts);
}

/* Arms the agent's timer for its first deadline, if that has changed. */
static void update_timer(struct agent *agent)
{
	const struct kmod_host *host = agent->port->host;
	const struct mad_send *first = wait_queue_first(&agent->waits);
	int64_t at_ns = first ? first->deadline_ns : TIME_NEVER;

	if (at_ns == agent->timer_ns)
		return;
	agent->timer_ns = at_ns;
	if (at_ns == TIME_NEVER)
		host->ops->disarm(host->ctx, &agent->timer);
	else
		host->ops->arm(host->ctx, &agent->timer, at_ns);
}

static void wait_for_answer(struct kmod_port *port, struct mad_send *send)
{
	struct agent *agent = send->agent;
	int64_t wait_ns = TIME_NEVER;

	/* Linux: larger values are negative as signed milliseconds, and mean "for ever". */
	if (send->rmpp)
		wait_ns = rmpp_send_wait_ns(send);
	else if (send->timeout_ms <= INT32_MAX)
		wait_ns = send->timeout_ms * NS_PER_MS;
	send->waits_since_ns = host_now_ns(port->host);
	send->deadline_ns = wait_ns == TIME_NEVER ? TIME_NEVER : send->waits_since_ns + wait_ns;
	send->state = SEND_WAITING;
	send->order = port->host->send_order++;
	wait_queue_push(&agent->waits, send, wait_ns);
	update_timer(agent);
	TRACE(port, "send " TRACE_TID " waiting timeout=%" PRId64 "ms", TRACE_TID_ARGS(send->tid),
	      wait_ns == TIME_NEVER ? -1 : wait_ns / NS_PER_MS);
}

static void complete(struct kmod_port *port, struct mad_send *send)
{
	if (send->agent && !send->answered) {
		if (send->rmpp && rmpp_send_advance(send)) {
			post(port, send);
			return;
		}
		if (send->rmpp || send->timeout_ms > 0) {
			wait_for_answer(port, send);
			return;
		}
	}
	TRACE(port, "send " TRACE_TID " done", TRACE_TID_ARGS(send->tid));
	end(port, send);
}

static void completions_fire(struct event *event)
{
	struct kmod_port *port = container_of(event, struct kmod_port, completion);
	struct mad_send *send;

	/* Sends that are posted meanwhile join the queue: they complete at the same instant. */
	port->completing = true;
	while ((send = port->completions.first)) {
		struct mad_qp *qp = &port->qps[send->qpn];
		struct mad_send *next;

		complete(port, send_queue_pop(&port->completions));
		qp->posted--;
		next = send_queue_pop(&qp->overflow);
		if (next)
			transmit(port, next);
	}
	port->completing = false;
}

static bool may_retry(struct mad_send *send)
{
	return send->retries_left > 0 && (!send->rmpp || rmpp_send_rewind(send));
}

static void retry(struct kmod_port *port, struct mad_send *send)
{
	send->retries_left--;
	if (!send->counted || !flow_control_holds_again(send))
		attempt(port, send);
}

static void report(struct kmod_port *port, struct mad_send *send)
{
	TRACE(port, "send " TRACE_TID " timed out after %u tries", TRACE_TID_ARGS(send->tid),
	      attempts_made(send));
	umad_file_report(send->agent->file, send);
	mad_send_free(port->host, send);
}

/*
 * Linux: at one expiry all retransmissions are posted first, in the order of the wait list, and
 * then all failures are reported, in the same order; up to 6.11 they are interleaved.
 */
static void timer_fire(struct event *event)
{
	struct agent *agent = container_of(event, struct agent, timer);
	struct kmod_port *port = agent->port;
	int64_t now_ns = host_now_ns(port->host);
	struct send_queue failed = { NULL, NULL };
	struct mad_send *send;

	agent->timer_ns = TIME_NEVER;
	while ((send = wait_queue_first(&agent->waits)) && send->deadline_ns <= now_ns) {
		wait_queue_remove(&agent->waits, send);
		if (may_retry(send)) {
			retry(port, send);
			continue;
		}
		if (send->counted)
			flow_control_over(send);
		if (port->host->profile->reports_last)
			send_queue_push(&failed, send);
		else
			report(port, send);
	}
	let_out(agent);
	update_timer(agent);
	while ((send = send_queue_pop(&failed)))
		report(port, send);
}

unsigned int stub_port_expire(struct kmod_port *port, uint64_t tid, uint8_t mgmt_class)
{
	const struct send_table *table = &port->host->sends;
	struct mad_send *send = NULL, *next;
	unsigned int count = 0;

	next = send_table_find(table, tid, mgmt_class, NULL);
	while ((send = next)) {
		struct agent *agent = send->agent;

		next = send->same_tid_next ? send_table_find(table, tid, mgmt_class, send) : NULL;
		if (agent->port != port || send->state != SEND_WAITING || send->is_response)
			continue;
		wait_queue_remove(&agent->waits, send);
		if (send->counted)
			flow_control_over(send);
		report(port, send);
		let_out(agent);
		update_timer(agent);
		count++;
	}
	return count;
}

/* ---- answers ---- */

/* Do the addresses of a send and of 'recv', of which one is a response, belong together? */
static bool addresses_match(const struct mad_send *send, const struct mad_recv *recv)
{
	const struct kmod_port *port = send->agent->port;
	uint8_t path_mask = port_path_mask(port);

	if (send->to.has_grh != recv->from.has_grh)
		return false;
	if (send->is_response)
		return send->to.has_grh ? memcmp(send->to.gid, recv->from.gid, 16) == 0 :
					  send->to.lid == recv->from.lid;
	/* Linux does not compare the source: with LMC 0 any port may answer. */
	if (!send->to.has_grh)
		return ((send->to.path_bits ^ recv->from.path_bits) & path_mask) == 0;
	return send->to.gid_index < port->attr->gid_count &&
	       memcmp(port->attr->gids[send->to.gid_index], mad_recv_dgid(recv), 16) == 0;
}

/* Linux looks for a request in the agent's wait list, then its backlog, then its send list. */
static unsigned int list_rank(const struct mad_send *send)
{
	if (send->state == SEND_WAITING)
		return 0;
	return send->state == SEND_BACKLOG ? 1 : 2;
}

/* Would Linux's walk meet 'a' before 'b'? */
static bool comes_before(const struct mad_send *a, const struct mad_send *b)
{
	if (list_rank(a) != list_rank(b))
		return list_rank(a) < list_rank(b);
	if (a->state != SEND_WAITING)
		return a->order < b->order;
	if (a->deadline_ns != b->deadline_ns)
		return a->deadline_ns < b->deadline_ns;
	/* Linux: for ever is a long time from now on, so the list has these in order, too. */
	if (a->deadline_ns == TIME_NEVER && a->waits_since_ns != b->waits_since_ns)
		return a->waits_since_ns < b->waits_since_ns;
	return a->order > b->order;
}

static bool expects(const struct mad_send *send, const struct agent *agent,
		    const struct mad_recv *recv)
{
	if (send->agent != agent || (send->timeout_ms == 0 && !send->rmpp) || send->answered ||
	    send->state == SEND_LOCAL)
		return false;
	/*
	 * Linux: with directed routes nothing more is compared, not even whether one is a request.
	 */
	if (send->mgmt_class == MAD_CLASS_SUBN_DR)
		return true;
	return send->is_response != mad_is_response(mad_recv_bytes(recv)) &&
	       addresses_match(send, recv);
}

struct mad_send *mad_send_match(struct agent *agent, const struct mad_recv *recv)
{
	const struct send_table *table = &agent->port->host->sends;
	const uint8_t *mad = mad_recv_bytes(recv);
	uint64_t tid = get_be64(mad + MAD_TID);
	uint8_t mgmt_class = mad[MAD_CLASS];
	struct mad_send *send = NULL;
	struct mad_send *best = NULL;

	while ((send = send_table_find(table, tid, mgmt_class, send))) {
		if (expects(send, agent, recv) && (!best || comes_before(send, best)))
			best = send;
		if (!send->same_tid_next)
			break;
	}
	return best;
}

void mad_send_resume(struct mad_send *send)
{
	struct agent *agent = send->agent;

	wait_queue_remove(&agent->waits, send);
	attempt(agent->port, send);
	update_timer(agent);
}

void mad_send_wait_again(struct mad_send *send)
{
	struct agent *agent = send->agent;

	if (send->state != SEND_WAITING)
		return;
	wait_queue_remove(&agent->waits, send);
	wait_for_answer(agent->port, send);
}

void mad_send_finish(struct mad_send *send, const char *how)
{
	struct agent *agent = send->agent;

	TRACE(agent->port, "send " TRACE_TID " %s", TRACE_TID_ARGS(send->tid), how);
	if (send->state == SEND_BACKLOG) {
		send_queue_remove(&agent->backlog, send);
		mad_send_free(agent->port->host, send);
		let_out(agent);
	} else if (send->state == SEND_WAITING) {
		wait_queue_remove(&agent->waits, send);
		update_timer(agent);
		end(agent->port, send);
	} else {
		/*
		 * The answer came before the completion, which will end the send, and then let out
		 * what flow control has held.
		 */
		if (send->counted)
			flow_control_over(send);
		send->answered = true;
	}
}

/* ---- flush ---- */

void mad_send_flush_agent(struct agent *agent)
{
	struct kmod_host *host = agent->port->host;
	struct mad_send *send;

	while ((send = send_queue_pop(&agent->backlog)))
		mad_send_free(host, send);
	while ((send = agent->sends)) {
		TRACE(agent->port, "send " TRACE_TID " flushed", TRACE_TID_ARGS(send->tid));
		if (send->state == SEND_WAITING) {
			wait_queue_remove(&agent->waits, send);
			mad_send_free(host, send);
		} else {
			/* Its completion finds no agent and frees it. */
			delist(host, send);
			send->agent = NULL;
		}
	}
	update_timer(agent);
}

static void flush_queue(struct kmod_port *port, struct send_queue *queue)
{
	struct mad_send *send;

	while ((send = send_queue_pop(queue))) {
		if (send->local_packet)
			trace_drop(port, send->local_packet, "the device was removed");
		mad_send_free(port->host, send);
	}
}

void mad_send_flush_port(struct kmod_port *port)
{
	const struct kmod_host *host = port->host;

	host->ops->disarm(host->ctx, &port->completion);
	host->ops->disarm(host->ctx, &port->local);
	flush_queue(port, &port->completions);
	flush_queue(port, &port->locals);
	for (unsigned int i = 0; i < 2; i++)
		flush_queue(port, &port->qps[i].overflow);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The sending side of RMPP (linux-mad C.1, C.2): which segment is next, how long to wait for its
 * ACK, and what ACK, STOP and ABORT do.
 */
#include "kmod-stub/rmpp.h"

#include "kmod-stub/mad-recv.h"
#include "kmod-stub/mad-send.h"
#include "kmod-stub/rmpp-context.h"
#include "kmod-stub/trace.h"

/* Linux: "2 seconds until the packet lifetime can be found", which it never is. */
enum { ACK_WAIT_MS_MAX = 2000 };

/* ---- which one, and when ---- */

static bool is_acked(const struct mad_send *send)
{
	/* Linux: a plain send has no segments, all of which are acknowledged. */
	return !send->rmpp || send->rmpp->acked == send->rmpp->segments;
}

void rmpp_send_start(struct mad_send *send)
{
	struct rmpp_send *rmpp = send->rmpp;

	/* Linux: a TrapRepress is a response too, but not here. */
	rmpp->window = send->mad[MAD_METHOD] & MAD_METHOD_RESPONSE ?
		       rmpp_context_reply_window(send) : 1;
	rmpp->sent = 1;
}

bool rmpp_send_advance(struct mad_send *send)
{
	struct rmpp_send *rmpp = send->rmpp;

	if (is_acked(send) || rmpp->sent == rmpp->window || rmpp->sent == rmpp->segments)
		return false;
	rmpp->sent++;
	return true;
}

bool rmpp_send_rewind(struct mad_send *send)
{
	struct rmpp_send *rmpp = send->rmpp;

	/*
	 * Linux: nothing is sent again while only the answer is awaited, whatever retries are left.
	 */
	if (is_acked(send))
		return false;
	rmpp->sent = rmpp->acked + 1;
	rmpp->timer_used = false;
	return true;
}

/*
 * Quirk Q1 (linux-mad C.2). Linux keeps one value, which posting a segment sets to 2 s if the
 * user's timeout is 0 or longer, and which waiting turns from a duration into a point in time. With
 * a timeout of at most 2 s only a retry sets it again, so that from the second window on a point in
 * time is used as a duration, which is practically endless. A lost segment is then never sent
 * again.
 */
int64_t rmpp_send_wait_ns(struct mad_send *send)
{
	uint32_t wait_ms = send->timeout_ms;

	if (!is_acked(send)) {
		if (wait_ms == 0 || (wait_ms > ACK_WAIT_MS_MAX && wait_ms <= INT32_MAX))
			wait_ms = ACK_WAIT_MS_MAX;
		else if (send->rmpp->timer_used)
			return TIME_NEVER;
	}
	send->rmpp->timer_used = true;
	return wait_ms > INT32_MAX ? TIME_NEVER : wait_ms * NS_PER_MS;
}

/* ---- the receiver's MADs ---- */

/* Ends the send that 'recv' refers to, if it has segments that are not acknowledged. */
static void abort_send(struct agent *agent, const struct mad_recv *recv, uint8_t status)
{
	struct mad_send *send = mad_send_match(agent, recv);

	if (!send || is_acked(send))
		return;
	TRACE(agent->port, "rmpp-tx " TRACE_TID " aborted status=%u  sent=%d acked=%d of %d",
	      TRACE_TID_ARGS(send->tid), status, send->rmpp->sent, send->rmpp->acked,
	      send->rmpp->segments);
	mad_send_finish(send, "aborted");
}

void rmpp_send_refuse(struct agent *agent, const struct mad_recv *recv, uint8_t status)
{
	abort_send(agent, recv, status);
	rmpp_emit_abort(agent, recv, status);
}

static void use_up(struct agent *agent, struct mad_recv *recv)
{
	packet_free(agent->port->host->ops->pool, recv->packet);
}

/*
 * IBA vol 1, 13.6.4: the turn goes to the other side. Linux makes this ACK's address of 'recv'; to
 * an unknown GID it sends none.
 */
static void pass_turn(struct agent *agent, const struct mad_recv *recv)
{
	if (recv->gid_known)
		rmpp_emit_ack(agent, recv, &recv->from, 0, 1);
}

/* The receiver has 'segment' of 'send' and takes up to 'window'. */
static void take_ack(struct agent *agent, struct mad_send *send, struct mad_recv *recv,
		     int32_t segment, int32_t window)
{
	struct rmpp_send *rmpp = send->rmpp;

	if (segment > rmpp->acked) {
		rmpp->acked = segment;
		send->retries_left = send->retries;
	}
	rmpp->window = window;
	TRACE(agent->port, "rmpp-tx " TRACE_TID " acked=%d of %d win=%d",
	      TRACE_TID_ARGS(send->tid), rmpp->acked, rmpp->segments, window);
	if (!is_acked(send)) {
		/* If a segment is still in the QP, its completion continues. */
		if (send->state == SEND_WAITING && rmpp->sent < window &&
		    rmpp->sent < rmpp->segments) {
			rmpp->sent++;
			mad_send_resume(send);
		}
	} else if (send->timeout_ms == 0) {
		mad_send_finish(send, "acknowledged");
	} else {
		mad_send_wait_again(send);
		pass_turn(agent, recv);
	}
}

void rmpp_send_ack(struct agent *agent, struct mad_recv *recv)
{
	const uint8_t *mad = mad_recv_bytes(recv);
	int32_t segment = (int32_t)get_be32(mad + RMPP_SEGMENT);
	int32_t window = (int32_t)get_be32(mad + RMPP_PAYLEN_NEWWIN);
	struct mad_send *send = NULL;

	if (mad[RMPP_STATUS]) {
		rmpp_send_refuse(agent, recv, RMPP_STATUS_BAD_STATUS);
	} else if (window < segment) {
		rmpp_send_refuse(agent, recv, RMPP_STATUS_W2S);
	} else if (!(send = mad_send_match(agent, recv))) {
		if (segment != 0 || !rmpp_context_set_reply_window(agent, recv, window)) {
			trace_drop(agent->port, recv->packet, "an ACK of no transfer of agent %u",
				   agent->id);
			return;
		}
	} else if (is_acked(send)) {
		pass_turn(agent, recv);
	} else if (segment > send->rmpp->segments || segment > send->rmpp->window) {
		rmpp_send_refuse(agent, recv, RMPP_STATUS_S2B);
	} else if (window < send->rmpp->window || segment < send->rmpp->acked) {
		trace_drop(agent->port, recv->packet, "an old ACK: seg %d win %d", segment, window);
		return;
	} else {
		take_ack(agent, send, recv, segment, window);
	}
	use_up(agent, recv);
}

void rmpp_send_stop(struct agent *agent, struct mad_recv *recv)
{
	if (mad_recv_bytes(recv)[RMPP_STATUS] == RMPP_STATUS_RESX)
		abort_send(agent, recv, RMPP_STATUS_RESX);
	else
		rmpp_send_refuse(agent, recv, RMPP_STATUS_BAD_STATUS);
	use_up(agent, recv);
}

void rmpp_send_abort(struct agent *agent, struct mad_recv *recv)
{
	uint8_t status = mad_recv_bytes(recv)[RMPP_STATUS];

	if (status >= RMPP_STATUS_T2L && status <= RMPP_STATUS_UNSPECIFIED)
		abort_send(agent, recv, status);
	else
		rmpp_send_refuse(agent, recv, RMPP_STATUS_BAD_STATUS);
	use_up(agent, recv);
}

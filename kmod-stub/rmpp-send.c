/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The sending side of RMPP (linux-mad C.1, C.2): which segment comes next, how long to wait for
 * its ACK, and what ACK, STOP and ABORT do.
 */
#include "kmod-stub/rmpp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/mad-recv.h"
#include "kmod-stub/mad-send.h"
#include "kmod-stub/rmpp-context.h"
#include "kmod-stub/trace.h"

/* Linux: "2 seconds until the packet lifetime can be found", which it never is. */
enum { ACK_WAIT_MS_MAX = 2000 };

/* ---- the message and its segments ---- */

static uint32_t segment_room(const uint8_t *mad)
{
	return MAD_SIZE - mad_class_header_size(mad[MAD_CLASS]);
}

int rmpp_send_new(struct mad_send *send, const uint8_t *mad, size_t size)
{
	uint32_t header_size = mad_class_header_size(mad[MAD_CLASS]);
	uint32_t room = segment_room(mad);
	size_t data_size = size - header_size;
	size_t segments = data_size ? (data_size + room - 1) / room : 1;
	struct rmpp_send *rmpp;

	/* Linux: write(2) itself takes no more than 2 GiB. */
	if (size > INT32_MAX)
		return -ENOMEM;
	rmpp = malloc(sizeof(*rmpp) + data_size);
	if (!rmpp)
		return -ENOMEM;
	*rmpp = (struct rmpp_send){ .segments = (int32_t)segments, .size = data_size };
	copy_bytes(rmpp->data, mad + header_size, data_size);
	copy_bytes(send->mad, mad, header_size);
	/* Linux: what the user has in the RMPP header is not for the wire, the type included. */
	memset(send->mad + RMPP_VERSION, 0, RMPP_END - RMPP_VERSION);
	send->mad[RMPP_VERSION] = 1;
	send->mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	send->mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	send->rmpp = rmpp;
	return 0;
}

void rmpp_send_free(struct rmpp_send *rmpp)
{
	free(rmpp);
}

void rmpp_send_segment(const struct mad_send *send, uint8_t *mad)
{
	const struct rmpp_send *rmpp = send->rmpp;
	uint32_t header_size = mad_class_header_size(send->mgmt_class);
	uint32_t room = MAD_SIZE - header_size;
	size_t at = (size_t)(rmpp->sent - 1) * room;
	size_t left = rmpp->size - at;
	size_t part = left < room ? left : room;
	size_t pad = (size_t)rmpp->segments * room - rmpp->size;
	size_t length = 0;

	copy_bytes(mad, send->mad, header_size);
	copy_bytes(mad + header_size, rmpp->data + at, part);
	memset(mad + header_size + part, 0, room - part);
	/* IBA vol 1, 13.6.2.1: the class header counts as payload, once for each segment. */
	if (rmpp->sent == 1) {
		mad[RMPP_FLAGS] |= RMPP_FLAG_FIRST;
		length = (size_t)rmpp->segments * RMPP_PAYLOAD_SIZE - pad;
	}
	if (rmpp->sent == rmpp->segments) {
		mad[RMPP_FLAGS] |= RMPP_FLAG_LAST;
		length = RMPP_PAYLOAD_SIZE - pad;
	}
	put_be32(mad + RMPP_SEGMENT, (uint32_t)rmpp->sent);
	put_be32(mad + RMPP_PAYLEN_NEWWIN, (uint32_t)length);
}

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

	/* Linux: who waits for the answer only does not send again, whatever retries are left. */
	if (is_acked(send))
		return false;
	rmpp->sent = rmpp->acked + 1;
	rmpp->timer_used = false;
	return true;
}

/*
 * Linux keeps one value, which posting a segment sets to 2 s where the user's timeout is none or
 * longer, and which waiting turns from a duration into a point in time. With a timeout of at most
 * 2 s nothing but a retry sets it again, so that from the second window on a point in time is taken
 * for a duration: longer than anybody waits. A lost segment is then never sent again.
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

/* ---- what the receiver says ---- */

/* Ends the send that 'recv' is about, if it has segments that are not acknowledged. */
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
		/* With a segment still in the QP its completion goes on. */
		if (send->state == SEND_WAITING && rmpp->sent < window &&
		    rmpp->sent < rmpp->segments) {
			rmpp->sent++;
			mad_send_resume(send);
		}
	} else if (send->timeout_ms == 0) {
		mad_send_finish(send, "acknowledged");
	} else {
		mad_send_wait_again(send);
		/* IBA vol 1, 13.6.4: the turn goes to the other side. */
		rmpp_emit_ack(agent, recv, &recv->from, 0, 1);
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
		rmpp_emit_ack(agent, recv, &recv->from, 0, 1);
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

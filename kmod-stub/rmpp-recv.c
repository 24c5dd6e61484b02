/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The receiving side of RMPP (linux-mad C.3): segments are held until those before them have
 * arrived, acknowledged at the end of each window, and delivered in one piece.
 */
#include "kmod-stub/rmpp.h"

#include "kmod-stub/mad-recv.h"
#include "kmod-stub/rmpp-context.h"
#include "kmod-stub/trace.h"

enum {
	TOTAL_MS = 40000,		/* for the whole message, from segment 1 on */
	LINGER_MS = 10000,		/* how long a complete message's key stays taken */
};

static int32_t segment_of(const struct packet *packet)
{
	return (int32_t)get_be32(packet_mad_const(packet) + RMPP_SEGMENT);
}

static bool is_last(const struct packet *packet)
{
	return packet_mad_const(packet)[RMPP_FLAGS] & RMPP_FLAG_LAST;
}

/* Traces what has become of segment 'segment'. */
static void trace_segment(const struct rmpp_context *context, int32_t segment, const char *what)
{
	TRACE(context->agent->port, "rmpp-rx " TRACE_TID " seg %d %s  have=%d win=%d",
	      TRACE_TID_ARGS(context->tid), segment, what, context->have, context->window);
}

static void arm(struct rmpp_context *context, int64_t after_ms)
{
	const struct kmod_host *host = context->agent->port->host;

	host->ops->arm(host->ctx, &context->timer, host_now_ns(host) + after_ms * NS_PER_MS);
}

static void acknowledge(struct rmpp_context *context, const struct mad_recv *recv)
{
	context->acked = context->have;
	rmpp_emit_ack(context->agent, recv, &context->recv.from, context->have, context->window);
}

/* The time for the message or for its key is over. */
static void timer_fire(struct event *event)
{
	struct rmpp_context *context = container_of(event, struct rmpp_context, timer);

	if (context->state == RMPP_COMPLETE) {
		TRACE(context->agent->port, "rmpp-rx " TRACE_TID " forgotten",
		      TRACE_TID_ARGS(context->tid));
	} else {
		trace_segment(context, context->have, "is all that came in time");
		rmpp_emit_abort(context->agent, &context->recv, RMPP_STATUS_T2L);
	}
	rmpp_context_free(context, "the message was not complete within 40 s");
}

/*
 * Bytes of the whole message. Linux: only the last segment's length counts; the total in the first
 * one is not looked at, and an impossible last length means a full segment.
 */
static uint32_t message_size(const struct rmpp_context *context)
{
	const uint8_t *mad = packet_mad_const(context->contiguous);
	uint32_t header_size = mad_class_header_size(mad[MAD_CLASS]);
	uint32_t length = get_be32(mad + RMPP_PAYLEN_NEWWIN);
	uint32_t pad = length <= RMPP_PAYLOAD_SIZE ? RMPP_PAYLOAD_SIZE - length : 0;

	return header_size + (uint32_t)context->have * (MAD_SIZE - header_size) - pad;
}

/* The message is complete: it goes to '*ret_recv', and the context stays for its key. */
static void finish(struct rmpp_context *context, struct mad_recv *ret_recv, uint32_t *ret_size)
{
	context->state = RMPP_COMPLETE;
	trace_segment(context, context->have, "ends the message");
	acknowledge(context, &context->recv);
	arm(context, LINGER_MS);
	*ret_size = message_size(context);
	*ret_recv = context->recv;
	context->recv.packet = NULL;
	context->contiguous = NULL;
	context->last = NULL;
}

/* Adds a segment to those that are held. False: it is there already. */
static bool hold(struct rmpp_context *context, struct packet *packet)
{
	int32_t segment = segment_of(packet);
	struct packet *before = context->contiguous;

	if (segment <= context->have)
		return false;
	/* Nearly always it belongs at the end; else within a window. */
	if (segment > segment_of(context->last))
		before = context->last;
	while (before->next && segment_of(before->next) < segment)
		before = before->next;
	if (before->next && segment_of(before->next) == segment)
		return false;
	packet->next = before->next;
	before->next = packet;
	if (before == context->last)
		context->last = packet;
	while (context->contiguous->next &&
	       segment_of(context->contiguous->next) == context->have + 1) {
		context->contiguous = context->contiguous->next;
		context->have++;
	}
	return true;
}

/* Takes a segment of a transfer that has begun, or of none. */
static bool go_on(struct agent *agent, struct rmpp_context *context, struct mad_recv *recv,
		  uint32_t *ret_size)
{
	struct kmod_port *port = agent->port;
	int32_t segment = segment_of(recv->packet);
	struct packet *contiguous;

	if (!context) {
		trace_drop(port, recv->packet, "segment %d of no transfer", segment);
		return false;
	}
	if (segment > context->window) {
		trace_drop(port, recv->packet, "segment %d is beyond the window, which ends at %d",
			   segment, context->window);
		return false;
	}
	if (segment <= context->acked || context->state == RMPP_COMPLETE) {
		acknowledge(context, recv);
		trace_drop(port, recv->packet, "segment %d came before; acknowledged again",
			   segment);
		return false;
	}
	contiguous = context->contiguous;
	if (!hold(context, recv->packet)) {
		trace_drop(port, recv->packet, "segment %d is held already", segment);
		return false;
	}
	if (contiguous == context->contiguous) {
		trace_segment(context, segment, "held");
	} else if (is_last(context->contiguous)) {
		finish(context, recv, ret_size);
		return true;
	} else if (context->have == context->window) {
		context->window += port->recv_window;
		trace_segment(context, segment, "ends a window");
		acknowledge(context, recv);
	} else {
		trace_segment(context, segment, "taken");
	}
	return false;
}

/* Begins a transfer with segment 1. */
static bool begin(struct agent *agent, struct mad_recv *recv, uint32_t *ret_size)
{
	struct rmpp_context *context = rmpp_context_find(agent, recv);

	/* Linux: that there is no way to answer is checked before whether it is a repetition. */
	if (!recv->gid_known) {
		trace_drop(agent->port, recv->packet, "GRH to a GID that is not this port's");
		return false;
	}
	if (context)
		return go_on(agent, context, recv, ret_size);
	context = rmpp_context_new(agent, recv);
	if (!context) {
		trace_drop(agent->port, recv->packet, "out of memory");
		return false;
	}
	context->timer.fire = timer_fire;
	if (is_last(recv->packet)) {
		finish(context, recv, ret_size);
		return true;
	}
	arm(context, TOTAL_MS);
	context->window += agent->port->recv_window;
	trace_segment(context, 1, "begins");
	acknowledge(context, recv);
	return false;
}

static bool receive_data(struct agent *agent, struct mad_recv *recv, uint32_t *ret_size)
{
	const uint8_t *mad = mad_recv_bytes(recv);
	bool is_first = segment_of(recv->packet) == 1;
	uint8_t status = 0;

	if (mad[RMPP_STATUS])
		status = RMPP_STATUS_BAD_STATUS;
	else if (is_first != !!(mad[RMPP_FLAGS] & RMPP_FLAG_FIRST))
		status = RMPP_STATUS_BAD_SEGMENT;
	if (status) {
		rmpp_emit_abort(agent, recv, status);
		trace_drop(agent->port, recv->packet, "RMPP segment refused with status %u",
			   status);
		return false;
	}
	if (is_first)
		return begin(agent, recv, ret_size);
	return go_on(agent, rmpp_context_find(agent, recv), recv, ret_size);
}

static void refuse(struct agent *agent, struct mad_recv *recv, uint8_t status)
{
	rmpp_send_refuse(agent, recv, status);
	trace_drop(agent->port, recv->packet, "RMPP header refused with status %u", status);
}

bool rmpp_receive(struct agent *agent, struct mad_recv *recv, uint32_t *ret_size)
{
	const uint8_t *mad = mad_recv_bytes(recv);

	if (mad[RMPP_VERSION] != 1) {
		refuse(agent, recv, RMPP_STATUS_BAD_VERSION);
		return false;
	}
	switch (mad[RMPP_TYPE]) {
	case RMPP_TYPE_DATA:
		return receive_data(agent, recv, ret_size);
	case RMPP_TYPE_ACK:
		rmpp_send_ack(agent, recv);
		return false;
	case RMPP_TYPE_STOP:
		rmpp_send_stop(agent, recv);
		return false;
	case RMPP_TYPE_ABORT:
		rmpp_send_abort(agent, recv);
		return false;
	default:	/* a number from the wire */
		refuse(agent, recv, RMPP_STATUS_BAD_TYPE);
		return false;
	}
}

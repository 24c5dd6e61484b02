/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is promised about messages that the kernel segments.
 *
 * Sent: every segment carries its part of the message, correct in every field; only a message whose
 * send has not ended is sent; what is acknowledged has arrived. Delivered: complete, correct, to
 * its addressee, once. Ended: by an answer, by an acknowledgement if no answer is awaited, by a
 * report at its time, or silently if the other side ended it.
 */
#include "tests/swarm/swarm-send.h"

#include <inttypes.h>
#include <string.h>

enum {
	TYPE_DATA = 1,
	TYPE_ACK = 2,
	ACK_WAIT_MS = 2000,
	CONTEXT_LIFE_S = 10,
	PAYLOAD = 220,		/* of a segment, including its class header */
};

static uint32_t segment_data(uint8_t mgmt_class)
{
	return MAD_SIZE - swarm_header_size(mgmt_class);
}

/* ---- taint ---- */

/* A message without bytes and ports represents a tainted TID. */
static bool is_taint(const struct swarm_message *message)
{
	return message->segments == 0;
}

bool swarm_rmpp_is_tainted(struct swarm *swarm, uint64_t tid, uint8_t mgmt_class)
{
	for (struct swarm_message *m = swarm->messages; m; m = m->next)
		if (is_taint(m) && m->tid == tid && m->mgmt_class == mgmt_class)
			return true;
	return false;
}

void swarm_rmpp_taint(struct swarm *swarm, uint64_t tid, uint8_t mgmt_class)
{
	struct swarm_message *message;

	if (!swarm->has_rmpp)
		return;
	for (message = swarm->messages; message; message = message->next)
		if (message->tid == tid && message->mgmt_class == mgmt_class)
			message->may_be_gone = true;
	if (swarm_rmpp_is_tainted(swarm, tid, mgmt_class))
		return;
	message = swarm_alloc(swarm, sizeof(*message));
	message->tid = tid;
	message->mgmt_class = mgmt_class;
	message->next = swarm->messages;
	swarm->messages = message;
}

/* ---- the sender ---- */

/* A program that gets a request twice answers twice: to the receiver that is one message. */
static struct swarm_message *find_same(struct swarm *swarm, struct swarm_message *message)
{
	for (struct swarm_message *m = swarm->messages; m; m = m->next)
		if (!is_taint(m) && m->from == message->from && m->to == message->to &&
		    m->size == message->size && memcmp(m->bytes, message->bytes, m->size) == 0)
			return m->first;
	return message;
}

void swarm_rmpp_begin(struct swarm *swarm, struct swarm_send *send, const uint8_t *mad,
		      uint32_t size)
{
	uint32_t data = segment_data(mad[MAD_CLASS]);
	uint32_t data_size = size - swarm_header_size(mad[MAD_CLASS]);
	struct swarm_message *message = swarm_alloc(swarm, sizeof(*message));
	uint8_t *bytes = swarm_alloc(swarm, size);

	memcpy(bytes, mad, size);
	memcpy(bytes + MAD_TID, send->mad + MAD_TID, 8);
	message->send = send;
	message->from = send->port;
	message->to = swarm_world_find_port(swarm, send->lid);
	message->tid = send->tid;
	message->mgmt_class = send->mgmt_class;
	message->method = mad[MAD_METHOD];
	message->bytes = bytes;
	message->size = size;
	message->segments = data_size ? (data_size + data - 1) / data : 1;
	message->first = find_same(swarm, message);
	if (message->first == message)
		message->arrived = swarm_alloc(swarm, message->segments + 1);
	message->acked_ns = TIME_NEVER;
	message->delivered_ns = TIME_NEVER;
	message->may_be_gone = swarm_rmpp_is_tainted(swarm, send->tid, send->mgmt_class);
	message->next = swarm->messages;
	swarm->messages = message;
	send->message = message;
}

/* Segment 'number' (from 1) of the message as it is transmitted. */
static void make_segment(const struct swarm_message *message, uint32_t number,
			 uint8_t mad[MAD_SIZE])
{
	uint32_t header = swarm_header_size(message->mgmt_class);
	uint32_t data = MAD_SIZE - header;
	uint32_t at = header + (number - 1) * data;
	uint32_t part = message->size - at < data ? message->size - at : data;
	uint32_t pad = message->segments * data - (message->size - header);
	uint32_t length = 0;

	memset(mad, 0, MAD_SIZE);
	memcpy(mad, message->bytes, header);
	memcpy(mad + header, message->bytes + at, part);
	memset(mad + RMPP_VERSION, 0, RMPP_END - RMPP_VERSION);
	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = TYPE_DATA;
	mad[RMPP_FLAGS] = 1;
	if (number == 1) {
		mad[RMPP_FLAGS] |= 2;
		length = message->segments * PAYLOAD - pad;
	}
	if (number == message->segments) {
		mad[RMPP_FLAGS] |= 4;
		if (number > 1)
			length = PAYLOAD - pad;
	}
	put_be32(mad + RMPP_SEGMENT, number);
	put_be32(mad + RMPP_PAYLEN_NEWWIN, length);
}

static bool is_segment(const struct swarm_message *message, const uint8_t *mad)
{
	uint32_t number = get_be32(mad + RMPP_SEGMENT);
	uint8_t expected[MAD_SIZE];

	if (number < 1 || number > message->segments)
		return false;
	make_segment(message, number, expected);
	return memcmp(expected, mad, MAD_SIZE) == 0;
}

static bool data_transmitted(struct swarm *swarm, struct swarm_port *port, const uint8_t *mad,
			     const struct packet_addr *addr)
{
	uint64_t tid = get_be64(mad + MAD_TID);

	for (struct swarm_message *m = swarm->messages; m; m = m->next) {
		if (!m->send || m->tid != tid || m->from != port ||
		    m->mgmt_class != mad[MAD_CLASS] || m->send->lid != addr->dlid ||
		    !is_segment(m, mad))
			continue;
		m->sent_ns = swarm_now_ns(swarm);
		if (m->sent < get_be32(mad + RMPP_SEGMENT))
			m->sent = get_be32(mad + RMPP_SEGMENT);
		if (!m->send->agent)
			swarm_send_end(swarm, m->send);
		return true;
	}
	return false;
}

/* Have all segments up to 'number' of what 'mad' may acknowledge arrived at 'port'? */
static bool has_come(struct swarm *swarm, const struct swarm_port *port, const uint8_t *mad,
		     const struct packet_addr *addr, uint32_t number)
{
	uint64_t tid = get_be64(mad + MAD_TID);

	for (struct swarm_message *m = swarm->messages; m; m = m->next) {
		uint32_t have = 0;

		if (is_taint(m) || m->tid != tid || m->to != port ||
		    m->mgmt_class != mad[MAD_CLASS] || m->method != (mad[MAD_METHOD] ^ 0x80) ||
		    m->from != swarm_world_find_port(swarm, addr->dlid))
			continue;
		while (have < m->segments && m->first->arrived[have + 1])
			have++;
		if (have >= number)
			return true;
	}
	return false;
}

bool swarm_rmpp_transmitted(struct swarm *swarm, struct swarm_port *port, const uint8_t *mad,
			    const struct packet_addr *addr)
{
	uint64_t tid = get_be64(mad + MAD_TID);
	uint32_t segment = get_be32(mad + RMPP_SEGMENT);

	if (!swarm->has_rmpp || !swarm_is_active(mad))
		return false;
	if (mad[RMPP_TYPE] == TYPE_DATA)
		return data_transmitted(swarm, port, mad, addr);
	if (swarm_rmpp_is_tainted(swarm, tid, mad[MAD_CLASS]))
		return true;
	/*
	 * Segment 0: what a requester sends about the response, once its request has been
	 * acknowledged.
	 */
	if (mad[RMPP_TYPE] == TYPE_ACK && segment > 0 && !has_come(swarm, port, mad, addr, segment))
		swarm_fail(swarm, SWARM_WHOLE, "%s acknowledges segment %u of TID 0x%" PRIx64
			   ", which has not come", port->name, segment, tid);
	return true;
}

/* ---- the receiver ---- */

static void control_arrives(struct swarm *swarm, const struct swarm_agent *agent,
			    const uint8_t *mad)
{
	uint64_t tid = get_be64(mad + MAD_TID);
	uint32_t segment = get_be32(mad + RMPP_SEGMENT);

	for (struct swarm_message *m = swarm->messages; m; m = m->next) {
		struct swarm_send *send = m->send;

		if (!send || send->agent != agent || m->tid != tid ||
		    m->mgmt_class != mad[MAD_CLASS] || m->method != (mad[MAD_METHOD] ^ 0x80))
			continue;
		if (mad[RMPP_TYPE] == TYPE_ACK && mad[RMPP_STATUS] == 0 &&
		    segment == m->segments && m->sent == segment) {
			if (m->acked_ns == TIME_NEVER)
				m->acked_ns = swarm_now_ns(swarm);
			if (send->timeout_ms == 0 && !m->may_be_gone)
				swarm_send_end(swarm, send);
		} else if (mad[RMPP_TYPE] != TYPE_ACK || segment > m->sent) {
			m->may_be_gone = true;
		}
	}
}

void swarm_rmpp_arrives(struct swarm *swarm, struct swarm_agent *agent, const uint8_t *mad,
			const struct packet_addr *addr)
{
	uint64_t tid = get_be64(mad + MAD_TID);
	bool known = false;

	if (swarm_rmpp_is_tainted(swarm, tid, mad[MAD_CLASS]))
		return;
	if (mad[RMPP_TYPE] != TYPE_DATA) {
		control_arrives(swarm, agent, mad);
		return;
	}
	for (struct swarm_message *m = swarm->messages; m; m = m->next) {
		if (is_taint(m) || m->tid != tid || m->to != agent->file->port ||
		    m->from != swarm_world_find_port(swarm, addr->slid) || !is_segment(m, mad))
			continue;
		m->first->arrived[get_be32(mad + RMPP_SEGMENT)] = 1;
		known = true;
	}
	/* A program that does its own RMPP may write anything into it. */
	if (!known)
		swarm_rmpp_taint(swarm, tid, mad[MAD_CLASS]);
}

static bool is_whole(const struct swarm_message *message)
{
	for (uint32_t i = 1; i <= message->segments; i++)
		if (!message->first->arrived[i])
			return false;
	return true;
}

/* Is the message read this message, byte by byte? */
static bool is_message(const struct swarm_message *message, const uint8_t *mad, uint32_t size)
{
	uint8_t first[MAD_SIZE];
	uint32_t first_size = size < MAD_SIZE ? size : MAD_SIZE;

	if (message->size != size)
		return false;
	make_segment(message, 1, first);
	return memcmp(mad, first, first_size) == 0 &&
	       memcmp(mad + first_size, message->bytes + first_size, size - first_size) == 0;
}

/* The request that the message answers has been answered. */
static void answer(struct swarm *swarm, const struct swarm_agent *agent, const uint8_t *mad,
		   bool tainted)
{
	uint64_t tid = get_be64(mad + MAD_TID);

	for (struct swarm_send *send = swarm->sends; send; send = send->next) {
		if (send->agent == agent && send->tid == tid && !send->is_response &&
		    send->mgmt_class == mad[MAD_CLASS] && (send->timeout_ms || send->message)) {
			swarm_send_end(swarm, send);
			return;
		}
	}
	if (!tainted)
		swarm_fail(swarm, SWARM_ENDS, "agent %u on %s has got an answer to TID 0x%" PRIx64
			   ", which has ended or never was", agent->id,
			   agent->file->port->name, tid);
}

static void check_delivery(struct swarm *swarm, const struct swarm_agent *agent,
			   struct swarm_message *message)
{
	const char *name = agent->file->port->name;

	if (!is_whole(message))
		swarm_fail(swarm, SWARM_WHOLE, "%s delivers TID 0x%" PRIx64 ", of which not all "
			   "segments have come", name, message->tid);
	if (message->delivered_ns != TIME_NEVER && message->delivered_to == agent->hi_tid &&
	    swarm_now_ns(swarm) - message->delivered_ns < CONTEXT_LIFE_S * NS_PER_S)
		swarm_fail(swarm, SWARM_WHOLE, "%s delivers TID 0x%" PRIx64 " twice", name,
			   message->tid);
	message->delivered_ns = swarm_now_ns(swarm);
	message->delivered_to = agent->hi_tid;
}

void swarm_rmpp_read(struct swarm *swarm, struct swarm_file *file, const uint8_t *header,
		     const uint8_t *mad, uint32_t size)
{
	const struct swarm_agent *agent = file->agents[header[0]];
	uint64_t tid = get_be64(mad + MAD_TID);
	bool tainted = swarm_rmpp_is_tainted(swarm, tid, mad[MAD_CLASS]);
	struct swarm_message *message = swarm->messages;
	uint32_t length;

	memcpy(&length, header + 16, 4);
	if (length != swarm_file_header(file) + size)
		swarm_fail(swarm, SWARM_WHOLE, "%s: %u bytes are read, the header says %u",
			   file->port->name, swarm_file_header(file) + size, length);
	/* By its length a last segment may not even contain the vendor's OUI. */
	if (size >= swarm_header_size(mad[MAD_CLASS]) &&
	    swarm_find_agent(swarm, file->port, mad) != agent)
		swarm_fail(swarm, SWARM_OWN, "agent %u on %s has got the message TID 0x%" PRIx64
			   ", which is another agent's", agent->id, file->port->name, tid);
	while (message && (is_taint(message) || message->to != file->port ||
			   message->tid != tid || !is_message(message, mad, size)))
		message = message->next;
	if (!message && !tainted)
		swarm_fail(swarm, SWARM_WHOLE, "agent %u on %s has got %u bytes with TID 0x%" PRIx64
			   ", a message that nobody sent", agent->id, file->port->name, size, tid);
	if (message && !tainted)
		check_delivery(swarm, agent, message->first);
	if (swarm_is_response(mad))
		answer(swarm, agent, mad, tainted);
}

/* ---- ends ---- */

bool swarm_rmpp_may_report(struct swarm *swarm, const struct swarm_send *send)
{
	const struct swarm_message *message = send->message;
	int64_t now_ns = swarm_now_ns(swarm);
	int64_t wait_ms = send->timeout_ms && send->timeout_ms < ACK_WAIT_MS ? send->timeout_ms :
									      ACK_WAIT_MS;

	if (message->may_be_gone)
		return true;
	if (send->timeout_ms >= UINT32_C(0x80000000))
		return false;
	if (message->acked_ns != TIME_NEVER)
		return now_ns == message->acked_ns + send->timeout_ms * NS_PER_MS;
	return now_ns == message->sent_ns + wait_ms * NS_PER_MS;
}

/*
 * Linux: with a timeout of up to 2 s the timer of all windows but the first does not go off; from
 * 2^31 ms on none does.
 */
static bool may_hang(const struct swarm_send *send)
{
	if (send->timeout_ms >= UINT32_C(0x80000000))
		return true;
	return send->timeout_ms > 0 && send->timeout_ms <= ACK_WAIT_MS &&
	       send->message->segments > 1;
}

void swarm_rmpp_finish(struct swarm *swarm)
{
	for (struct swarm_send *send = swarm->sends; send; send = send->next) {
		const struct swarm_message *message = send->message;

		if (!message || message->may_be_gone || may_hang(send))
			continue;
		swarm_fail(swarm, SWARM_ENDS, "%s: the message TID 0x%" PRIx64 " of %u segments, "
			   "timeout %u ms, has not ended", send->port->name, send->tid,
			   message->segments, send->timeout_ms);
	}
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP's own MADs: ACK and ABORT, each made from the MAD that it answers (linux-mad C.3). They are
 * sent once, and need no answer.
 */
#include "kmod-stub/mad-recv.h"

#include <string.h>

#include "kmod-stub/mad-send.h"
#include "kmod-stub/rmpp.h"
#include "kmod-stub/trace.h"

/* A send with the headers of 'recv' back to 'to'; NULL: not possible. */
static struct mad_send *new_control(struct agent *agent, const struct mad_recv *recv,
				    const struct mad_address *to)
{
	const uint8_t *mad = mad_recv_bytes(recv);
	uint32_t header_size = mad_class_header_size(mad[MAD_CLASS]);
	struct mad_send *send;

	/* Linux: an RMPP agent cannot post other classes. */
	if (!mad_class_has_rmpp(mad[MAD_CLASS]))
		return NULL;
	send = mad_send_new(agent->port->host);
	if (!send)
		return NULL;
	send->qpn = agent->qpn;
	send->to = *to;
	copy_bytes(send->mad, mad, header_size);
	memset(send->mad + header_size, 0, MAD_SIZE - header_size);
	send->mad[MAD_METHOD] ^= MAD_METHOD_RESPONSE;
	/* Linux: the response time field comes back as it came. */
	send->mad[RMPP_FLAGS] = (uint8_t)((mad[RMPP_FLAGS] & ~RMPP_FLAGS_MASK) | RMPP_FLAG_ACTIVE);
	send->is_response = mad_is_response(send->mad);
	return send;
}

/*
 * The send belongs to no agent: it goes out even if the agent is unregistered, and matches no
 * answer.
 */
static void post_control(struct agent *agent, struct mad_send *send)
{
	if (mad_send_post(agent->port, send) < 0)
		mad_send_free(agent->port->host, send);
}

void rmpp_emit_ack(struct agent *agent, const struct mad_recv *recv, const struct mad_address *to,
		   int32_t segment, int32_t window)
{
	struct mad_send *send = new_control(agent, recv, to);

	if (!send)
		return;
	send->to.qpn = recv->from.qpn;
	send->to.pkey_index = recv->from.pkey_index;
	send->mad[RMPP_TYPE] = RMPP_TYPE_ACK;
	put_be32(send->mad + RMPP_SEGMENT, (uint32_t)segment);
	put_be32(send->mad + RMPP_PAYLEN_NEWWIN, (uint32_t)window);
	TRACE(agent->port, "rmpp " TRACE_TID " says ACK seg=%d win=%d",
	      TRACE_TID_ARGS(get_be64(send->mad + MAD_TID)), segment, window);
	post_control(agent, send);
}

void rmpp_emit_abort(struct agent *agent, const struct mad_recv *recv, uint8_t status)
{
	struct mad_send *send = recv->gid_known ? new_control(agent, recv, &recv->from) : NULL;

	if (!send)
		return;
	send->mad[RMPP_VERSION] = 1;
	send->mad[RMPP_TYPE] = RMPP_TYPE_ABORT;
	send->mad[RMPP_STATUS] = status;
	put_be32(send->mad + RMPP_SEGMENT, 0);
	put_be32(send->mad + RMPP_PAYLEN_NEWWIN, 0);
	TRACE(agent->port, "rmpp " TRACE_TID " says ABORT status=%u",
	      TRACE_TID_ARGS(get_be64(send->mad + MAD_TID)), status);
	post_control(agent, send);
}

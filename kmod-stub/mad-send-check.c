/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The invariants of sends, and of those of an agent: lib/base/invariant.h.
 */
#include "kmod-stub/mad-send.h"

#include "kmod-stub/rmpp.h"
#include "lib/base/invariant.h"

static const char *rmpp_send_check(const struct rmpp_send *rmpp)
{
	MUST(rmpp->segments >= 1, "RMPP send: it has a segment");
	MUST(rmpp->sent >= 1 && rmpp->sent <= rmpp->segments,
	     "RMPP send: the segment sent last is one of the message");
	MUST(rmpp->acked >= 0 && rmpp->acked <= rmpp->segments,
	     "RMPP send: what is acknowledged is a part of the message");
	MUST(rmpp->acked <= rmpp->window, "RMPP send: nothing beyond the window is acknowledged");
	return NULL;
}

static const char *state_check(const struct mad_send *send)
{
	switch (send->state) {
	case SEND_NEW:
		return "send: never new while it is under way";
	case SEND_POSTED:
	case SEND_OVERFLOW:
	case SEND_LOCAL:
		break;
	case SEND_WAITING:
		MUST(send->agent, "send: an agent waits for its answer");
		MUST(send->deadline_ns >= send->waits_since_ns,
		     "send: it waits until later than since when");
		break;
	case SEND_BACKLOG:
		MUST(send->counted, "send: flow control holds what it counts");
		break;
	}
	NEVER(send->answered && send->state != SEND_POSTED && send->state != SEND_OVERFLOW,
	      "send: never answered, except before its completion");
	NEVER(send->local_packet && send->state != SEND_LOCAL,
	      "send: never something to deliver here, except of a local one");
	return NULL;
}

const char *mad_send_check(const struct mad_send *send)
{
	MUST(send->qpn <= 1, "send: it leaves from QP0 or QP1");
	MUST((send->agent != NULL) == (send->agent_link != NULL) &&
	     (send->agent != NULL) == send->in_table,
	     "send: with an agent, and only then, it is outstanding");
	NEVER(send->agent && *send->agent_link != send, "send: what leads to it is never another");
	MUST(send->retries_left <= send->retries, "send: no retries come from nowhere");
	MUST_HOLD(state_check(send));
	return send->rmpp ? rmpp_send_check(send->rmpp) : NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Flow control of requests: which requests count, which wait, and which is next.
 */
#include "kmod-stub/flow-control.h"

#include "kmod-stub/mad-send.h"
#include "kmod-stub/profile.h"
#include "kmod-stub/trace.h"

/* Linux: parts of the QPs' queues of 512 and 128. */
enum {
	LIMIT_SA = 16,
	LIMIT_OTHER = 128,
};

static bool class_counts(uint8_t mgmt_class)
{
	return mgmt_class == MAD_CLASS_SUBN_ADM || mgmt_class == MAD_CLASS_CM ||
	       mad_class_is_smp(mgmt_class);
}

uint32_t flow_control_limit(const struct profile *profile, uint8_t mgmt_class)
{
	if (!profile->flow_control)
		return 0;
	if (mgmt_class == MAD_CLASS_SUBN_ADM)
		return LIMIT_SA;
	/* Class 0 means an agent without unsolicited MADs, which may send any class. */
	return mgmt_class == 0 || class_counts(mgmt_class) ? LIMIT_OTHER : 0;
}

bool flow_control_counts(const struct mad_send *send)
{
	return send->agent && send->agent->flow_limit && send->timeout_ms > 0 &&
	       class_counts(send->mgmt_class) &&
	       !(send->agent->rmpp_version && send->mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE);
}

static void hold(struct mad_send *send)
{
	struct agent *agent = send->agent;

	send->state = SEND_BACKLOG;
	send->order = agent->port->host->send_order++;
	send_queue_push(&agent->backlog, send);
	TRACE(agent->port, "send " TRACE_TID " held  %u requests are out",
	      TRACE_TID_ARGS(send->tid), agent->flow_out);
}

bool flow_control_holds(struct mad_send *send)
{
	struct agent *agent = send->agent;

	/* An early answer makes room that is used when its request has left the QP, in order. */
	if (!send_queue_is_empty(&agent->backlog) || agent->flow_out >= agent->flow_limit) {
		hold(send);
		return true;
	}
	agent->flow_out++;
	return false;
}

bool flow_control_holds_again(struct mad_send *send)
{
	struct agent *agent = send->agent;

	if (send_queue_is_empty(&agent->backlog))
		return false;
	agent->flow_out--;
	hold(send);
	return true;
}

void flow_control_over(struct mad_send *send)
{
	send->agent->flow_out--;
}

struct mad_send *flow_control_next(struct agent *agent)
{
	struct mad_send *send;

	if (agent->flow_out >= agent->flow_limit || !(send = send_queue_pop(&agent->backlog)))
		return NULL;
	agent->flow_out++;
	return send;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * An agent: how it is registered, and how it ends.
 */
#include "kmod-stub/agent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/flow-control.h"
#include "kmod-stub/mad-send.h"
#include "kmod-stub/rmpp-context.h"
#include "kmod-stub/trace.h"
#include "kmod-stub/umad-file.h"
#include "lib/base/invariant.h"

/* Checks everything that depends on the request alone, in Linux's order. */
static int check_request(const struct kmod_port *port, const struct agent_request *request)
{
	static const uint8_t no_oui[3];
	uint8_t mgmt_class = request->mgmt_class;

	if (request->qpn == 0 ? !port->attr->has_smi : port->attr->no_gsi)
		return -EPROTONOSUPPORT;
	if (request->rmpp_version > 1)
		return -EINVAL;
	if (mgmt_class == 0)
		return request->user_rmpp ? -EINVAL : 0;
	if (request->class_version >= CLASS_VERSION_LIMIT)
		return -EINVAL;
	if (mgmt_class >= CLASS_LIMIT && mgmt_class != MAD_CLASS_SUBN_DR)
		return -EINVAL;
	if (mad_class_is_vendor2(mgmt_class) && memcmp(request->oui, no_oui, 3) == 0)
		return -EINVAL;
	if (request->rmpp_version && !mad_class_has_rmpp(mgmt_class))
		return -EINVAL;
	if (mad_class_is_smp(mgmt_class) != (request->qpn == 0))
		return -EINVAL;
	return 0;
}

int agent_register(struct kmod_port *port, struct kmod_file *file, uint8_t id,
		   const struct agent_request *request, struct agent **ret_agent)
{
	struct agent *agent;
	int err;

	err = check_request(port, request);
	if (err)
		return err;
	agent = calloc(1, sizeof(*agent));
	if (!agent)
		return -ENOMEM;
	agent->port = port;
	agent->file = file;
	agent->id = id;
	agent->qpn = request->qpn;
	agent->mgmt_class = request->mgmt_class;
	agent->class_version = request->class_version;
	memcpy(agent->oui, request->oui, 3);
	agent->rmpp_version = request->rmpp_version;
	agent->kernel_rmpp = request->rmpp_version && !request->user_rmpp;
	memcpy(agent->methods, request->methods, sizeof(agent->methods));
	agent->flow_limit = flow_control_limit(port->host->profile, agent->mgmt_class);
	mad_send_init_agent(agent);

	err = host_agent_add(port->host, agent);
	if (err)
		goto fail;
	/* Linux: a registration that fails from here on has used up its number. */
	if (agent->mgmt_class) {
		err = agent_table_add(&port->agents, agent);
		if (err) {
			host_agent_remove(port->host, agent);
			goto fail;
		}
		agent->in_table = true;
	}
	TRACE(port, "agent %u registered class=0x%02x version=%u qp=%u hi_tid=%u%s", id,
	      agent->mgmt_class, agent->class_version, agent->qpn, agent->hi_tid,
	      agent->kernel_rmpp ? " rmpp" : "");
	*ret_agent = agent;
	return 0;
fail:
	free(agent);
	return err;
}

void agent_unregister(struct agent *agent)
{
	struct kmod_port *port = agent->port;

	TRACE(port, "agent %u unregistered hi_tid=%u", agent->id, agent->hi_tid);
	mad_send_flush_agent(agent);
	rmpp_context_flush_agent(agent);
	if (agent->in_table)
		agent_table_remove(&port->agents, agent);
	host_agent_remove(port->host, agent);
	wait_queue_clear(&agent->waits);
	free(agent);
}

/* ---- invariants ---- */

/* How many of an agent's sends there are. */
struct tally {
	uint32_t sends, waiting, backlog;
	uint32_t out;			/* requests that flow control counts */
	uint32_t answered;		/* of those it has counted: still in the QP */
};

static const char *sends_check(const struct agent *agent, struct tally *ret_tally)
{
	struct mad_send *const *link = &agent->sends;

	for (const struct mad_send *send = *link; send; send = *link) {
		MUST(++ret_tally->sends <= agent->waits.heap.reserved,
		     "agent: each send has room reserved for waiting");
		MUST(send->agent == agent, "agent: its sends are its own");
		MUST(send->agent_link == link, "agent: a send knows what leads to it");
		MUST_HOLD(mad_send_check(send));
		ret_tally->waiting += send->state == SEND_WAITING;
		ret_tally->backlog += send->state == SEND_BACKLOG;
		ret_tally->answered += send->counted && send->answered;
		ret_tally->out += send->counted && !send->answered && send->state != SEND_BACKLOG;
		link = &send->agent_next;
	}
	MUST(ret_tally->sends == agent->waits.heap.reserved,
	     "agent: no room is reserved for nothing");
	return NULL;
}

static const char *backlog_check(const struct agent *agent, const struct tally *tally)
{
	uint32_t count = 0;

	MUST_HOLD(send_queue_check(&agent->backlog));
	for (const struct mad_send *send = agent->backlog.first; send; send = send->next) {
		MUST(send->agent == agent && send->state == SEND_BACKLOG,
		     "agent: its backlog has sends of its own that are held");
		count++;
	}
	MUST(count == tally->backlog, "agent: what is held is in the backlog");
	MUST(agent->flow_out == tally->out, "agent: flow control counts what is outstanding");
	NEVER(agent->flow_out > agent->flow_limit, "agent: never more requests than its limit");
	NEVER(count && agent->flow_out + tally->answered < agent->flow_limit,
	      "agent: never a request held, and room for it");
	return NULL;
}

static const char *timer_check(const struct agent *agent, const struct tally *tally)
{
	const struct mad_send *first = wait_queue_first(&agent->waits);

	MUST(agent->waits.waiting == tally->waiting, "agent: those that wait are in its queue");
	MUST(agent->timer_ns == (first ? first->deadline_ns : TIME_NEVER),
	     "agent: its timer is for the first deadline");
	MUST(event_is_armed(&agent->timer) == (agent->timer_ns != TIME_NEVER),
	     "agent: its timer is armed while there is a deadline");
	NEVER(event_is_armed(&agent->timer) && agent->timer.at_ns < agent->timer_ns,
	      "agent: its timer is never early");
	return NULL;
}

const char *agent_check(const struct agent *agent)
{
	struct tally tally = { 0 };
	const struct rmpp_context *context;

	MUST(agent->id < FILE_AGENT_COUNT && agent->file->agents[agent->id] == agent,
	     "agent: its file has it in its slot");
	MUST(agent->file->port == agent->port, "agent: it is on the port of its file");
	NEVER(agent->port->removed, "agent: never on a port that was removed");
	MUST(agent->in_table == (agent->mgmt_class != 0),
	     "agent: with a class, and only then, it takes unsolicited MADs");
	NEVER(agent->kernel_rmpp && !agent->rmpp_version,
	      "agent: never RMPP by the kernel without a version of RMPP");
	MUST_HOLD(wait_queue_check(&agent->waits));
	MUST_HOLD(sends_check(agent, &tally));
	MUST_HOLD(backlog_check(agent, &tally));
	MUST_HOLD(timer_check(agent, &tally));
	for (context = agent->contexts; context; context = context->agent_next) {
		MUST(context->agent == agent, "agent: its contexts are its own");
		MUST_HOLD(rmpp_context_check(context));
	}
	return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The invariants of a host and of a port, as two operations of kmod-stub. Nothing below uses them,
 * so that what they look at needs no circle.
 */
#include "kmod-stub/stub.h"

#include "kmod-stub/agent.h"
#include "kmod-stub/kmod-host.h"
#include "kmod-stub/kmod-port.h"
#include "kmod-stub/mad-send.h"
#include "kmod-stub/rmpp-context.h"
#include "kmod-stub/umad-file.h"
#include "lib/base/invariant.h"

const char *stub_host_check(const struct kmod_host *host, size_t *work)
{
	uint32_t agents = 0, sends = 0, contexts = 0;

	MUST_HOLD(send_table_check(&host->sends));
	MUST_HOLD(rmpp_table_check(&host->rmpp_contexts));
	for (uint32_t i = 0; i < host->agent_slots; i++) {
		const struct agent *agent = host->agents[i];
		const struct rmpp_context *context;

		if (!agent)
			continue;
		agents++;
		MUST(agent->hi_tid >= 1 && agent->hi_tid < HI_TID_LIMIT,
		     "host: agents have numbers of 24 bits");
		MUST(host_agent_find(host, agent->hi_tid) == agent,
		     "host: no empty slot is between an agent and its place");
		MUST(agent->port->host == host, "host: its agents are on its ports");
		MUST_HOLD(agent_check(agent));
		sends += agent->waits.heap.reserved;
		for (context = agent->contexts; context; context = context->agent_next) {
			contexts++;
			*work += context->state == RMPP_COLLECTING ? (size_t)context->have : 1;
		}
	}
	*work += host->agent_slots + host->sends.slot_count + host->rmpp_contexts.chain_count;
	MUST(agents == host->agent_count, "host: it counts its agents");
	MUST(agents <= host->agent_slots / 2, "host: half of the slots are empty");
	MUST(sends == host->sends.count, "host: the outstanding sends are those of its agents");
	MUST(contexts == host->rmpp_contexts.count,
	     "host: the messages in segments are those of its agents");
	MUST(host->next_hi_tid >= 1 && host->next_hi_tid < HI_TID_LIMIT,
	     "host: the next number has 24 bits");
	return NULL;
}

/* Adds the sends of each QP to 'counts'. */
static const char *queue_check(const struct kmod_port *port, const struct send_queue *queue,
			       enum send_state state, uint32_t counts[2])
{
	MUST_HOLD(send_queue_check(queue));
	for (const struct mad_send *send = queue->first; send; send = send->next) {
		MUST(send->state == state, "port's queue: its sends are in the state for it");
		MUST(!send->agent || send->agent->port == port,
		     "port's queue: its sends are of its agents, or of nobody");
		MUST_HOLD(mad_send_check(send));
		counts[send->qpn]++;
	}
	return NULL;
}

static const char *qp_check(const struct kmod_port *port, unsigned int qpn, uint32_t posted,
			    size_t *work)
{
	const struct mad_qp *qp = &port->qps[qpn];
	uint32_t counts[2] = { 0 };

	MUST_HOLD(queue_check(port, &qp->overflow, SEND_OVERFLOW, counts));
	*work += counts[qpn];
	MUST(counts[!qpn] == 0, "QP: what waits for room in it leaves from it");
	if (port->removed)
		return NULL;
	MUST(qp->posted == posted, "QP: it counts the sends that are posted");
	MUST(qp->posted <= port->send_room, "QP: no more are posted than it has room for");
	NEVER(counts[qpn] && qp->posted < port->send_room,
	      "QP: never does a send wait while there is room");
	MUST(qp->psn < UINT32_C(1) << 24, "QP: a PSN has 24 bits");
	return NULL;
}

const char *stub_port_check(const struct kmod_port *port, size_t *work)
{
	uint32_t posted[2] = { 0 }, locals[2] = { 0 };
	struct kmod_file *const *link = &port->files;

	MUST_HOLD(queue_check(port, &port->completions, SEND_POSTED, posted));
	MUST_HOLD(queue_check(port, &port->locals, SEND_LOCAL, locals));
	MUST_HOLD(qp_check(port, 0, posted[0], work));
	MUST_HOLD(qp_check(port, 1, posted[1], work));
	*work += 1 + posted[0] + posted[1] + locals[0] + locals[1];
	NEVER(port->completing, "port: its completions never last longer than their event");
	MUST(event_is_armed(&port->completion) == !send_queue_is_empty(&port->completions),
	     "port: completions are due while sends are posted");
	MUST(event_is_armed(&port->local) == !send_queue_is_empty(&port->locals),
	     "port: local deliveries are due while there are some");
	NEVER(port->removed && (port->completions.first || port->locals.first || port->agents),
	      "port: a removed one never has sends or agents");
	for (const struct kmod_file *file = port->files; file; file = file->next) {
		MUST(file->link == link && file->port == port,
		     "port: a file knows its port, and what leads to it");
		MUST(file->dead == port->removed, "port: its files die with it");
		MUST((file->first != NULL) == (file->queued > 0), "file: it counts its messages");
		NEVER(file->first && file->last->next,
		      "file: never does anything follow the last message");
		link = &file->next;
		*work += 1;
	}
	return NULL;
}

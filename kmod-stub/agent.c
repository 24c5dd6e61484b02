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

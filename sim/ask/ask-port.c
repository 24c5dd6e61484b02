/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The port that asks: see sim/ask/ask-port.h.
 */
#include "sim/ask/ask-port.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/capture/mad-role.h"

enum {
	SLACK_MS = 2000,	/* beyond its timeout a send comes back, one way or the other */
	OTHERS_MAX = 1000,	/* messages that may come before the answer */
};

struct agent {
	struct ask_agent kind;
	int id;
};

struct ask_port {
	struct ask_device *device;
	GArray *agents;		/* of struct agent */
	GByteArray *request;	/* the present one, as it is sent */
	uint32_t tid;
};

struct ask_port *ask_port_new(struct ask_device *device)
{
	struct ask_port *port = g_new(struct ask_port, 1);

	*port = (struct ask_port){
		.device = device,
		.agents = g_array_new(false, false, sizeof(struct agent)),
		.request = g_byte_array_new(),
	};
	return port;
}

void ask_port_close(struct ask_port *port)
{
	if (!port)
		return;
	port->device->ops->close(port->device);
	g_array_unref(port->agents);
	g_byte_array_unref(port->request);
	g_free(port);
}

const char *ask_port_name(const struct ask_port *port)
{
	return port->device->name;
}

/* An agent for MADs of this kind; or -errno. */
static int agent_for(struct ask_port *port, const uint8_t *mad, uint8_t rmpp_version,
		     bool takes_sends)
{
	struct agent agent = {
		.kind = {
			.mgmt_class = mad[MAD_CLASS],
			.version = mad[MAD_CLASS_VERSION],
			.rmpp_version = rmpp_version,
			.oui = mad_class_is_vendor2(mad[MAD_CLASS]) ? get_be24(mad + VENDOR2_OUI) :
								      0,
			.takes_sends = takes_sends,
		},
	};

	for (guint i = 0; i < port->agents->len; i++) {
		const struct agent *known = &g_array_index(port->agents, struct agent, i);

		if (known->kind.mgmt_class == agent.kind.mgmt_class &&
		    known->kind.version == agent.kind.version &&
		    known->kind.rmpp_version == rmpp_version &&
		    known->kind.oui == agent.kind.oui && known->kind.takes_sends == takes_sends)
			return known->id;
	}
	agent.id = port->device->ops->add_agent(port->device, &agent.kind);
	if (agent.id >= 0)
		g_array_append_val(port->agents, agent);
	return agent.id;
}

/* The request as its sender gave it to the kernel: before its first hop. */
static void build(struct ask_port *port, const struct conversation_message *request,
		  uint8_t first_port)
{
	uint8_t *mad;

	g_byte_array_set_size(port->request, (guint)MAX(request->size, (size_t)MAD_SIZE));
	mad = port->request->data;
	memcpy(mad, request->bytes, port->request->len);
	put_be64(mad + MAD_TID, ++port->tid);
	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR)
		return;
	mad[SMP_HOP_PTR] = 0;
	memset(mad + SMP_RETURN_PATH, 0, SMP_PATH_SIZE);
	if (mad[SMP_HOP_CNT] && first_port)
		mad[SMP_INITIAL_PATH + 1] = port->device->port_num;
}

/* What the kernel has changed on its way in, and the ways of this port, undone. */
static void undo(const struct conversation_message *request, const struct ask_received *received,
		 struct conversation_message *ret)
{
	const struct packet_addr *asked = &request->addr;
	struct packet_addr *addr = &ret->addr;
	uint8_t *mad = received->mad;

	memcpy(mad + MAD_TID, request->bytes + MAD_TID, 8);
	*addr = *asked;
	addr->dlid = asked->slid;
	addr->slid = asked->dlid;
	addr->dest_qp = asked->src_qp;
	addr->src_qp = received->src_qp;
	addr->has_grh = received->has_grh;
	memcpy(addr->dgid, asked->sgid, 16);
	if (addr->has_grh)
		memcpy(addr->sgid, received->sgid, 16);
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		/* On the last stretch of wire it is 1 (IBA vol 1, 14.2.2.4). */
		mad[SMP_HOP_PTR] = mad[SMP_HOP_CNT] ? 1 : 0;
		mad[SMP_INITIAL_PATH + 1] = request->bytes[SMP_INITIAL_PATH + 1];
	} else {
		addr->slid = received->slid;
		addr->sl = received->sl;
	}
	ret->frame = 1;
	ret->bytes = mad;
	ret->size = ret->padded = received->size;
}

/* Is it an answer to the present request? The upper half of a TID is the kernel's. */
static bool is_answer(const struct ask_port *port, bool by_send, const uint8_t *mad)
{
	const uint8_t *request = port->request->data;
	struct mad_key asked, answered;

	if (!by_send)
		return get_be32(mad + MAD_TID + 4) == port->tid;
	asked = mad_key(request);
	answered = mad_key(mad);
	return mad_key_equal(&asked, &answered) && mad_method_answers(request, mad);
}

/* 1: 'ret' is the answer; 0: there is none; or -errno. */
static int await(struct ask_port *port, const struct conversation_message *request, bool by_send,
		 int timeout_ms, struct conversation_message *ret)
{
	for (unsigned int others = 0; others < OTHERS_MAX; others++) {
		struct ask_received received;
		int err = port->device->ops->receive(port->device, timeout_ms, &received);

		if (err == -ETIMEDOUT)
			return 0;
		if (err < 0)
			return err;
		/* Late answers are passed over. */
		if (!is_answer(port, by_send, received.mad))
			continue;
		if (received.status)
			return received.status == ETIMEDOUT ? 0 : -received.status;
		undo(request, &received, ret);
		return 1;
	}
	return 0;
}

int ask_port_ask(struct ask_port *port, const struct conversation_message *request,
		 uint8_t first_port, int timeout_ms, struct conversation_message *ret)
{
	/* To the kernel a Send is no request, and a Send that answers it is no answer. */
	bool by_send = request->bytes[MAD_METHOD] == MAD_METHOD_SEND &&
		       mad_role(request->bytes) == MAD_ROLE_ASKS;
	int agent = agent_for(port, request->bytes, mad_class_has_rmpp(request->bytes[MAD_CLASS]),
			      by_send);
	int err;

	*ret = (struct conversation_message){ .transport = request->transport };
	if (agent < 0)
		return agent;
	build(port, request, first_port);
	err = port->device->ops->send(port->device, agent, &request->addr, port->request->data,
				      port->request->len, by_send ? 0 : timeout_ms);
	if (err < 0)
		return err;
	return await(port, request, by_send, timeout_ms + (by_send ? 0 : SLACK_MS), ret);
}

int ask_port_send(struct ask_port *port, const struct packet_addr *addr, const uint8_t *mad)
{
	int agent = agent_for(port, mad, 0, false);

	return agent < 0 ? agent : port->device->ops->send(port->device, agent, addr, mad, MAD_SIZE,
							   0);
}

unsigned int ask_port_failed(struct ask_port *port)
{
	struct ask_received received;
	unsigned int failed = 0;

	while (port->device->ops->receive(port->device, 0, &received) == 0)
		failed += received.status != 0;
	return failed;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A received MAD: how it is checked, what answers it, and which agent gets it (linux-mad B.4, B.5).
 */
#include "kmod-stub/mad-recv.h"

#include <assert.h>
#include <string.h>

#include "kmod-stub/agent.h"
#include "kmod-stub/mad-send.h"
#include "kmod-stub/packet.h"
#include "kmod-stub/profile.h"
#include "kmod-stub/rmpp.h"
#include "kmod-stub/send-packet.h"
#include "kmod-stub/smi.h"
#include "kmod-stub/stub.h"
#include "kmod-stub/trace.h"
#include "kmod-stub/umad-file.h"
#include "lib/base/wire.h"

enum {
	GRH_AT = LRH_SIZE,
	CM_ATTR_CLASS_PORT_INFO = 0x0001,
};

/* Interface ID of the SA's well-known GID (Linux: any entry will do). */
static const uint8_t sa_well_known_guid[8] = { 0x02, 0, 0, 0, 0, 0, 0, 0x02 };

const uint8_t *mad_recv_dgid(const struct mad_recv *recv)
{
	assert(recv->from.has_grh);
	return recv->packet->bytes + GRH_AT + GRH_DGID;
}

/* The index of a packet's P_Key: of the same P_Key, else of one of the same partition. */
static uint16_t pkey_index(const struct kmod_port *port, uint16_t pkey)
{
	const struct kmod_port_attr *attr = port->attr;
	size_t found = attr->pkey_count;

	for (size_t i = 0; i < attr->pkey_count; i++) {
		if (attr->pkeys[i] == pkey)
			return (uint16_t)i;
		if (found == attr->pkey_count && ((attr->pkeys[i] ^ pkey) & 0x7fff) == 0)
			found = i;
	}
	return found < attr->pkey_count ? (uint16_t)found : 0;
}

/* Finds the GID of 'port' that the GRH was sent to. */
static void find_own_gid(const struct kmod_port *port, struct mad_recv *recv)
{
	int index = port_gid_index(port, mad_recv_dgid(recv));

	if (memcmp(mad_recv_dgid(recv) + 8, sa_well_known_guid, 8) == 0)
		index = 0;
	/* IBA vol 1, 14.2.5.6: GUIDCap, the size of the table, is a byte. */
	assert(index <= UINT8_MAX);
	recv->gid_known = index >= 0;
	recv->from.gid_index = recv->gid_known ? (uint8_t)index : 0;
}

static void read_grh(const struct kmod_port *port, struct mad_recv *recv)
{
	const uint8_t *grh = recv->packet->bytes + GRH_AT;
	uint32_t tclass_flow = get_be32(grh + GRH_TCLASS_FLOW);

	recv->from.has_grh = true;
	recv->from.traffic_class = tclass_flow >> 20 & 0xff;
	recv->from.flow_label = tclass_flow & 0xfffff;
	recv->from.hop_limit = 0xff;
	memcpy(recv->from.gid, grh + GRH_SGID, 16);
	find_own_gid(port, recv);
}

static void read_headers(const struct kmod_port *port, struct packet *packet,
			 struct mad_recv *ret_recv)
{
	const uint8_t *bth = packet->bytes + packet_bth_at(packet);
	uint16_t dlid = packet_dlid(packet);

	ret_recv->packet = packet;
	ret_recv->qpn = packet_dest_qp(packet) == 0 ? 0 : 1;
	ret_recv->from.qpn = packet_src_qp(packet);
	ret_recv->from.lid = packet_slid(packet);
	ret_recv->from.sl = packet->bytes[LRH_SL] >> 4;
	ret_recv->from.path_bits = dlid == LID_PERMISSIVE ? 0 : dlid & port_path_mask(port);
	ret_recv->from.pkey_index = ret_recv->qpn == 0 ? 0 :
				    pkey_index(port, get_be16(bth + BTH_PKEY));
	ret_recv->from.has_grh = false;
	ret_recv->gid_known = true;
	if (packet_has_grh(packet))
		read_grh(port, ret_recv);
}

struct agent *mad_recv_find_agent(const struct kmod_port *port, const uint8_t *mad)
{
	/* Linux: the agent's number alone decides, not port, QP or class. */
	if (mad_is_response(mad))
		return host_agent_find(port->host, get_be32(mad + MAD_TID));
	return agent_table_find(port->agents, mad);
}

/* ---- delivery ---- */

static void give(struct agent *agent, struct mad_recv *recv, uint32_t size)
{
	TRACE(agent->port,
	      "recv " TRACE_TID " to agent %u class=0x%02x method=0x%02x slid=%u size=%u",
	      TRACE_TID_ARGS(get_be64(mad_recv_bytes(recv) + MAD_TID)), agent->id,
	      mad_recv_bytes(recv)[MAD_CLASS], mad_recv_bytes(recv)[MAD_METHOD], recv->from.lid,
	      size);
	umad_file_receive(agent->file, agent->id, recv, size);
}

/*
 * Linux, from June 2026 on: the segment of a response that no request waits for is not even
 * acknowledged.
 */
static bool stops_at_gate(struct agent *agent, const struct mad_recv *recv)
{
	const uint8_t *mad = mad_recv_bytes(recv);

	return agent->port->host->profile->response_gate &&
	       mad_is_response(mad) && mad_class_has_rmpp(mad[MAD_CLASS]) &&
	       mad[RMPP_TYPE] == RMPP_TYPE_DATA && !mad_send_match(agent, recv);
}

static void deliver(struct kmod_port *port, struct agent *agent, struct mad_recv *recv)
{
	const uint8_t *mad = mad_recv_bytes(recv);
	bool rmpp_active = mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE;
	uint32_t size = MAD_SIZE;
	struct mad_send *send;

	if (agent->kernel_rmpp && rmpp_active) {
		if (stops_at_gate(agent, recv)) {
			trace_drop(port, recv->packet,
				   "no request of agent %u waits for this segment", agent->id);
			return;
		}
		if (!rmpp_receive(agent, recv, &size))
			return;
		mad = mad_recv_bytes(recv);
	}
	if (!mad_is_response(mad)) {
		give(agent, recv, size);
		return;
	}
	send = mad_send_match(agent, recv);
	if (send) {
		give(agent, recv, size);
		mad_send_finish(send, "answered");
	} else if (!agent->kernel_rmpp && rmpp_active && mad_class_has_rmpp(mad[MAD_CLASS])) {
		/* A user that does RMPP itself gets all segments: only the first one matches. */
		give(agent, recv, size);
	} else {
		trace_drop_all(port, recv->packet,
			       "no request of agent %u waits for this response", agent->id);
	}
}

/* ---- what the kernel answers itself ---- */

/* Sends 'mad' (256 bytes) back to where 'recv', which stays the caller's, came from. */
static void reply(struct kmod_port *port, const struct mad_recv *recv, const uint8_t *mad)
{
	struct mad_send *send = recv->gid_known ? mad_send_new(port->host) : NULL;
	struct packet *packet;

	if (send) {
		send->qpn = recv->qpn;
		send->to = recv->from;
		mad_copy(send->mad, mad);
		send->is_response = mad_is_response(mad);
		if (mad_send_post(port, send) == 0)
			return;
		mad_send_free(port->host, send);
	}
	packet = send_packet_local(port);
	mad_copy(packet_mad(packet), mad);
	trace_drop(port, packet, send ? "the node's answer was refused: invalid directed route" :
					"the node's answer has no way back: GRH not to this port");
}

/* Linux: a Get or Set that no agent takes is answered, so that its sender need not wait. */
static void reply_unsupported(struct kmod_port *port, struct mad_recv *recv)
{
	uint8_t *mad = packet_mad(recv->packet);
	uint16_t status = MAD_STATUS_BAD_METHOD_ATTR;

	TRACE(port, "recv " TRACE_TID " nobody's: class=0x%02x method=0x%02x answered 0x000c",
	      TRACE_TID_ARGS(get_be64(mad + MAD_TID)), mad[MAD_CLASS], mad[MAD_METHOD]);
	mad[MAD_METHOD] = MAD_METHOD_GET_RESP;
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		status |= SMP_DIRECTION;
	put_be16(mad + MAD_STATUS, status);
	reply(port, recv, mad);
	packet_free(port->host->ops->pool, recv->packet);
}

/* Lets the driver look first. True: the MAD is consumed. Not inlined because of its buffer. */
__attribute__((noinline)) static bool driver_takes(struct kmod_port *port, struct mad_recv *recv,
						    bool *ret_failed)
{
	const struct kmod_host *host = port->host;
	struct kmod_source source = {
		.slid = recv->from.lid,
		.src_qp = recv->from.qpn,
		.sl = recv->from.sl,
		.path_bits = recv->from.path_bits,
		.pkey_index = recv->from.pkey_index,
		.has_grh = recv->from.has_grh,
	};
	uint8_t out[MAD_SIZE];
	unsigned int result = KMOD_MAD_SUCCESS;

	if (host->ops->process_mad)
		result = host->ops->process_mad(host->ctx, port->wire, &source,
						mad_recv_bytes(recv), out);
	*ret_failed = !(result & KMOD_MAD_SUCCESS);
	if (*ret_failed || !(result & (KMOD_MAD_CONSUMED | KMOD_MAD_REPLY)))
		return false;
	if (!(result & KMOD_MAD_CONSUMED))
		reply(port, recv, out);
	packet_free(host->ops->pool, recv->packet);
	return true;
}

/* ---- arrival ---- */

/* The reason to drop the MAD unseen, or NULL. */
static const char *objection(struct kmod_port *port, const struct mad_recv *recv)
{
	const uint8_t *mad = mad_recv_bytes(recv);

	if (port->removed)
		return "the device was removed";
	if (mad[MAD_BASE_VERSION] != 1)
		return "base version is not 1";
	if (packet_dest_qp(recv->packet) > 1)
		return "no such QP";
	if (recv->qpn == 0 && !port->attr->has_smi)
		return "this port has no QP0";
	if (recv->qpn == 1 && port->attr->no_gsi)
		return "this port has no QP1";
	if (mad_class_is_smp(mad[MAD_CLASS]) != (recv->qpn == 0))
		return recv->qpn == 0 ? "class is not for QP0" : "class is for QP0 only";
	if (mad[MAD_CLASS] == MAD_CLASS_CM &&
	    get_be16(mad + MAD_ATTR_ID) != CM_ATTR_CLASS_PORT_INFO &&
	    mad[MAD_METHOD] != MAD_METHOD_SEND)
		return "connection management by a method other than Send";
	return NULL;
}

void stub_port_receive(struct kmod_port *port, struct packet *packet)
{
	uint8_t *mad = packet_mad(packet);
	struct mad_recv recv;
	struct agent *agent;
	const char *why;
	bool failed;

	read_headers(port, packet, &recv);
	why = objection(port, &recv);
	if (!why && mad[MAD_CLASS] == MAD_CLASS_SUBN_DR &&
	    !smi_fix_up_receive(port->attr, port->host->ops->process_mad, mad))
		why = "its directed route does not end here";
	if (why) {
		trace_drop(port, packet, "%s", why);
		return;
	}
	/* Linux: no driver takes SMPs that are responses. */
	failed = false;
	if (!(recv.qpn == 0 && mad[MAD_METHOD] & MAD_METHOD_RESPONSE) &&
	    driver_takes(port, &recv, &failed))
		return;
	agent = mad_recv_find_agent(port, mad);
	/*
	 * Linux: an answer may arrive at another port of the host; the agent's port has the GIDs.
	 */
	if (agent && agent->port != port && recv.from.has_grh)
		find_own_gid(agent->port, &recv);
	if (agent)
		deliver(port, agent, &recv);
	else if (!failed && (mad[MAD_METHOD] == MAD_METHOD_GET ||
			     mad[MAD_METHOD] == MAD_METHOD_SET))
		reply_unsupported(port, &recv);
	else if (failed)
		trace_drop(port, packet, "refused by the driver, no agent for it");
	else
		trace_drop(port, packet, "no agent for class 0x%02x method 0x%02x",
			   mad[MAD_CLASS], mad[MAD_METHOD]);
}

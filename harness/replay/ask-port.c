/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The port that asks: see harness/replay/ask-port.h.
 */
#include "harness/replay/ask-port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "lib/base/wire.h"

enum {
	SLACK_MS = 2000,	/* beyond its timeout a send comes back, one way or the other */
};

struct agent {
	uint8_t mgmt_class, version;
	uint32_t oui;
	int id;
};

struct ask_port {
	int fd;
	umad_port_t about;
	GArray *agents;		/* of struct agent */
	void *umad;		/* room for a message */
	size_t room;		/* bytes of MAD in it */
	uint32_t tid;
};

struct ask_port *ask_port_open(const char *ca, int number, GError **error)
{
	struct ask_port *port = g_new0(struct ask_port, 1);
	int err;

	port->fd = -1;
	port->agents = g_array_new(false, false, sizeof(struct agent));
	port->room = MAD_SIZE;
	port->umad = g_malloc0(umad_size() + port->room);
	err = umad_get_port(ca, number, &port->about);
	if (err == 0) {
		port->fd = umad_open_port(port->about.ca_name, port->about.portnum);
		err = port->fd < 0 ? port->fd : 0;
	}
	if (err == 0)
		return port;
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s%s%d cannot be opened: %s",
		    ca ? ca : "the default port, ", ca ? "/" : "", number, g_strerror(ABS(err)));
	ask_port_close(port);
	return NULL;
}

void ask_port_close(struct ask_port *port)
{
	if (!port)
		return;
	if (port->fd >= 0)
		umad_close_port(port->fd);
	if (port->about.portnum)
		umad_release_port(&port->about);
	g_array_unref(port->agents);
	g_free(port->umad);
	g_free(port);
}

char *ask_port_name(const struct ask_port *port)
{
	return g_strdup_printf("%s/%d", port->about.ca_name, port->about.portnum);
}

/* An agent for requests of this kind, which takes nothing but answers; or -errno. */
static int agent_for(struct ask_port *port, const uint8_t *mad)
{
	struct agent agent = {
		.mgmt_class = mad[MAD_CLASS],
		.version = mad[MAD_CLASS_VERSION],
		.oui = mad_class_is_vendor2(mad[MAD_CLASS]) ? get_be24(mad + VENDOR2_OUI) : 0,
	};
	uint8_t rmpp_version = mad_class_has_rmpp(agent.mgmt_class);
	uint8_t oui[3];

	for (guint i = 0; i < port->agents->len; i++) {
		const struct agent *known = &g_array_index(port->agents, struct agent, i);

		if (known->mgmt_class == agent.mgmt_class && known->version == agent.version &&
		    known->oui == agent.oui)
			return known->id;
	}
	put_be24(oui, agent.oui);
	if (mad_class_is_vendor2(agent.mgmt_class))
		agent.id = umad_register_oui(port->fd, agent.mgmt_class, rmpp_version, oui, NULL);
	else
		agent.id = umad_register(port->fd, agent.mgmt_class, agent.version, rmpp_version,
					 NULL);
	if (agent.id >= 0)
		g_array_append_val(port->agents, agent);
	return agent.id;
}

static int pkey_index(const struct ask_port *port, uint16_t pkey)
{
	for (unsigned int i = 0; i < port->about.pkeys_size; i++) {
		if ((port->about.pkeys[i] & 0x7fff) == (pkey & 0x7fff))
			return (int)i;
	}
	return 0;
}

static void make_room(struct ask_port *port, size_t size)
{
	if (size <= port->room)
		return;
	port->umad = g_realloc(port->umad, umad_size() + size);
	port->room = size;
}

/* The request as its sender gave it to the kernel: before its first hop. */
static void build(struct ask_port *port, const struct conversation_message *request,
		  uint8_t first_port)
{
	const struct packet_addr *addr = &request->addr;
	struct ib_mad_addr grh = {
		.grh_present = 1, .hop_limit = addr->hop_limit,
		.traffic_class = addr->traffic_class, .flow_label = addr->flow_label,
	};
	uint8_t *mad;

	make_room(port, MAX(request->size, (size_t)MAD_SIZE));
	memset(port->umad, 0, umad_size() + port->room);
	mad = umad_get_mad(port->umad);
	memcpy(mad, request->bytes, MAX(request->size, (size_t)MAD_SIZE));
	put_be64(mad + MAD_TID, ++port->tid);
	umad_set_addr(port->umad, addr->dlid, (int)addr->dest_qp, addr->sl, (int)addr->qkey);
	umad_set_pkey(port->umad, pkey_index(port, addr->pkey));
	if (addr->has_grh) {
		memcpy(grh.gid, addr->dgid, sizeof(grh.gid));
		umad_set_grh(port->umad, &grh);
	}
	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR)
		return;
	mad[SMP_HOP_PTR] = 0;
	memset(mad + SMP_RETURN_PATH, 0, SMP_PATH_SIZE);
	if (mad[SMP_HOP_CNT] && first_port)
		mad[SMP_INITIAL_PATH + 1] = (uint8_t)port->about.portnum;
}

/* The next message of the port: bytes of its MAD, or -errno. */
static int receive(struct ask_port *port, int timeout_ms)
{
	for (;;) {
		int length = (int)port->room;
		int agent = umad_recv(port->fd, port->umad, &length, timeout_ms);

		if (agent >= 0)
			return length;
		if (agent != -ENOSPC && errno != ENOSPC)
			return agent;
		if ((size_t)length <= port->room)
			return -EIO;
		make_room(port, (size_t)length);
	}
}

/* What the kernel has changed on its way in, and the ways of this port, undone. */
static void undo(const struct ask_port *port, const struct conversation_message *request,
		 uint8_t *mad, int length, struct conversation_message *ret)
{
	const ib_mad_addr_t *from = umad_get_mad_addr(port->umad);
	const struct packet_addr *asked = &request->addr;
	struct packet_addr *addr = &ret->addr;

	memcpy(mad + MAD_TID, request->bytes + MAD_TID, 8);
	*addr = *asked;
	addr->dlid = asked->slid;
	addr->slid = asked->dlid;
	addr->dest_qp = asked->src_qp;
	addr->src_qp = ntohl(from->qpn);
	addr->has_grh = from->grh_present != 0;
	memcpy(addr->dgid, asked->sgid, 16);
	if (addr->has_grh)
		memcpy(addr->sgid, from->gid, 16);
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		/* On the last stretch of wire it is 1 (IBA vol 1, 14.2.2.4). */
		mad[SMP_HOP_PTR] = mad[SMP_HOP_CNT] ? 1 : 0;
		mad[SMP_INITIAL_PATH + 1] = request->bytes[SMP_INITIAL_PATH + 1];
	} else {
		addr->slid = ntohs(from->lid);
		addr->sl = from->sl;
	}
	ret->frame = 1;
	ret->bytes = mad;
	ret->size = ret->padded = (size_t)length;
}

int ask_port_ask(struct ask_port *port, const struct conversation_message *request,
		 uint8_t first_port, int timeout_ms, struct conversation_message *ret)
{
	int agent = agent_for(port, request->bytes), length, err;

	*ret = (struct conversation_message){ .transport = request->transport };
	if (agent < 0)
		return agent;
	build(port, request, first_port);
	err = umad_send(port->fd, agent, port->umad, (int)MAX(request->size, (size_t)MAD_SIZE),
			timeout_ms, 0);
	if (err < 0)
		return err;
	for (;;) {
		uint8_t *mad;

		length = receive(port, timeout_ms + SLACK_MS);
		if (length == -ETIMEDOUT)
			return 0;
		if (length < 0)
			return length;
		mad = umad_get_mad(port->umad);
		/* The upper half of a TID is the kernel's. Late answers are passed over. */
		if (get_be32(mad + MAD_TID + 4) != port->tid)
			continue;
		if (umad_status(port->umad) != 0)
			return umad_status(port->umad) == ETIMEDOUT ? 0 :
			       -umad_status(port->umad);
		if (length < MAD_SIZE) {
			make_room(port, MAD_SIZE);
			mad = umad_get_mad(port->umad);
			memset(mad + length, 0, (size_t)(MAD_SIZE - length));
		}
		undo(port, request, mad, length, ret);
		return 1;
	}
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A device for questions, through libibumad: see harness/replay/ask-umad.h.
 */
#include "harness/replay/ask-umad.h"

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "lib/base/wire.h"

struct umad_device {
	struct ask_device device;
	int fd;
	umad_port_t about;
	void *umad;		/* room for a message */
	size_t room;		/* bytes of MAD in it */
};

static struct umad_device *device_of(struct ask_device *device)
{
	return (struct umad_device *)(void *)device;
}

static int add_agent(struct ask_device *device, const struct ask_agent *agent)
{
	long methods[16 / sizeof(long)] = { agent->takes_sends ? 1L << MAD_METHOD_SEND : 0 };
	int fd = device_of(device)->fd;
	uint8_t oui[3];

	put_be24(oui, agent->oui);
	if (mad_class_is_vendor2(agent->mgmt_class))
		return umad_register_oui(fd, agent->mgmt_class, agent->rmpp_version, oui, NULL);
	return umad_register(fd, agent->mgmt_class, agent->version, agent->rmpp_version,
			     agent->takes_sends ? methods : NULL);
}

static int pkey_index(const struct umad_device *umad, uint16_t pkey)
{
	for (unsigned int i = 0; i < umad->about.pkeys_size; i++) {
		if ((umad->about.pkeys[i] & 0x7fff) == (pkey & 0x7fff))
			return (int)i;
	}
	return 0;
}

static void make_room(struct umad_device *umad, size_t size)
{
	if (size <= umad->room)
		return;
	umad->umad = g_realloc(umad->umad, umad_size() + size);
	umad->room = size;
}

static int send_mad(struct ask_device *device, int agent, const struct packet_addr *addr,
		    const uint8_t *mad, size_t size, int timeout_ms)
{
	struct umad_device *umad = device_of(device);
	struct ib_mad_addr grh = {
		.grh_present = 1, .hop_limit = addr->hop_limit,
		.traffic_class = addr->traffic_class, .flow_label = addr->flow_label,
	};
	int err;

	make_room(umad, size);
	memset(umad->umad, 0, umad_size() + umad->room);
	memcpy(umad_get_mad(umad->umad), mad, size);
	umad_set_addr(umad->umad, addr->dlid, (int)addr->dest_qp, addr->sl, (int)addr->qkey);
	umad_set_pkey(umad->umad, pkey_index(umad, addr->pkey));
	if (addr->has_grh) {
		memcpy(grh.gid, addr->dgid, sizeof(grh.gid));
		umad_set_grh(umad->umad, &grh);
	}
	err = umad_send(umad->fd, agent, umad->umad, (int)size, timeout_ms, 0);
	return err < 0 ? err : 0;
}

/* Bytes of the MAD, or -errno. */
static int fetch(struct umad_device *umad, int timeout_ms)
{
	for (;;) {
		int length = (int)umad->room;
		int agent = umad_recv(umad->fd, umad->umad, &length, timeout_ms);

		if (agent >= 0)
			return length;
		if (agent != -ENOSPC && errno != ENOSPC)
			return agent;
		if ((size_t)length <= umad->room)
			return -EIO;
		make_room(umad, (size_t)length);
	}
}

static int receive(struct ask_device *device, int timeout_ms, struct ask_received *ret)
{
	struct umad_device *umad = device_of(device);
	int length = fetch(umad, timeout_ms);
	const ib_mad_addr_t *from;
	uint8_t *mad;

	if (length < 0)
		/* Without a time to wait, nothing is -EAGAIN of some kernels' files. */
		return length == -EAGAIN || length == -EWOULDBLOCK ? -ETIMEDOUT : length;
	make_room(umad, MAD_SIZE);
	from = umad_get_mad_addr(umad->umad);
	mad = umad_get_mad(umad->umad);
	if (length < MAD_SIZE)
		memset(mad + length, 0, (size_t)(MAD_SIZE - length));
	*ret = (struct ask_received){
		.status = umad_status(umad->umad), .mad = mad, .size = (size_t)length,
		.slid = ntohs(from->lid), .sl = from->sl, .src_qp = ntohl(from->qpn),
		.has_grh = from->grh_present != 0,
	};
	if (ret->has_grh)
		memcpy(ret->sgid, from->gid, 16);
	return 0;
}

static void close_device(struct ask_device *device)
{
	struct umad_device *umad = device_of(device);

	if (umad->fd >= 0)
		umad_close_port(umad->fd);
	if (umad->about.portnum)
		umad_release_port(&umad->about);
	g_free(umad->umad);
	g_free(device->name);
	g_free(umad);
}

static const struct ask_device_ops ops = {
	.add_agent = add_agent, .send = send_mad, .receive = receive, .close = close_device,
};

struct ask_port *ask_umad_open(const char *ca, int port, GError **error)
{
	struct umad_device *umad = g_new0(struct umad_device, 1);
	int err;

	umad->device.ops = &ops;
	umad->fd = -1;
	umad->room = MAD_SIZE;
	umad->umad = g_malloc0(umad_size() + umad->room);
	err = umad_get_port(ca, port, &umad->about);
	if (err == 0) {
		umad->fd = umad_open_port(umad->about.ca_name, umad->about.portnum);
		err = umad->fd < 0 ? umad->fd : 0;
	}
	if (err) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "%s%s%d cannot be opened: %s", ca ? ca : "the default port, ",
			    ca ? "/" : "", port, g_strerror(ABS(err)));
		close_device(&umad->device);
		return NULL;
	}
	umad->device.port_num = (uint8_t)umad->about.portnum;
	umad->device.name = g_strdup_printf("%s/%d", umad->about.ca_name, umad->about.portnum);
	return ask_port_new(&umad->device);
}

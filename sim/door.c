/*
 * The door: what libibumad knows of a fabric, as a struct umad_backend (lib/backend.h).
 *
 * Looked up by name in libumadrig, or in the umadrig command. The fabric is the one that the spec
 * loads, or with "@" the one that this process has attached.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "attach.h"
#include "backend.h"
#include "clock.h"
#include "handle.h"
#include "issm-path.h"
#include "session.h"

/* struct ib_user_mad_reg_req and _req2 of the kernel's ABI 5: offsets of their fields. */
enum {
	REQ1_ID = 0, REQ1_MASK = 4, REQ1_QPN = 20, REQ1_CLASS = 21, REQ1_VERSION = 22,
	REQ1_OUI = 23, REQ1_RMPP = 26, REQ1_SIZE = 28,
	REQ2_ID = 0, REQ2_QPN = 4, REQ2_CLASS = 8, REQ2_VERSION = 9, REQ2_FLAGS = 12,
	REQ2_MASK = 16, REQ2_OUI = 32, REQ2_RMPP = 36, REQ2_SIZE = 40,
};

enum {
	HEADER_SIZE = 64,
	VENDOR_MELLANOX = 0x0002c9,
};

static const unsigned long IOCTL_REGISTER = 0xc01c1b01;
static const unsigned long IOCTL_UNREGISTER = 0x40041b02;
static const unsigned long IOCTL_ENABLE_PKEY = 0x00001b03;
static const unsigned long IOCTL_REGISTER2 = 0xc0281b04;

/* The fabric of a spec other than "@"; it lives until the process ends. */
static struct umadrig_fabric *loaded;
static char banner_text[256];

static struct umadrig_fabric *door_fabric(void)
{
	return loaded ? loaded : attached_fabric();
}

/* The fabric with its lock held, or NULL and a negative errno in '*ret'. */
static struct umadrig_fabric *door_enter(int *ret)
{
	struct umadrig_fabric *fabric = door_fabric();

	*ret = fabric ? fabric_enter(fabric) : -ENOENT;
	return *ret < 0 ? NULL : fabric;
}

/* ---- start ---- */

static void make_banner(const struct umadrig_fabric *fabric)
{
	const struct umadrig_host *host = fabric->default_host;

	enum kmod_profile profile = (enum kmod_profile)fabric->options.profile;
	bool usual = profile == KMOD_LINUX_6_1;

	snprintf(banner_text, sizeof(banner_text),
		 "simulated fabric: %s (%u nodes, %s clock%s%s%s), host %s", fabric->name,
		 fabric->nodes->len, clock_is_virtual(fabric) ? "virtual" : "real",
		 fabric->options.cold ? ", cold" : "", usual ? "" : ", profile ",
		 usual ? "" : kmod_profile_name(profile), host->name);
}

static int door_start(const char *spec, char *reterr, size_t reterr_size)
{
	int ret;

	if (strcmp(spec, "@") == 0) {
		if (!attached_fabric()) {
			snprintf(reterr, reterr_size, "sim:@ is the fabric that this process made, "
				 "and it has attached none (umadrig_attach)");
			return -ENOENT;
		}
		make_banner(attached_fabric());
		return 0;
	}
	ret = session_enter(reterr, reterr_size);
	if (ret < 0)
		return ret;
	loaded = umadrig_fabric_open(spec, reterr, reterr_size);
	if (!loaded) {
		session_leave();
		return -EINVAL;
	}
	make_banner(loaded);
	return 0;
}

/* The capture of a fabric that nobody closes ends with the process. A forked child has none. */
__attribute__((destructor))
static void finish(void)
{
	struct timespec limit;

	if (!loaded || fabric_is_forked(loaded))
		return;
	/* Not for ever: a thread may have been ended in the midst of a call. */
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec++;
	if (pthread_mutex_timedlock(&loaded->lock, &limit) != 0)
		return;
	record_end(loaded);
	pthread_mutex_unlock(&loaded->lock);
}

static const char *door_banner(void)
{
	return banner_text;
}

/* ---- devices ---- */

static int door_list_cas(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	struct umadrig_fabric *fabric;
	struct umadrig_host *host;
	size_t count = 0;
	int ret;

	fabric = door_enter(&ret);
	if (!fabric)
		return ret;
	host = attached_host(fabric);
	names = calloc(host->nodes->len + 1U, sizeof(*names));
	for (unsigned int i = 0; names && i < host->nodes->len; i++) {
		const struct node *node = g_ptr_array_index(host->nodes, i);

		if (!node->removed)
			g_strlcpy(names[count++], node->device_name, UMAD_BACKEND_NAME_SIZE);
	}
	fabric_leave(fabric);
	if (!names)
		return -ENOMEM;
	if (count == 0) {
		free(names);
		names = NULL;
	}
	*ret_names = names;
	*ret_count = count;
	return 0;
}

static struct node *device(struct umadrig_fabric *fabric, const char *ca_name)
{
	return host_device(attached_host(fabric), ca_name);
}

static struct end_port *device_port(struct umadrig_fabric *fabric, const char *ca_name,
				    unsigned int portnum)
{
	struct node *node = device(fabric, ca_name);

	return node ? node_end_port(node, portnum) : NULL;
}

/* sysfs numbers node types as NodeInfo does. */
static int describe_ca(const struct node *node, const char *ca_name, struct umad_backend_ca *ret)
{
	struct umad_backend_ca ca = { .node_type = (unsigned int)node->kind };

	ca.port_nums = malloc((node->port_count + 1U) * sizeof(*ca.port_nums));
	if (!ca.port_nums)
		return -ENOMEM;
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			ca.port_nums[ca.port_count++] = num;
	}
	g_strlcpy(ca.name, ca_name, sizeof(ca.name));
	snprintf(ca.hw_rev, sizeof(ca.hw_rev), "%x", node->revision);
	/* What the mlx drivers call their adapters: MT and the PCI device number. */
	if (node->vendor_id == VENDOR_MELLANOX && node->device_id)
		snprintf(ca.hca_type, sizeof(ca.hca_type), "MT%u", node->device_id);
	ca.node_guid = node->node_guid;
	ca.sys_image_guid = node->sys_image_guid;
	*ret = ca;
	return 0;
}

static int door_get_ca(const char *ca_name, struct umad_backend_ca *ret_ca)
{
	struct umadrig_fabric *fabric;
	struct node *node;
	int ret;

	fabric = door_enter(&ret);
	if (!fabric)
		return ret;
	node = device(fabric, ca_name);
	ret = node ? describe_ca(node, ca_name, ret_ca) : -ENOENT;
	fabric_leave(fabric);
	return ret;
}

/* Gb/s of the link, fraction cut off, as the kernel computes it from width and speed. */
static unsigned int port_rate(const struct port *port)
{
	static const unsigned int speeds[] = { 25, 50, 100 };			/* SDR DDR QDR */
	static const unsigned int ext_speeds[] = { 140, 250, 500, 1000, 2000 };	/* FDR ... XDR */
	static const unsigned int widths[] = { 1, 4, 8, 12, 2 };
	unsigned int width = 1, tenths = 25;

	for (unsigned int i = 0; i < G_N_ELEMENTS(widths); i++) {
		if (port->width_active & (1U << i))
			width = widths[i];
	}
	for (unsigned int i = 0; i < G_N_ELEMENTS(speeds); i++) {
		if (port->speed_active & (1U << i))
			tenths = speeds[i];
	}
	for (unsigned int i = 0; i < G_N_ELEMENTS(ext_speeds); i++) {
		if (port->speed_ext_active & (1U << i))
			tenths = ext_speeds[i];
	}
	return width * tenths / 10;
}

static int describe_port(const struct end_port *end, unsigned int parts,
			 struct umad_backend_port *ret)
{
	const struct port *port = end->port;
	struct umad_backend_port described = {
		.portnum = port->num,
		.lid = end->attr.lid,
		.lmc = end->attr.lmc,
		.sm_lid = end->sm_lid,
		.sm_sl = end->sm_sl,
		.state = port->state,
		.phys_state = port->phys_state,
		.rate = port_rate(port),
		.cap_mask = end->cap_mask,
		.gid_prefix = get_be64(end->gids[0]),
		.port_guid = get_be64(end->gids[0] + 8),
		.link_layer = "InfiniBand",
	};

	if (parts & UMAD_BACKEND_PORT_PKEYS) {
		described.pkeys = malloc(end->attr.pkey_count * sizeof(*described.pkeys));
		if (!described.pkeys)
			return -ENOMEM;
		memcpy(described.pkeys, end->attr.pkeys,
		       end->attr.pkey_count * sizeof(*described.pkeys));
		described.pkey_count = end->attr.pkey_count;
	}
	*ret = described;
	return 0;
}

static int door_get_port(const char *ca_name, unsigned int portnum, unsigned int parts,
			 struct umad_backend_port *ret_port)
{
	struct umadrig_fabric *fabric;
	struct end_port *end;
	int ret;

	fabric = door_enter(&ret);
	if (!fabric)
		return ret;
	end = device_port(fabric, ca_name, portnum);
	if (end)
		issm_path_look(end);
	ret = end ? describe_port(end, parts, ret_port) : -ENOENT;
	fabric_leave(fabric);
	return ret;
}

static int door_issm_path(const char *ca_name, unsigned int portnum, char *path, size_t size)
{
	struct umadrig_fabric *fabric;
	struct end_port *end;
	int ret;

	fabric = door_enter(&ret);
	if (!fabric)
		return ret;
	end = device_port(fabric, ca_name, portnum);
	ret = end ? issm_path(end, path, size) : -EINVAL;
	fabric_leave(fabric);
	return ret;
}

/* ---- handles ---- */

static int door_open(const char *ca_name, unsigned int portnum, size_t *ret_header_size)
{
	struct umadrig_fabric *fabric;
	struct handle *handle;
	struct end_port *end;
	int fd;

	fabric = door_enter(&fd);
	if (!fabric)
		return fd;
	end = device_port(fabric, ca_name, portnum);
	fd = end ? handle_open(end, &handle) : -EINVAL;
	if (fd >= 0) {
		kmod_file_ioctl(handle->file, IOCTL_ENABLE_PKEY, NULL);
		*ret_header_size = HEADER_SIZE;
	}
	fabric_leave(fabric);
	return fd;
}

/*
 * The mask is an array of the machine's words: bytes in order on a little-endian one (facts A.1).
 */
static int register_first(struct handle *handle, struct umad_backend_reg *reg)
{
	_Alignas(8) uint8_t req[REQ1_SIZE] = { 0 };
	int ret;

	memcpy(req + REQ1_MASK, reg->method_mask, sizeof(reg->method_mask));
	req[REQ1_QPN] = (uint8_t)reg->qpn;
	req[REQ1_CLASS] = reg->mgmt_class;
	req[REQ1_VERSION] = reg->mgmt_class_version;
	put_be24(req + REQ1_OUI, reg->oui);
	req[REQ1_RMPP] = reg->rmpp_version;
	ret = kmod_file_ioctl(handle->file, IOCTL_REGISTER, req);
	if (ret == 0)
		memcpy(&reg->id, req + REQ1_ID, sizeof(reg->id));
	return ret;
}

static int register_second(struct handle *handle, struct umad_backend_reg *reg)
{
	_Alignas(8) uint8_t req[REQ2_SIZE] = { 0 };
	uint32_t qpn = reg->qpn;
	int ret;

	memcpy(req + REQ2_QPN, &qpn, sizeof(qpn));
	req[REQ2_CLASS] = reg->mgmt_class;
	req[REQ2_VERSION] = reg->mgmt_class_version;
	memcpy(req + REQ2_FLAGS, &reg->flags, sizeof(reg->flags));
	memcpy(req + REQ2_MASK, reg->method_mask, sizeof(reg->method_mask));
	memcpy(req + REQ2_OUI, &reg->oui, sizeof(reg->oui));
	req[REQ2_RMPP] = reg->rmpp_version;
	ret = kmod_file_ioctl(handle->file, IOCTL_REGISTER2, req);
	if (ret == 0)
		memcpy(&reg->id, req + REQ2_ID, sizeof(reg->id));
	/* The kernel writes back what it supports; it did so only if the flags were the fault. */
	if (ret == -EINVAL)
		memcpy(&reg->flags, req + REQ2_FLAGS, sizeof(reg->flags));
	return ret;
}

static int door_register_agent(int fd, struct umad_backend_reg *reg)
{
	struct handle *handle;
	int ret = handle_enter(fd, &handle);

	if (ret < 0)
		return ret;
	ret = reg->request == 2 ? register_second(handle, reg) : register_first(handle, reg);
	fabric_leave(handle->fabric);
	return ret;
}

static int door_unregister_agent(int fd, uint32_t id)
{
	struct handle *handle;
	int ret = handle_enter(fd, &handle);

	if (ret < 0)
		return ret;
	ret = kmod_file_ioctl(handle->file, IOCTL_UNREGISTER, &id);
	fabric_leave(handle->fabric);
	return ret;
}

static long door_send(int fd, const void *umad, size_t size)
{
	struct handle *handle;
	long ret = handle_enter(fd, &handle);

	if (ret < 0)
		return ret;
	clock_thread_enter(handle->fabric);
	ret = kmod_file_write(handle->file, umad, size);
	fabric_leave(handle->fabric);
	return ret;
}

static long door_recv(int fd, void *umad, size_t size)
{
	struct handle *handle;
	long ret = handle_enter(fd, &handle);

	if (ret < 0)
		return ret;
	clock_thread_enter(handle->fabric);
	clock_settle(handle->fabric);
	ret = kmod_file_read(handle->file, umad, size);
	fabric_leave(handle->fabric);
	return ret;
}

static const struct umad_backend backend = {
	.abi = UMAD_BACKEND_ABI,
	.name = "sim",
	.start = door_start,
	.banner = door_banner,
	.list_cas = door_list_cas,
	.get_ca = door_get_ca,
	.get_port = door_get_port,
	.issm_path = door_issm_path,
	.open = door_open,
	.close = handle_close,
	.register_agent = door_register_agent,
	.unregister_agent = door_unregister_agent,
	.send = door_send,
	.recv = door_recv,
	.poll = handle_poll,
	.recv_wait = handle_recv_wait,
};

const struct umad_backend *umadrig_backend(unsigned int abi)
{
	if (abi != UMAD_BACKEND_ABI) {
		errno = EPROTO;
		return NULL;
	}
	return &backend;
}

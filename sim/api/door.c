/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The door: libibumad's view of a fabric, a struct umad_backend (lib/backend.h).
 *
 * libibumad looks it up by name in libumadrig, or in the umadrig command. The fabric is the one
 * that the spec loads, or with "@" the one that this process has attached.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/backend.h"
#include "lib/base/user-header.h"
#include "sim/api/attach.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"
#include "sim/fabric/record.h"
#include "sim/fabric/report.h"
#include "sim/host/device.h"
#include "sim/host/handle.h"
#include "sim/host/issm-path.h"
#include "sim/host/kernel.h"
#include "sim/host/poll-any.h"

enum { ID_LIMIT = 32 };

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

static int door_start(const char *spec, char *reterr, size_t reterr_size)
{
	if (strcmp(spec, "@") == 0) {
		if (!attached_fabric()) {
			snprintf(reterr, reterr_size, "sim:@ is the fabric that this process made, "
				 "and it has attached none (umadrig_attach)");
			return -ENOENT;
		}
		device_banner(attached_fabric()->default_host, banner_text, sizeof(banner_text));
		return 0;
	}
	loaded = umadrig_fabric_open(spec, reterr, reterr_size);
	if (!loaded)
		return -EINVAL;
	device_banner(loaded->default_host, banner_text, sizeof(banner_text));
	return 0;
}

/*
 * If the program does not close its fabric, the capture ends with the process, as does the fabric.
 * A forked child has no capture.
 */
__attribute__((destructor))
static void finish(void)
{
	struct timespec limit;

	if (!loaded || fabric_is_forked(loaded) || clock_is_alone(loaded->clock))
		return;
	/* Not for ever: a thread may have been ended in the middle of a call. */
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec++;
	if (pthread_mutex_timedlock(&loaded->lock, &limit) != 0)
		return;
	/* Each says on stderr what it could not write. */
	record_end(loaded);
	report_end(loaded);
	pthread_mutex_unlock(&loaded->lock);
}

static const char *door_banner(void)
{
	return banner_text;
}

/* ---- devices ---- */

static int door_host_enter(const char *host)
{
	struct umadrig_fabric *fabric = door_fabric();

	return fabric ? umadrig_host_enter(fabric, host) : -ENOENT;
}

static int door_list_cas(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count)
{
	struct umadrig_fabric *fabric;
	int ret;

	fabric = door_enter(&ret);
	if (!fabric)
		return ret;
	ret = device_list(attached_host(fabric), ret_names, ret_count);
	fabric_leave(fabric);
	return ret;
}

static int door_get_ca(const char *ca_name, struct umad_backend_ca *ret_ca)
{
	struct umadrig_fabric *fabric;
	struct node *node;
	int ret;

	fabric = door_enter(&ret);
	if (!fabric)
		return ret;
	node = host_device(attached_host(fabric), ca_name);
	ret = node ? device_describe(node, ret_ca) : -ENOENT;
	fabric_leave(fabric);
	return ret;
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
	end = device_port(attached_host(fabric), ca_name, portnum);
	ret = end ? device_describe_port(end, parts, ret_port) : -ENOENT;
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
	end = device_port(attached_host(fabric), ca_name, portnum);
	ret = end ? issm_path(end, path, size) : -EINVAL;
	fabric_leave(fabric);
	return ret;
}

/* ---- handles ---- */

static int door_open(const char *ca_name, unsigned int portnum, size_t *ret_header_size)
{
	struct umadrig_fabric *fabric;
	struct handle *handle;
	struct kmod_port *kmod;
	struct end_port *end;
	int fd;

	fabric = door_enter(&fd);
	if (!fabric)
		return fd;
	end = device_port(attached_host(fabric), ca_name, portnum);
	kmod = end ? end_port_kmod(end) : NULL;
	fd = kmod ? handle_open(fabric, end, kmod, &handle) : end ? -ENXIO : -EINVAL;
	if (fd >= 0) {
		device_file_enable_pkey(handle->file);
		*ret_header_size = USER_HEADER_SIZE;
	}
	fabric_leave(fabric);
	return fd;
}

static int door_register_agent(int fd, struct umad_backend_reg *reg)
{
	struct handle *handle;
	int ret = handle_enter(fd, &handle);

	if (ret < 0)
		return ret;
	ret = device_file_register(handle->file, reg);
	fabric_leave(handle->fabric);
	return ret;
}

static int door_unregister_agent(int fd, uint32_t id)
{
	struct handle *handle;
	/* An impossible agent asks whether it is a handle at all (lib/backend-list.h). */
	int ret = id < ID_LIMIT ? handle_enter(fd, &handle) : handle_enter_surely(fd, &handle);

	if (ret < 0)
		return ret;
	ret = device_file_unregister(handle->file, id);
	fabric_leave(handle->fabric);
	return ret;
}

static const struct umad_backend backend = {
	.abi = UMAD_BACKEND_ABI,
	.name = "sim",
	.start = door_start,
	.banner = door_banner,
	.host_enter = door_host_enter,
	.list_cas = door_list_cas,
	.get_ca = door_get_ca,
	.get_port = door_get_port,
	.issm_path = door_issm_path,
	.open = door_open,
	.close = handle_close,
	.register_agent = door_register_agent,
	.unregister_agent = door_unregister_agent,
	.send = handle_send,
	.recv = handle_recv,
	.poll = handle_poll,
	.recv_wait = handle_recv_wait,
	.finds_handles = true,
	.poll_any = handle_poll_any,
};

const struct umad_backend *umadrig_backend(unsigned int abi)
{
	if (abi != UMAD_BACKEND_ABI) {
		errno = EPROTO;
		return NULL;
	}
	return &backend;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls about devices: see sim/server/device-call.h.
 */
#include "config.h"

#include "sim/server/device-call.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fabric/host.h"
#include "sim/host/device.h"
#include "sim/host/issm-path.h"
#include "sim/server/sysfs-store.h"
#include "sim/server/sysfs-view.h"
#include "sim/server/view-reader.h"

int call_list_cas(const struct request *request, struct server_reply *reply)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	size_t count;
	int ret = device_list(request->client->host, &names, &count);

	if (ret < 0)
		return answer(reply, ret);
	ret = answer_bytes(request, reply, names ? (void *)names : "", count * sizeof(*names));
	free(names);
	return ret;
}

int call_get_ca(const struct request *request, struct server_reply *reply)
{
	struct attach_port_name name;
	struct umad_backend_ca ca;
	struct attach_ca packed = { .node_type = 0 };
	g_autoptr(GByteArray) bytes = NULL;
	struct node *node;
	int ret;

	if (request_port_name(request, &name) < 0)
		return -EPROTO;
	node = host_device(request->client->host, name.ca_name);
	ret = node ? device_describe(node, &ca) : -ENOENT;
	if (ret < 0)
		return answer(reply, ret);
	memcpy(packed.name, ca.name, sizeof(packed.name));
	memcpy(packed.fw_ver, ca.fw_ver, sizeof(packed.fw_ver));
	memcpy(packed.hw_rev, ca.hw_rev, sizeof(packed.hw_rev));
	memcpy(packed.hca_type, ca.hca_type, sizeof(packed.hca_type));
	packed.node_guid = ca.node_guid;
	packed.sys_image_guid = ca.sys_image_guid;
	packed.node_type = ca.node_type;
	packed.port_count = (uint32_t)ca.port_count;
	bytes = g_byte_array_new();
	g_byte_array_append(bytes, (const guint8 *)&packed, sizeof(packed));
	g_byte_array_append(bytes, (const guint8 *)ca.port_nums,
			    (guint)(ca.port_count * sizeof(*ca.port_nums)));
	free(ca.port_nums);
	return answer_bytes(request, reply, bytes->data, bytes->len);
}

int call_get_port(const struct request *request, struct server_reply *reply)
{
	struct attach_port_name name;
	struct umad_backend_port port;
	g_autoptr(GByteArray) bytes = NULL;
	struct end_port *end;
	int ret;

	if (request_port_name(request, &name) < 0)
		return -EPROTO;
	end = device_port(request->client->host, name.ca_name, name.portnum);
	ret = end ? device_describe_port(end, name.parts, &port) : -ENOENT;
	if (ret < 0)
		return answer(reply, ret);
	bytes = g_byte_array_new();
	g_byte_array_append(bytes, (const guint8 *)&port.attr, sizeof(port.attr));
	g_byte_array_append(bytes, (const guint8 *)port.pkeys,
			    (guint)(port.pkey_count * sizeof(*port.pkeys)));
	free(port.pkeys);
	return answer_bytes(request, reply, bytes->data, bytes->len);
}

int call_issm_path(const struct request *request, struct server_reply *reply)
{
	struct attach_port_name name;
	char path[PATH_MAX];
	struct end_port *end;
	int ret;

	if (request_port_name(request, &name) < 0)
		return -EPROTO;
	end = device_port(request->client->host, name.ca_name, name.portnum);
	ret = end ? issm_path(end, path, sizeof(path)) : -EINVAL;
	if (ret < 0)
		return answer(reply, ret);
	/*
	 * For a program that does not see the path. It leads nowhere but to the pipe, and does not
	 * count as opened; without it (descriptors have run out) most programs do as well.
	 */
	reply->fd = open(path, O_PATH | O_CLOEXEC);
	return answer_bytes(request, reply, path, strlen(path));
}

int call_issm_look(const struct request *request, struct server_reply *reply)
{
	struct sysfs_views *views = &request->clients->served->views;
	const struct sysfs_view *view = sysfs_views_find(views, request->client->host);

	sysfs_views_look_at_issm(views);
	sysfs_views_refresh(views);
	return answer(reply, view ? (int64_t)sysfs_view_last_change(view) : 0);
}

int call_sysfs(const struct request *request, struct server_reply *reply)
{
	struct served_fabric *served = request->clients->served;
	bool is_unseen = request->call.argument == ATTACH_SYSFS_UNSEEN;
	const char *path;
	int ret;

	if (is_unseen && !served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	if (is_unseen && served->views.are_mounted)
		return answer(reply, -EEXIST);
	if (is_unseen)
		server_clients_note_use(request->clients, request->client->session);
	/* One that has the path may end before its children do. */
	ret = sysfs_views_get(&served->views, request->client->host, is_unseen, &path);
	if (ret < 0)
		return answer(reply, ret);
	if (!is_unseen)
		reply->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return answer_bytes(request, reply, path, strlen(path));
}

int call_sysfs_store(const struct request *request, struct server_reply *reply)
{
	struct sysfs_views *views = &request->clients->served->views;
	struct sysfs_view *view = sysfs_views_find(views, request->client->host);
	const char *path = (const char *)request->data;
	const char *end = memchr(path, '\0', request->size);
	size_t size = end ? request->size - (size_t)(end + 1 - path) : 0;
	g_autofree char *text = NULL;
	int ret;

	if (!end || size > ATTACH_STORE_MAX)
		return -EPROTO;
	if (!view)
		return answer(reply, -ENOENT);
	/* What follows a NUL is not seen by the kernel's files either. */
	text = g_strndup(end + 1, size);
	ret = sysfs_store(view, path, text);
	sysfs_views_refresh(views);
	return answer(reply, ret < 0 ? ret : (int64_t)size);
}

int call_sysfs_changes(const struct request *request, struct server_reply *reply)
{
	uint64_t since;

	memcpy(&since, request->data, sizeof(since));
	return view_reader_ask(request->clients, request->client, since, reply);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A port: it comes up, is removed, and is freed with its last file.
 */
#include "kmod-stub/kmod-port.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/mad-send.h"
#include "kmod-stub/stub.h"
#include "kmod-stub/trace.h"
#include "kmod-stub/umad-file.h"

struct kmod_port *stub_port_new(struct kmod_host *host, const struct kmod_port_attr *attr,
				void *wire, const char *name)
{
	struct kmod_port *port = calloc(1, sizeof(*port));

	if (!port)
		return NULL;
	port->name = strdup(name);
	if (!port->name) {
		free(port);
		return NULL;
	}
	port->kernel = host->kernel;
	port->host = host;
	port->attr = attr;
	port->wire = wire;
	port->send_room = host->ops->send_queue_size ? host->ops->send_queue_size :
						       SEND_QUEUE_DEPTH;
	port->recv_window = (int)(host->ops->recv_queue_size ? host->ops->recv_queue_size :
							       RECV_QUEUE_DEPTH) / 8;
	mad_send_init_port(port);
	host->port_count++;
	return port;
}

void port_release(struct kmod_port *port)
{
	if (!port->removed || port->files || port->issm_open)
		return;
	port->host->port_count--;
	free(port->name);
	free(port);
}

void stub_port_remove(struct kmod_port *port)
{
	assert(!port->removed);
	port->removed = true;
	TRACE(port, "port removed");
	for (struct kmod_file *file = port->files; file; file = file->next)
		umad_file_kill(file);
	mad_send_flush_port(port);
	assert(!port->agents);
	port_release(port);
}

int port_gid_index(const struct kmod_port *port, const uint8_t gid[16])
{
	static const uint8_t none[16];

	if (memcmp(gid, none, sizeof(none)) == 0)
		return -1;
	for (size_t i = 0; i < port->attr->gid_count; i++)
		if (memcmp(port->attr->gids[i], gid, 16) == 0)
			return (int)i;
	return -1;
}

bool stub_port_takes(const struct kmod_port *port, const uint8_t *mad)
{
	return !mad_is_response(mad) && agent_table_find(port->agents, mad);
}

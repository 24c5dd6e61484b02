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
#include "lib/base/invariant.h"

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

/* ---- invariants ---- */

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
	MUST(qp->posted <= SEND_QUEUE_DEPTH, "QP: no more are posted than it has room for");
	NEVER(counts[qpn] && qp->posted < SEND_QUEUE_DEPTH,
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

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A port: what the kernel keeps for one end port. It is small until an agent is registered, because
 * a large fabric has tens of thousands of ports.
 */
#ifndef UMADRIG_KMOD_STUB_KMOD_PORT_H
#define UMADRIG_KMOD_STUB_KMOD_PORT_H

#include "kmod-stub/agent-table.h"
#include "kmod-stub/kmod-host.h"
#include "kmod-stub/kmod.h"
#include "kmod-stub/send-queue.h"

/* QP0 or QP1. */
struct mad_qp {
	uint32_t psn;			/* of the next packet, 24 bits */
	uint32_t posted;		/* sends in the QP, at most the port's send_room */
	struct send_queue overflow;	/* sends that wait for room in it */
};

struct kmod_port {
	const struct kmod_kernel *kernel;
	struct kmod_host *host;
	const struct kmod_port_attr *attr;
	void *wire;
	char *name;
	struct kmod_file *files;	/* all open ones */
	struct agent_table *agents;	/* NULL until the first registration with methods */
	struct mad_qp qps[2];
	uint32_t send_room;		/* how many sends each of them takes */
	int recv_window;		/* of segments: an eighth of the receive queue */
	struct send_queue completions;	/* posted sends, in order: their completions are due now */
	struct send_queue locals;	/* directed-route SMPs to the node itself */
	struct event completion;
	bool completing;		/* its event is being fired */
	struct event local;
	bool removed;
	bool issm_open;
};

/* Frees a removed port without open files; otherwise does nothing. */
void port_release(struct kmod_port *port);

/* The index of 'gid' in the port's GID table, or -1. An all-zero GID is in no table. */
int port_gid_index(const struct kmod_port *port, const uint8_t gid[16]);

/* The low bits of a LID that the LMC leaves to the sender, as a mask. */
static inline uint8_t port_path_mask(const struct kmod_port *port)
{
	return (uint8_t)((1u << port->attr->lmc) - 1);
}

#endif

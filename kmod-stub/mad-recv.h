/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A received MAD on its way from the wire to its receiver.
 */
#ifndef UMADRIG_KMOD_STUB_MAD_RECV_H
#define UMADRIG_KMOD_STUB_MAD_RECV_H

#include "kmod-stub/kmod-port.h"
#include "lib/base/user-header.h"

struct mad_recv {
	struct packet *packet;		/* owned by the owner of the struct mad_recv, and so are */
					/* those linked to it: further segments of a message */
	struct mad_address from;	/* where it came from; 'gid_index' is valid if gid_known */
	bool gid_known;			/* no GRH, or the GRH's DGID is ours */
	uint8_t qpn;			/* our QP, 0 or 1 */
};

static inline const uint8_t *mad_recv_bytes(const struct mad_recv *recv)
{
	return packet_mad_const(recv->packet);
}

/* The DGID of the GRH, which must be there. */
const uint8_t *mad_recv_dgid(const struct mad_recv *recv);

/* The agent that takes 'mad' (linux-mad B.4 step 5), on any port of the host, or NULL. */
struct agent *mad_recv_find_agent(const struct kmod_port *port, const uint8_t *mad);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The packet of a send: its headers, from the address it is sent to and the port it leaves.
 */
#ifndef UMADRIG_KMOD_STUB_SEND_PACKET_H
#define UMADRIG_KMOD_STUB_SEND_PACKET_H

#include <errno.h>

#include "kmod-stub/mad-send.h"
#include "kmod-stub/kmod-port.h"

/* A packet of the send's MAD, or current segment, with the next PSN of its QP. */
struct packet *send_packet_new(struct kmod_port *port, const struct mad_send *send);

/*
 * A packet for a directed-route SMP from a node to itself; the caller fills in its 256 bytes of
 * MAD.
 */
struct packet *send_packet_local(struct kmod_port *port);

/* As send_packet_check_address() below, of an address with a GRH. */
int send_packet_check_grh(const struct kmod_port *port, const struct mad_address *to);

/*
 * Is there a way to send to 'to' from here? 0; -EINVAL: GID index beyond the table, or no GRH on
 * Ethernet; -ENODATA: the GID entry is empty (linux-mad A.5 step 7).
 */
static inline int send_packet_check_address(const struct kmod_port *port,
					    const struct mad_address *to)
{
	if (to->has_grh)
		return send_packet_check_grh(port, to);
	return port->attr->link_is_ethernet ? -EINVAL : 0;
}

#endif

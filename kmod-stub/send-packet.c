/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The packet of a send.
 */
#include "kmod-stub/send-packet.h"

#include <errno.h>
#include <string.h>

#include "kmod-stub/rmpp.h"

enum {
	VL_MANAGEMENT = 15,	/* IBA vol 1, 7.6.3: SMPs */
	PSN_MASK = 0xffffff,
};

/*
 * The HCA puts the permissive LID also into the source of a packet to the permissive LID: the
 * directed part of a route has no LIDs (IBA vol 1, 14.2.2.2).
 */
static uint16_t source_lid(const struct kmod_port *port, const struct mad_address *to)
{
	if (to->lid == LID_PERMISSIVE)
		return LID_PERMISSIVE;
	return port->attr->lid | (to->path_bits & port_path_mask(port));
}

/*
 * QP0 has the default P_Key. Without an entry at the index: the invalid P_Key, which receivers
 * discard.
 */
static uint16_t source_pkey(const struct kmod_port *port, const struct mad_send *send)
{
	if (send->qpn == 0)
		return PKEY_DEFAULT;
	if (send->to.pkey_index >= port->attr->pkey_count)
		return 0;
	return port->attr->pkeys[send->to.pkey_index];
}

/*
 * A packet with headers as packet_build() would write them, between permissive LIDs and QP0: they
 * are the same for all directed-route SMPs, but for the SL, the destination QP and the PSN, all 0.
 */
static struct packet *new_permissive(struct kmod_port *port)
{
	static const uint8_t headers[LRH_SIZE + BTH_SIZE + DETH_SIZE] = {
		[LRH_VL] = VL_MANAGEMENT << 4,
		[LRH_SL] = LRH_LNH_IBA,
		[LRH_DLID] = LID_PERMISSIVE >> 8, LID_PERMISSIVE & 0xff,
		[LRH_PKTLEN + 1] = (sizeof(headers) + MAD_SIZE + ICRC_SIZE) / 4,
		[LRH_SLID] = LID_PERMISSIVE >> 8, LID_PERMISSIVE & 0xff,
		[LRH_SIZE + BTH_OPCODE] = BTH_UD_SEND_ONLY,
		[LRH_SIZE + BTH_PKEY] = PKEY_DEFAULT >> 8, PKEY_DEFAULT & 0xff,
	};
	struct packet *packet = packet_new(port->host->ops->pool);

	packet->mad_at = sizeof(headers);
	packet->mad_size = MAD_SIZE;
	memcpy(packet->bytes, headers, sizeof(headers));
	return packet;
}

/*
 * Writes the headers of a packet that new_permissive() has no template for. Not inlined, so that
 * those which it has one for need no buffer on the stack.
 */
__attribute__((noinline)) static struct packet *new_addressed(struct kmod_port *port,
							       const struct mad_send *send)
{
	struct packet *packet = packet_new(port->host->ops->pool);
	const struct mad_address *to = &send->to;
	struct packet_addr addr;	/* the GRH's part only if there is one */

	addr.slid = source_lid(port, to);
	addr.dlid = to->lid;
	addr.sl = to->sl;
	addr.vl = send->qpn == 0 ? VL_MANAGEMENT : 0;
	addr.pkey = source_pkey(port, send);
	addr.src_qp = send->qpn;
	addr.dest_qp = to->qpn;
	/* Linux: the QP's own Q_Key, whatever is in the user's header. */
	addr.qkey = send->qpn == 0 ? 0 : QKEY_GSI;
	addr.psn = port->qps[send->qpn].psn;
	addr.has_grh = to->has_grh;
	if (to->has_grh) {
		addr.traffic_class = to->traffic_class;
		addr.flow_label = to->flow_label;
		addr.hop_limit = to->hop_limit;
		if (to->gid_index < port->attr->gid_count)
			memcpy(addr.sgid, port->attr->gids[to->gid_index], 16);
		else
			memset(addr.sgid, 0, 16);
		memcpy(addr.dgid, to->gid, 16);
	}
	packet_build(packet, &addr);
	return packet;
}

static struct packet *new_directed(struct kmod_port *port, const struct mad_send *send)
{
	struct packet *packet = new_permissive(port);

	packet->bytes[LRH_SL] |= (uint8_t)(send->to.sl << 4);
	put_be32(packet->bytes + LRH_SIZE + BTH_DESTQP - 1, send->to.qpn);
	put_be32(packet->bytes + LRH_SIZE + BTH_PSN - 1, port->qps[0].psn);
	return packet;
}

struct packet *send_packet_new(struct kmod_port *port, const struct mad_send *send)
{
	const struct mad_address *to = &send->to;
	struct mad_qp *qp = &port->qps[send->qpn];
	struct packet *packet;

	if (send->qpn == 0 && to->lid == LID_PERMISSIVE && !to->has_grh)
		packet = new_directed(port, send);
	else
		packet = new_addressed(port, send);
	qp->psn = (qp->psn + 1) & PSN_MASK;
	if (send->rmpp)
		rmpp_send_segment(send, packet_mad(packet));
	else
		mad_copy(packet_mad(packet), send->mad);
	return packet;
}

struct packet *send_packet_local(struct kmod_port *port)
{
	return new_permissive(port);
}

int send_packet_check_grh(const struct kmod_port *port, const struct mad_address *to)
{
	static const uint8_t none[16];

	if (to->gid_index >= port->attr->gid_count)
		return -EINVAL;
	if (memcmp(port->attr->gids[to->gid_index], none, 16) == 0)
		return -ENODATA;
	return 0;
}

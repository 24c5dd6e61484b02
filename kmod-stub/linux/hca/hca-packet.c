/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: packets, from QPs to the fabric and back: MADs here, what is different in other
 * datagrams in hca-datagram.c. There is no DMA: what work requests call addresses are the kernel's
 * own.
 */
#include <linux/slab.h>
#include <rdma/ib_smi.h>

#include "hca.h"

#define PERMISSIVE_LID	0xffff
#define SIZE_LIMIT	(1 << 24)	/* of a request: no packet is near it */
/* In an address's Q_Key: take the QP's own. */
#define QKEY_OF_QP	0x80000000u
#define NEXT_HEADER_IBA	0x1b
/* What is behind a GRH beside the payload: BTH, DETH and the invariant CRC. */
#define GRH_PAYLOAD	(12 + 8 + 4)

/* ---- out ---- */

size_t hca_packet_grh(u8 *to, const struct hca *hca, const struct hca_port *port,
		      const struct ib_ud_wr *work, size_t size)
{
	struct rdma_ah_attr *address = &container_of(work->ah, struct hca_ah, ib)->attributes;
	const struct ib_global_route *route = rdma_ah_read_grh(address);
	u8 index = route->sgid_index < hca->description.gids ? route->sgid_index : 0;
	struct ib_grh grh = {
		.version_tclass_flow = cpu_to_be32(6u << 28 | (u32)route->traffic_class << 20 |
						   (route->flow_label & 0xfffff)),
		.paylen = cpu_to_be16(GRH_PAYLOAD + ALIGN(size, 4)),
		.next_hdr = NEXT_HEADER_IBA,
		.hop_limit = route->hop_limit,
		.sgid.global.subnet_prefix = port->attributes.prefix,
		.sgid.global.interface_id = port->guids[index],
		.dgid = route->dgid,
	};

	if (!(rdma_ah_get_ah_flags(address) & IB_AH_GRH))
		return 0;
	memcpy(to, &grh, sizeof(grh));
	return sizeof(grh);
}

void hca_packet_address(struct umadrig_hca_header *header, const struct hca *hca,
			const struct hca_port *port, const struct hca_qp *qp,
			const struct ib_ud_wr *work)
{
	struct rdma_ah_attr *to = &container_of(work->ah, struct hca_ah, ib)->attributes;
	u16 lid = le16_to_cpu(port->attributes.lid);
	u16 wanted = qp->ib.qp_type == IB_QPT_UD ? READ_ONCE(qp->pkey_index) : work->pkey_index;
	u16 pkey_index = wanted < UMADRIG_HCA_PKEYS_MAX ? wanted : 0;
	u16 bits = rdma_ah_get_path_bits(to) & ((1u << port->attributes.lmc) - 1);

	header->source_qp = cpu_to_le32(qp->ib.qp_num);
	header->destination_qp = cpu_to_le32(work->remote_qpn);
	header->qkey = cpu_to_le32(work->remote_qkey & QKEY_OF_QP ?
				   READ_ONCE(qp->qkey) : work->remote_qkey);
	header->dlid = cpu_to_le16(rdma_ah_get_dlid(to));
	header->slid = cpu_to_le16(qp->ib.qp_num == 0 && lid == 0 ? PERMISSIVE_LID : lid | bits);
	header->sl = rdma_ah_get_sl(to);
	header->pkey = cpu_to_le16(port->pkeys[pkey_index]);
}

/* How many bytes a request has, or -EINVAL: it cannot be meant. */
static int size_of(const struct ib_send_wr *wr)
{
	u32 size = 0;
	int i;

	if (wr->num_sge > HCA_SEND_PIECES_MAX)
		return -EINVAL;
	for (i = 0; i < wr->num_sge; i++) {
		if (wr->sg_list[i].length > SIZE_LIMIT - size)
			return -EINVAL;
		size += wr->sg_list[i].length;
	}
	return size;
}

void hca_packet_gather(u8 *to, const struct ib_send_wr *wr)
{
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		memcpy(to, (const void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
		to += wr->sg_list[i].length;
	}
}

static int send_mad(struct hca *hca, struct hca_qp *qp, const struct ib_send_wr *wr, size_t size)
{
	struct hca_port *port = hca_port_of(hca, qp->port);
	struct rdma_ah_attr *to = &container_of(ud_wr(wr)->ah, struct hca_ah, ib)->attributes;
	bool has_grh = rdma_ah_get_ah_flags(to) & IB_AH_GRH;
	struct hca_message *message;
	unsigned long flags;
	u8 *at;

	if (size > UMADRIG_HCA_MAD_SIZE)
		return -EINVAL;
	message = hca_message_new(UMADRIG_HCA_MAD, hca->number, qp->port,
				  size + (has_grh ? UMADRIG_HCA_GRH_SIZE : 0));
	if (!message)
		return -ENOMEM;
	at = message->payload;
	spin_lock_irqsave(&hca->lock, flags);
	hca_packet_address(&message->header, hca, port, qp, ud_wr(wr));
	message->header.flags = has_grh ? UMADRIG_HCA_FLAG_GRH : 0;
	at += hca_packet_grh(at, hca, port, ud_wr(wr), UMADRIG_HCA_MAD_SIZE);
	port->sent++;
	spin_unlock_irqrestore(&hca->lock, flags);
	hca_packet_gather(at, wr);
	hca_send(hca->fabric, message);
	return 0;
}

/* IBA vol 1, 10.8.3.1: a request that fails stops the QP's sends, until it is RTS again. */
static enum ib_wc_status fail(struct hca_qp *qp)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->lock, flags);
	if (qp->state == IB_QPS_RTS)
		WRITE_ONCE(qp->state, IB_QPS_SQE);
	spin_unlock_irqrestore(&qp->lock, flags);
	return IB_WC_LOC_LEN_ERR;
}

/* A datagram is one packet: what is longer than the MTU fails. */
static bool is_too_long(struct hca *hca, const struct hca_qp *qp, size_t size)
{
	u8 mtu = READ_ONCE(hca_port_of(hca, qp->port)->attributes.mtu);

	return qp->ib.qp_type == IB_QPT_UD && size > ib_mtu_enum_to_int(mtu);
}

/*
 * A send is complete as soon as it is in the transport's queue, whether or not the fabric has seen
 * it: the MAD layer's timeouts begin with the completion, and a fabric that stands still must not
 * stop them. What finds no room is lost, as on a wire.
 */
static int send_one(struct hca *hca, struct hca_qp *qp, const struct ib_send_wr *wr)
{
	struct ib_wc wc = { .wr_id = wr->wr_id, .qp = &qp->ib, .opcode = IB_WC_SEND };
	enum ib_qp_state state = READ_ONCE(qp->state);
	int ret = 0, size = size_of(wr);

	if (state == IB_QPS_ERR || state == IB_QPS_SQE)
		wc.status = IB_WC_WR_FLUSH_ERR;
	else if (state != IB_QPS_RTS || wr->opcode != IB_WR_SEND || size < 0)
		ret = -EINVAL;
	else if (is_too_long(hca, qp, size))
		wc.status = fail(qp);
	else if (qp->ib.qp_type == IB_QPT_UD)
		ret = hca_datagram_send(hca, qp, ud_wr(wr), size);
	else
		ret = send_mad(hca, qp, wr, size);
	if (ret < 0)
		return ret;
	if (wc.status != IB_WC_SUCCESS || qp->is_all_signaled ||
	    wr->send_flags & IB_SEND_SIGNALED)
		hca_cq_push(qp->ib.send_cq, &wc);
	return 0;
}

static int post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct hca_qp *qp = hca_qp_of(ib);

	for (; wr; wr = wr->next) {
		int ret = send_one(hca_of(ib->device), qp, wr);

		if (ret < 0) {
			*bad = wr;
			return ret;
		}
	}
	return 0;
}

const struct ib_device_ops hca_packet_operations = {
	.post_send = post_send,
};

/* ---- in ---- */

void hca_packet_report(struct hca *hca, const struct umadrig_hca_header *packet, u32 what)
{
	struct hca_message *message = hca_message_new(UMADRIG_HCA_VIOLATION, 0, 0, 0);

	if (!message) {
		atomic64_inc(&hca->fabric->up_dropped);
		return;
	}
	message->header = *packet;
	message->header.length = cpu_to_le32(sizeof(message->header));
	message->header.type = UMADRIG_HCA_VIOLATION;
	message->header.value = cpu_to_le32(what);
	hca_send(hca->fabric, message);
}

/* The QP that a packet is for, or what it violates. Under hca->lock. */
static struct hca_qp *find_qp(struct hca *hca, struct hca_port *port,
			      const struct umadrig_hca_header *header, u16 *ret_pkey_index,
			      u32 *ret_violation)
{
	u32 number = le32_to_cpu(header->destination_qp);
	struct hca_qp *qp = number < ARRAY_SIZE(port->qps) ? port->qps[number] : NULL;
	int index;

	*ret_violation = 0;
	*ret_pkey_index = 0;
	if (!qp || !hca_qp_receives(qp)) {
		port->no_qp++;
		return ERR_PTR(-ENOTCONN);
	}
	if (number == 0)	/* SMPs have neither key */
		return qp;
	index = hca_port_find_pkey(hca, port, le16_to_cpu(header->pkey));
	if (index < 0) {
		port->bad_pkey++;
		*ret_violation = UMADRIG_HCA_VIOLATION_PKEY;
		return ERR_PTR(-EACCES);
	}
	if (le32_to_cpu(header->qkey) != READ_ONCE(qp->qkey)) {
		port->bad_qkey++;
		*ret_violation = UMADRIG_HCA_VIOLATION_QKEY;
		return ERR_PTR(-EACCES);
	}
	*ret_pkey_index = index;
	return qp;
}

/* Copies to a receive's bytes from 'at' on. */
static void put(const struct hca_receive *receive, u32 at, const u8 *from, u32 size)
{
	int i;

	for (i = 0; i < HCA_RECEIVE_PIECES_MAX && size > 0; i++) {
		u32 room = receive->pieces[i].size, count;

		if (at >= room) {
			at -= room;
			continue;
		}
		count = min(size, room - at);
		memcpy((u8 *)(uintptr_t)receive->pieces[i].address + at, from, count);
		from += count;
		size -= count;
		at = 0;
	}
}

/* The room for a GRH is there with every packet. */
static void copy(const struct hca_receive *receive, const struct umadrig_hca_header *header,
		 const u8 *payload, size_t size)
{
	static const u8 none[UMADRIG_HCA_GRH_SIZE];
	u32 at = header->flags & UMADRIG_HCA_FLAG_GRH ? 0 : sizeof(none);

	put(receive, 0, none, at);
	put(receive, at, payload, size);
}

/* Takes a posted receive; 0, -ENOBUFS or -EMSGSIZE. Under hca->lock. */
static int take_receive(struct hca_port *port, struct hca_qp *qp, size_t size,
			struct hca_receive *receive)
{
	int ret = 0;

	spin_lock(&qp->lock);
	if (qp->count == 0) {
		port->no_buffer++;
		ret = -ENOBUFS;
	} else if (qp->ring[qp->head].size < size) {
		port->too_long++;
		ret = -EMSGSIZE;
	} else {
		*receive = qp->ring[qp->head];
		qp->head = (qp->head + 1) % qp->size;
		qp->count--;
	}
	spin_unlock(&qp->lock);
	return ret;
}

int hca_packet_deliver(struct hca *hca, struct hca_port *port, struct hca_qp *qp,
		       const struct umadrig_hca_header *header, const u8 *payload, size_t size,
		       u16 pkey_index)
{
	bool has_grh = header->flags & UMADRIG_HCA_FLAG_GRH;
	size_t whole = has_grh ? size : size + UMADRIG_HCA_GRH_SIZE;
	struct hca_receive receive;
	struct ib_wc wc = {
		.opcode = IB_WC_RECV,
		.byte_len = whole,
		.qp = &qp->ib,
		.src_qp = le32_to_cpu(header->source_qp),
		.slid = le16_to_cpu(header->slid),
		.wc_flags = has_grh ? IB_WC_GRH : 0,
		.pkey_index = pkey_index,
		.sl = header->sl,
		.dlid_path_bits = le16_to_cpu(header->dlid) &
				  ((1u << port->attributes.lmc) - 1),
		.port_num = header->port,
	};
	int ret = take_receive(port, qp, whole, &receive);

	if (ret < 0)
		return ret;
	copy(&receive, header, payload, size);
	wc.wr_id = receive.id;
	port->received++;
	hca_cq_push(qp->ib.recv_cq, &wc);
	return 0;
}

int hca_packet_receive(struct hca *hca, const struct umadrig_hca_header *header, size_t size)
{
	struct hca_port *port = hca_port_of(hca, header->port);
	size_t before = header->flags & UMADRIG_HCA_FLAG_GRH ? UMADRIG_HCA_GRH_SIZE : 0;
	unsigned long flags;
	struct hca_qp *qp;
	u16 pkey_index;
	u32 violation;
	int ret;

	if (size <= before || size - before > UMADRIG_HCA_MAD_SIZE || header->sl > 15)
		return -EINVAL;
	spin_lock_irqsave(&hca->lock, flags);
	qp = find_qp(hca, port, header, &pkey_index, &violation);
	ret = IS_ERR(qp) ? PTR_ERR(qp) :
			   hca_packet_deliver(hca, port, qp, header, hca_payload(header), size,
					      pkey_index);
	spin_unlock_irqrestore(&hca->lock, flags);
	if (violation)
		hca_packet_report(hca, header, violation);
	return ret;
}

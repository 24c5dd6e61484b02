/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: packets, from QP0 and QP1 to the fabric and back. There is no DMA: what work
 * requests call addresses are the kernel's own.
 */
#include <linux/slab.h>
#include <rdma/ib_smi.h>

#include "hca.h"

#define PERMISSIVE_LID	0xffff
/* In an address's Q_Key: take the QP's own. */
#define QKEY_OF_QP	0x80000000u
#define NEXT_HEADER_IBA	0x1b
/* What is behind a GRH: BTH, DETH, the MAD and the invariant CRC. */
#define GRH_PAYLOAD	(12 + 8 + UMADRIG_HCA_MAD_SIZE + 4)

/* ---- out ---- */

static void put_grh(u8 *to, const struct hca *hca, const struct hca_port *port,
		    const struct ib_global_route *route)
{
	u8 index = route->sgid_index < hca->description.gids ? route->sgid_index : 0;
	struct ib_grh grh = {
		.version_tclass_flow = cpu_to_be32(6u << 28 | (u32)route->traffic_class << 20 |
						   (route->flow_label & 0xfffff)),
		.paylen = cpu_to_be16(GRH_PAYLOAD),
		.next_hdr = NEXT_HEADER_IBA,
		.hop_limit = route->hop_limit,
		.sgid.global.subnet_prefix = port->attributes.prefix,
		.sgid.global.interface_id = port->guids[index],
		.dgid = route->dgid,
	};

	memcpy(to, &grh, sizeof(grh));
}

/* Under hca->lock. */
static void address(struct umadrig_hca_header *header, const struct hca *hca,
		    const struct hca_port *port, const struct hca_qp *qp,
		    const struct ib_ud_wr *work)
{
	struct rdma_ah_attr *to = &container_of(work->ah, struct hca_ah, ib)->attributes;
	u16 lid = le16_to_cpu(port->attributes.lid);
	u16 pkey_index = work->pkey_index < UMADRIG_HCA_PKEYS_MAX ? work->pkey_index : 0;
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

/* How many bytes a request has, or -EINVAL. */
static int size_of(const struct ib_send_wr *wr)
{
	u32 size = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		if (wr->sg_list[i].length > UMADRIG_HCA_MAD_SIZE - size)
			return -EINVAL;
		size += wr->sg_list[i].length;
	}
	return size;
}

static struct hca_message *packet_of(struct hca *hca, struct hca_qp *qp, u32 number,
				     const struct ib_send_wr *wr)
{
	struct hca_port *port = hca_port_of(hca, number);
	struct rdma_ah_attr *to = &container_of(ud_wr(wr)->ah, struct hca_ah, ib)->attributes;
	bool has_grh = rdma_ah_get_ah_flags(to) & IB_AH_GRH;
	int i, size = size_of(wr);
	struct hca_message *message;
	unsigned long flags;
	u8 *at;

	if (size < 0)
		return ERR_PTR(size);
	message = hca_message_new(UMADRIG_HCA_MAD, hca->number, number,
				  size + (has_grh ? UMADRIG_HCA_GRH_SIZE : 0));
	if (!message)
		return ERR_PTR(-ENOMEM);
	at = message->payload;
	spin_lock_irqsave(&hca->lock, flags);
	address(&message->header, hca, port, qp, ud_wr(wr));
	if (has_grh) {
		message->header.flags = UMADRIG_HCA_FLAG_GRH;
		put_grh(at, hca, port, rdma_ah_read_grh(to));
		at += UMADRIG_HCA_GRH_SIZE;
	}
	port->sent++;
	spin_unlock_irqrestore(&hca->lock, flags);
	for (i = 0; i < wr->num_sge; i++) {
		memcpy(at, (const void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
		at += wr->sg_list[i].length;
	}
	return message;
}

/*
 * A send is complete as soon as it is in the transport's queue, whether or not the fabric has seen
 * it: the MAD layer's timeouts begin with the completion, and a fabric that stands still must not
 * stop them. What finds no room is lost, as on a wire.
 */
static int send_one(struct hca *hca, struct hca_qp *qp, const struct ib_send_wr *wr)
{
	struct ib_wc wc = { .wr_cqe = wr->wr_cqe, .qp = &qp->ib, .opcode = IB_WC_SEND };
	enum ib_qp_state state = READ_ONCE(qp->state);
	struct hca_message *message;

	if (state == IB_QPS_ERR) {
		wc.status = IB_WC_WR_FLUSH_ERR;
		hca_cq_push(qp->ib.send_cq, &wc);
		return 0;
	}
	if (state != IB_QPS_RTS || wr->opcode != IB_WR_SEND)
		return -EINVAL;
	message = packet_of(hca, qp, qp->port, wr);
	if (IS_ERR(message))
		return PTR_ERR(message);
	hca_send(hca->fabric, message);
	hca_cq_push(qp->ib.send_cq, &wc);
	return 0;
}

static int post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct hca_qp *qp = container_of(ib, struct hca_qp, ib);

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

static void report(struct hca *hca, const struct umadrig_hca_header *packet, u32 what)
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
	enum ib_qp_state state = qp ? READ_ONCE(qp->state) : IB_QPS_RESET;
	int index;

	*ret_violation = 0;
	*ret_pkey_index = 0;
	if (state != IB_QPS_RTS && state != IB_QPS_RTR) {
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

/* The room for a GRH is there with every packet. */
static void copy(const struct hca_receive *receive, const struct umadrig_hca_header *header,
		 size_t size)
{
	u8 *to = (u8 *)(uintptr_t)receive->address;

	if (header->flags & UMADRIG_HCA_FLAG_GRH) {
		memcpy(to, hca_payload(header), size);
		return;
	}
	memset(to, 0, UMADRIG_HCA_GRH_SIZE);
	memcpy(to + UMADRIG_HCA_GRH_SIZE, hca_payload(header), size);
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

static int deliver(struct hca *hca, struct hca_port *port, struct hca_qp *qp,
		   const struct umadrig_hca_header *header, size_t size, u16 pkey_index)
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
	copy(&receive, header, size);
	wc.wr_cqe = receive.cqe;
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
	ret = IS_ERR(qp) ? PTR_ERR(qp) : deliver(hca, port, qp, header, size, pkey_index);
	spin_unlock_irqrestore(&hca->lock, flags);
	if (violation)
		report(hca, header, violation);
	return ret;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: unreliable datagrams that are no MADs, such as IPoIB's: their QPs, the groups that
 * these are attached to, and their packets, which go up and down in pieces where one message is too
 * short.
 */
#include <linux/slab.h>

#include "hca.h"

#define QP_FIRST	2
#define QP_GROUP	0xffffff
#define QP_MASK		0xffffff

/* ---- QPs ---- */

int hca_datagram_add(struct hca *hca, struct hca_qp *qp)
{
	unsigned long flags;
	int ret;

	spin_lock_irqsave(&hca->lock, flags);
	ret = hca->qp_count < HCA_QPS_MAX ? 0 : -ENOMEM;
	if (ret == 0)
		hca->qp_count++;
	spin_unlock_irqrestore(&hca->lock, flags);
	if (ret < 0)
		return ret;
	ret = xa_alloc_cyclic(&hca->qps, &qp->ib.qp_num, qp, XA_LIMIT(QP_FIRST, QP_GROUP - 1),
			      &hca->last_qp, GFP_KERNEL);
	if (ret >= 0)
		return 0;
	spin_lock_irqsave(&hca->lock, flags);
	hca->qp_count--;
	spin_unlock_irqrestore(&hca->lock, flags);
	return ret;
}

void hca_datagram_remove(struct hca *hca, struct hca_qp *qp)
{
	unsigned long flags;

	xa_erase(&hca->qps, qp->ib.qp_num);
	/* Who has found it delivers under the lock. */
	spin_lock_irqsave(&hca->lock, flags);
	hca->qp_count--;
	spin_unlock_irqrestore(&hca->lock, flags);
}

/* ---- groups ---- */

/* Under hca->lock. */
static struct hca_member *find_member(struct hca *hca, const struct hca_qp *qp,
				      const union ib_gid *gid)
{
	struct hca_member *member;

	list_for_each_entry(member, &hca->members, entry) {
		if (member->qp == qp && memcmp(&member->gid, gid, sizeof(*gid)) == 0)
			return member;
	}
	return NULL;
}

/* Twice is as once. */
static int attach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	struct hca *hca = hca_of(ib->device);
	struct hca_member *member = kzalloc(sizeof(*member), GFP_KERNEL);
	unsigned long flags;
	int ret = 0;

	if (!member)
		return -ENOMEM;
	member->qp = hca_qp_of(ib);
	member->gid = *gid;
	spin_lock_irqsave(&hca->lock, flags);
	if (!find_member(hca, member->qp, gid)) {
		if (hca->member_count < HCA_MEMBERS_MAX) {
			list_add_tail(&member->entry, &hca->members);
			hca->member_count++;
			member = NULL;
		} else {
			ret = -ENOMEM;
		}
	}
	spin_unlock_irqrestore(&hca->lock, flags);
	kfree(member);
	return ret;
}

static int detach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	struct hca *hca = hca_of(ib->device);
	struct hca_member *member;
	unsigned long flags;

	spin_lock_irqsave(&hca->lock, flags);
	member = find_member(hca, hca_qp_of(ib), gid);
	if (member) {
		list_del(&member->entry);
		hca->member_count--;
	}
	spin_unlock_irqrestore(&hca->lock, flags);
	if (!member)
		return -EINVAL;
	kfree(member);
	return 0;
}

const struct ib_device_ops hca_datagram_operations = {
	.attach_mcast = attach_mcast,
	.detach_mcast = detach_mcast,
};

/* ---- in ---- */

/*
 * What a datagram violates at a QP that receives, or 0 (IBA vol 1, 9.6.1.4 and 10.2.4). Under
 * hca->lock.
 */
static u32 violation_of(struct hca_port *port, const struct hca_qp *qp,
			const struct umadrig_hca_header *header)
{
	if (!hca_pkeys_match(port->pkeys[READ_ONCE(qp->pkey_index)], le16_to_cpu(header->pkey))) {
		port->bad_pkey++;
		return UMADRIG_HCA_VIOLATION_PKEY;
	}
	if (le32_to_cpu(header->qkey) != READ_ONCE(qp->qkey)) {
		port->bad_qkey++;
		return UMADRIG_HCA_VIOLATION_QKEY;
	}
	return 0;
}

/* To a QP that may be of another port. Under hca->lock. */
static int to_qp(struct hca *hca, struct hca_qp *qp, const struct umadrig_hca_header *header,
		 const u8 *payload, size_t size, u32 *ret_violation)
{
	struct hca_port *port = hca_port_of(hca, header->port);

	if (!qp || qp->port != header->port || !hca_qp_receives(qp)) {
		port->no_qp++;
		return -ENOTCONN;
	}
	*ret_violation = violation_of(port, qp, header);
	if (*ret_violation)
		return -EACCES;
	return hca_packet_deliver(hca, port, qp, header, payload, size, 0);
}

/*
 * To all QPs of the group, but the one that has sent it, if it does not want its own. Nobody hears
 * of keys that do not fit: QPs of several partitions may be in one group. Under hca->lock.
 */
static int to_group(struct hca *hca, const struct hca_qp *from,
		    const struct umadrig_hca_header *header, const u8 *payload, size_t size)
{
	const struct ib_grh *grh = (const struct ib_grh *)payload;
	struct hca_member *member;
	bool is_known = false;
	int ret = -ENOTCONN;

	list_for_each_entry(member, &hca->members, entry) {
		u32 violation = 0;
		int one;

		if (memcmp(&member->gid, &grh->dgid, sizeof(member->gid)) != 0 ||
		    member->qp->port != header->port ||
		    (member->qp == from && from->is_loop_blocked))
			continue;
		is_known = true;
		one = to_qp(hca, member->qp, header, payload, size, &violation);
		if (ret < 0)
			ret = one;
	}
	if (!is_known)
		hca_port_of(hca, header->port)->no_qp++;
	return ret;
}

/* 'from' is the QP here that has sent it to a group, or NULL. Under hca->lock. */
static int deliver(struct hca *hca, const struct hca_qp *from,
		   const struct umadrig_hca_header *header, const u8 *payload, size_t size,
		   u32 *ret_violation)
{
	u32 number = le32_to_cpu(header->destination_qp) & QP_MASK;

	if (number != QP_GROUP)
		return to_qp(hca, xa_load(&hca->qps, number), header, payload, size,
			     ret_violation);
	if (!(header->flags & UMADRIG_HCA_FLAG_GRH))
		return -EINVAL;
	return to_group(hca, from, header, payload, size);
}

/*
 * A piece: 0 while more are to come, 1 when port->datagram is whole; -EINVAL: it does not follow
 * what came before, which is lost. Under hca->lock.
 */
static int collect(struct hca_port *port, const struct umadrig_hca_header *header, size_t size)
{
	struct hca_datagram *datagram = port->datagram;
	u32 offset = le32_to_cpu(header->offset);

	if (!datagram) {
		datagram = kzalloc(sizeof(*datagram), GFP_ATOMIC);
		if (!datagram)
			return -ENOMEM;
		port->datagram = datagram;
	}
	if (offset == 0) {
		datagram->header = *header;
		datagram->filled = 0;
	} else if (offset != datagram->filled || header->value != datagram->header.value ||
		   header->sequence != datagram->header.sequence) {
		datagram->filled = 0;
		return -EINVAL;
	}
	memcpy(datagram->bytes + offset, hca_payload(header), size);
	datagram->filled = offset + size;
	if (datagram->filled < le32_to_cpu(header->value))
		return 0;
	datagram->filled = 0;
	return 1;
}

/* Under hca->lock; '*header' is that of the first piece afterwards. */
static int receive(struct hca *hca, const struct umadrig_hca_header **header, size_t size,
		   u32 *ret_violation)
{
	struct hca_port *port = hca_port_of(hca, (*header)->port);
	u32 whole = le32_to_cpu((*header)->value);
	const u8 *payload = hca_payload(*header);
	int ret;

	if (size < whole) {
		ret = collect(port, *header, size);
		if (ret <= 0)
			return ret;
		*header = &port->datagram->header;
		payload = port->datagram->bytes;
	}
	return deliver(hca, NULL, *header, payload, whole, ret_violation);
}

int hca_datagram_receive(struct hca *hca, const struct umadrig_hca_header *header, size_t size)
{
	u32 whole = le32_to_cpu(header->value), offset = le32_to_cpu(header->offset);
	u32 before = header->flags & UMADRIG_HCA_FLAG_GRH ? UMADRIG_HCA_GRH_SIZE : 0;
	struct umadrig_hca_header packet;
	unsigned long flags;
	u32 violation = 0;
	int ret;

	if (header->sl > 15 || whole < before || whole > before + UMADRIG_HCA_DATAGRAM_MAX ||
	    offset > whole || size > whole - offset || (size == 0 && whole != 0))
		return -EINVAL;
	spin_lock_irqsave(&hca->lock, flags);
	ret = receive(hca, &header, size, &violation);
	packet = *header;
	spin_unlock_irqrestore(&hca->lock, flags);
	if (violation)
		hca_packet_report(hca, &packet, violation);
	return ret;
}

/* ---- out ---- */

/* In as many pieces as it takes. Under hca->lock, which keeps those of two datagrams apart. */
static void send_pieces(struct hca *hca, const struct umadrig_hca_header *header,
			const u8 *payload, u32 size)
{
	u32 room = UMADRIG_HCA_UP_MAX - sizeof(*header), at = 0;

	do {
		u32 count = min(size - at, room);
		struct hca_message *message = hca_message_new(UMADRIG_HCA_DATAGRAM, hca->number,
							      header->port, count);

		if (!message) {
			atomic64_inc(&hca->fabric->up_dropped);
			return;
		}
		message->header = *header;
		message->header.length = cpu_to_le32(sizeof(*header) + count);
		message->header.offset = cpu_to_le32(at);
		memcpy(message->payload, payload + at, count);
		/* What finds no room is lost, as on a wire. */
		if (hca_send(hca->fabric, message) < 0)
			return;
		at += count;
	} while (at < size);
}

int hca_datagram_send(struct hca *hca, struct hca_qp *qp, const struct ib_ud_wr *work,
		      size_t size)
{
	struct hca_port *port = hca_port_of(hca, qp->port);
	struct umadrig_hca_header header = {
		.version = UMADRIG_HCA_VERSION, .type = UMADRIG_HCA_DATAGRAM,
		.hca = hca->number, .port = qp->port,
	};
	u8 *payload = kmalloc(UMADRIG_HCA_GRH_SIZE + size, GFP_ATOMIC);
	unsigned long flags;
	size_t grh;

	if (!payload)
		return -ENOMEM;
	spin_lock_irqsave(&hca->lock, flags);
	grh = hca_packet_grh(payload, hca, port, work, size);
	hca_packet_gather(payload + grh, &work->wr);
	hca_packet_address(&header, hca, port, qp, work);
	header.flags = grh ? UMADRIG_HCA_FLAG_GRH : 0;
	header.value = cpu_to_le32(grh + size);
	header.sequence = cpu_to_le32(++port->datagrams);
	header.psn = cpu_to_le32(qp->psn++ & QP_MASK);
	port->sent++;
	send_pieces(hca, &header, payload, grh + size);
	/* Others here that are in the group have it by the HCA. */
	if (grh && work->remote_qpn == QP_GROUP) {
		header.dlid = port->attributes.lid;
		to_group(hca, qp, &header, payload, grh + size);
	}
	spin_unlock_irqrestore(&hca->lock, flags);
	kfree(payload);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets: see linux-wire.h and linux-verbs.h.
 */
#include "kmod-stub/linux/linux-wire.h"

#include <stdlib.h>
#include <string.h>

#include "kmod-stub/linux/linux-addresses.h"
#include "kmod-stub/linux/linux-drop.h"
#include "kmod-stub/linux/linux-host.h"
#include "kmod-stub/linux/linux-port.h"
#include "kmod-stub/linux/linux-processors.h"
#include "kmod-stub/linux/linux-text.h"
#include "kmod-stub/linux/mad-door.h"
#include "kmod-stub/packet.h"

enum {
	VL_MANAGEMENT = 15,	/* IBA vol 1, 7.6.3: SMPs */
	PSN_MASK = 0xffffff,
	RECV_SIZE = GRH_SIZE + MAD_SIZE,
	SMP_HOPS_MAX = 64,
};

/* A send whose completion is to come. */
struct linux_send {
	struct list_head entry;
	struct event event;
	struct kmod_host *host;
	struct ib_qp *qp;
	struct ib_cqe *cqe;
};

/* ---- completions ---- */

static void complete_send(struct linux_send *send)
{
	struct ib_wc wc = {
		.wr_cqe = send->cqe,
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_SEND,
		.qp = send->qp,
	};

	send->qp->sends--;
	list_move(&send->entry, &send->host->free_sends);
	wc.wr_cqe->done(wc.qp->send_cq, &wc);
}

static void fire(struct event *event)
{
	struct linux_send *send = container_of(event, struct linux_send, event);
	struct linux_entry entry = linux_enter(send->host);

	linux_processors_begin(send->host, send->qp->send_cq, send);
	complete_send(send);
	linux_leave(entry);
}

bool linux_wire_complete_one(struct kmod_host *host)
{
	struct linux_send *send;

	if (list_empty(&host->sends))
		return false;
	send = list_first_entry(&host->sends, struct linux_send, entry);
	host->ops->disarm(host->ctx, &send->event);
	complete_send(send);
	return true;
}

static void run_due(struct kmod_host *host, void *thing)
{
	struct linux_send *send = thing;

	host->ops->disarm(host->ctx, &send->event);
	complete_send(send);
}

void linux_wire_due(struct kmod_host *host, struct linux_dues *dues)
{
	struct linux_send *send;

	list_for_each_entry(send, &host->sends, entry)
		linux_due_add(dues, send->qp->send_cq, send, run_due);
}

static struct linux_send *send_new(struct kmod_host *host)
{
	struct linux_send *send;

	if (list_empty(&host->free_sends)) {
		send = calloc(1, sizeof(*send));
		if (!send)
			return NULL;
		send->host = host;
		send->event.kind = EVENT_SEND_COMPLETION;
		send->event.fire = fire;
		list_add(&send->entry, &host->free_sends);
	}
	return list_first_entry(&host->free_sends, struct linux_send, entry);
}

void linux_wire_trim(struct kmod_host *host)
{
	struct linux_send *send, *next;

	list_for_each_entry_safe(send, next, &host->free_sends, entry) {
		list_del(&send->entry);
		free(send);
	}
}

/* ---- QPs ---- */

struct ib_qp *linux_qp_new(struct ib_pd *pd, const struct ib_qp_init_attr *attr,
			   struct linux_place place)
{
	struct ib_qp *qp = linux_alloc(sizeof(*qp), true, GFP_KERNEL, "a QP", place);

	if (!qp)
		return ERR_PTR(-ENOMEM);
	qp->device = pd->device;
	qp->pd = pd;
	qp->qp_type = attr->qp_type;
	qp->qp_num = attr->qp_type == IB_QPT_SMI ? 0 : 1;
	qp->qp_context = attr->qp_context;
	qp->send_cq = attr->send_cq;
	qp->recv_cq = attr->recv_cq;
	qp->cap = attr->cap;
	pd->device->qps[qp->qp_num] = qp;
	return qp;
}

/* What was sent has no completion any more. */
int ib_destroy_qp(struct ib_qp *qp)
{
	struct kmod_host *host = qp->device->port->host;
	struct linux_send *send, *next;

	list_for_each_entry_safe(send, next, &host->sends, entry) {
		if (send->qp != qp)
			continue;
		host->ops->disarm(host->ctx, &send->event);
		list_move(&send->entry, &host->free_sends);
	}
	qp->device->qps[qp->qp_num] = NULL;
	kfree(qp->recvs);
	kfree(qp);
	return 0;
}

int ib_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask)
{
	if (mask & IB_QP_STATE && attr->qp_state == IB_QPS_INIT)
		mad_door_post_lazily(qp);
	if (mask & IB_QP_SQ_PSN)
		qp->psn = attr->sq_psn;
	return 0;
}

/* ---- down ---- */

static void read_address(const struct ib_qp *qp, const struct ib_ud_wr *wr,
			 struct packet_addr *ret_addr)
{
	const struct kmod_port_attr *attr = qp->device->port->attr;
	const struct rdma_ah_attr *to = &wr->ah->attr;

	memset(ret_addr, 0, sizeof(*ret_addr));
	ret_addr->dlid = (uint16_t)to->dlid;
	/* A packet to the permissive LID also comes from it (IBA vol 1, 14.2.2.2). */
	ret_addr->slid = LID_PERMISSIVE;
	if (ret_addr->dlid != LID_PERMISSIVE)
		ret_addr->slid = (uint16_t)(attr->lid |
					    (to->path_bits & ((1u << attr->lmc) - 1)));
	ret_addr->sl = to->sl & 0xf;
	ret_addr->vl = qp->qp_num == 0 ? VL_MANAGEMENT : 0;
	ret_addr->src_qp = qp->qp_num;
	ret_addr->dest_qp = wr->remote_qpn & 0xffffff;
	/* A controlled Q_Key stands for the QP's own. */
	ret_addr->qkey = qp->qp_num == 0 ? 0 : QKEY_GSI;
	ret_addr->psn = qp->psn;
	ret_addr->pkey = PKEY_DEFAULT;
	if (qp->qp_num == 1)
		ret_addr->pkey = wr->pkey_index < attr->pkey_count ? attr->pkeys[wr->pkey_index]
								   : 0;
	if (!(to->ah_flags & IB_AH_GRH))
		return;
	ret_addr->has_grh = true;
	ret_addr->traffic_class = to->grh.traffic_class;
	ret_addr->flow_label = to->grh.flow_label & 0xfffff;
	ret_addr->hop_limit = to->grh.hop_limit;
	if (to->grh.sgid_index < attr->gid_count)
		memcpy(ret_addr->sgid, attr->gids[to->grh.sgid_index], 16);
	memcpy(ret_addr->dgid, to->grh.dgid.raw, 16);
}

/* Copies the pieces of a send into the MAD; what is missing is zero. */
static void gather(uint8_t *mad, const struct ib_send_wr *wr)
{
	size_t at = 0;

	for (int i = 0; i < wr->num_sge; i++) {
		size_t size = wr->sg_list[i].length;

		if (size > MAD_SIZE - at)
			linux_stop("a send of more than %d bytes", MAD_SIZE);
		memcpy(mad + at, (const void *)(uintptr_t)wr->sg_list[i].addr, size);
		at += size;
	}
	memset(mad + at, 0, MAD_SIZE - at);
}

int ib_post_send(struct ib_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	const struct ib_ud_wr *ud = container_of(wr, struct ib_ud_wr, wr);
	struct kmod_port *port = qp->device->port;
	struct kmod_host *host = port->host;
	struct linux_send *send = send_new(host);
	struct packet_addr addr;
	struct packet *packet;

	if (bad)
		*bad = wr;
	if (!send || qp->sends == qp->cap.max_send_wr)
		return -ENOMEM;
	read_address(qp, ud, &addr);
	packet = packet_new(host->ops->pool);
	packet_build(packet, &addr);
	gather(packet_mad(packet), wr);
	qp->psn = (qp->psn + 1) & PSN_MASK;
	qp->sends++;
	send->qp = qp;
	send->cqe = wr->wr_cqe;
	list_move_tail(&send->entry, &host->sends);
	host->ops->arm(host->ctx, &send->event,
		       linux_processors_late_ns(host, linux_now_ns(host)));
	linux_drop_used();
	host->ops->transmit(host->ctx, port->wire, packet);
	return 0;
}

/* ---- up ---- */

int ib_post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	unsigned int places = qp->recv_places;

	if (bad)
		*bad = wr;
	if (qp->recv_count == qp->cap.max_recv_wr)
		return -ENOMEM;
	if (qp->recv_count == places) {
		struct linux_recv *recvs = kmalloc(2 * (places + 1) * sizeof(*recvs), GFP_ATOMIC);

		if (!recvs)
			return -ENOMEM;
		for (unsigned int i = 0; i < qp->recv_count; i++)
			recvs[i] = qp->recvs[(qp->recv_first + i) % places];
		kfree(qp->recvs);
		qp->recvs = recvs;
		qp->recv_places = 2 * (places + 1);
		qp->recv_first = 0;
	}
	qp->recvs[(qp->recv_first + qp->recv_count++) % qp->recv_places] = (struct linux_recv){
		wr->sg_list->addr, wr->sg_list->length, wr->wr_cqe,
	};
	return 0;
}

/* The index of a packet's P_Key: of the same P_Key, else of one of the same partition. */
static u16 pkey_index(const struct kmod_port_attr *attr, uint16_t pkey)
{
	size_t found = attr->pkey_count;

	for (size_t i = 0; i < attr->pkey_count; i++) {
		if (attr->pkeys[i] == pkey)
			return (u16)i;
		if (found == attr->pkey_count && ((attr->pkeys[i] ^ pkey) & 0x7fff) == 0)
			found = i;
	}
	return found < attr->pkey_count ? (u16)found : 0;
}

/*
 * The port that the packet came in by: of a switch, whose wire has written it into the return path
 * of an SMP that ends there.
 */
static u32 arrival_port(const struct ib_device *device, const uint8_t *mad)
{
	unsigned int hop = mad[SMP_HOP_PTR];

	if (!linux_is_switch(device))
		return device->port_num;
	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR || hop == 0 || hop >= SMP_HOPS_MAX)
		return 0;
	return mad[SMP_RETURN_PATH + hop];
}

static void write_wc(const struct ib_qp *qp, const struct packet *packet, struct ib_cqe *cqe,
		     struct ib_wc *ret_wc)
{
	const struct kmod_port_attr *attr = qp->device->port->attr;
	const uint8_t *bth = packet->bytes + packet_bth_at(packet);
	uint16_t dlid = packet_dlid(packet);

	*ret_wc = (struct ib_wc){
		.wr_cqe = cqe,
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_RECV,
		.byte_len = RECV_SIZE,
		.qp = (struct ib_qp *)(uintptr_t)qp,
		.src_qp = packet_src_qp(packet),
		.slid = packet_slid(packet),
		.wc_flags = packet_has_grh(packet) ? IB_WC_GRH : 0,
		.pkey_index = qp->qp_num == 0 ? 0 : pkey_index(attr, get_be16(bth + BTH_PKEY)),
		.sl = packet->bytes[LRH_SL] >> 4,
		.port_num = arrival_port(qp->device, packet_mad_const(packet)),
	};
	if (dlid != LID_PERMISSIVE)
		ret_wc->dlid_path_bits = (u8)(dlid & ((1u << attr->lmc) - 1));
}

/* The first 40 bytes of a buffer are for the GRH. */
static void fill(uint8_t *buffer, const struct packet *packet)
{
	if (packet_has_grh(packet))
		memcpy(buffer, packet->bytes + LRH_SIZE, GRH_SIZE);
	else
		memset(buffer, 0, GRH_SIZE);
	memcpy(buffer + GRH_SIZE, packet_mad_const(packet), MAD_SIZE);
}

/* The QP that the packet is for, with a buffer; NULL: why not, in '*ret_why'. */
static struct ib_qp *receiver(struct kmod_port *port, const struct packet *packet,
			      const char **ret_why)
{
	uint32_t qpn = packet_dest_qp(packet);
	struct ib_qp *qp;

	*ret_why = "the device was removed";
	if (!port->device)
		return NULL;
	*ret_why = "no such QP";
	if (qpn > 1)
		return NULL;
	qp = port->device->qps[qpn];
	*ret_why = qpn == 0 ? "this port has no QP0" : "this port has no QP1";
	if (!qp)
		return NULL;
	linux_processors_take(qp->recv_cq);
	if (qp->recv_count == 0)
		mad_door_post(qp);
	*ret_why = "no receive buffer";
	return qp->recv_count > 0 ? qp : NULL;
}

void linux_port_receive(struct kmod_port *port, struct packet *packet)
{
	struct linux_entry entry = linux_enter(port->host);
	struct linux_recv recv;
	struct ib_wc wc;
	const char *why;
	struct ib_qp *qp = receiver(port, packet, &why);

	if (qp) {
		recv = qp->recvs[qp->recv_first];
		qp->recv_first = (qp->recv_first + 1) % qp->recv_places;
		qp->recv_count--;
		fill((uint8_t *)(uintptr_t)recv.addr, packet);
		write_wc(qp, packet, recv.cqe, &wc);
		linux_processors_begin(port->host, qp->recv_cq, NULL);
		linux_drop_begin(port, packet);
		wc.wr_cqe->done(qp->recv_cq, &wc);
		linux_drop_end();
	} else {
		linux_drop(port, packet, "%s", why);
	}
	packet_free(port->host->ops->pool, packet);
	linux_leave(entry);
}

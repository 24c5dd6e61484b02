/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: the objects of verbs that users of datagrams make, such as the MAD layer and IPoIB:
 * completion queues, QPs, protection domains, address handles. None is for programs: uverbs does
 * not see these devices.
 */
#include <linux/slab.h>

#include "hca.h"

static struct hca_cq *cq_of(struct ib_cq *cq)
{
	return container_of(cq, struct hca_cq, ib);
}

/* ---- completion queues ---- */

static int create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *wish,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
		     struct uverbs_attr_bundle *user)
#else
		     struct ib_udata *user)
#endif
{
	struct hca_cq *cq = cq_of(ib);

	if (user)
		return -EOPNOTSUPP;
	if (wish->flags || wish->cqe < 1)
		return -EINVAL;
	spin_lock_init(&cq->lock);
	cq->size = wish->cqe;
	cq->ring = kvcalloc(cq->size, sizeof(*cq->ring), GFP_KERNEL);
	if (!cq->ring)
		return -ENOMEM;
	ib->cqe = wish->cqe;
	return 0;
}

static int destroy_cq(struct ib_cq *ib, struct ib_udata *user)
{
	kvfree(cq_of(ib)->ring);
	return 0;
}

/*
 * In any context. The owner's queue has room for all that it posts: a full one is its mistake.
 */
void hca_cq_push(struct ib_cq *ib, const struct ib_wc *wc)
{
	struct hca_cq *cq = cq_of(ib);
	unsigned long flags;
	bool wakes = false;

	spin_lock_irqsave(&cq->lock, flags);
	if (!WARN_ON_ONCE(cq->count == cq->size)) {
		cq->ring[(cq->head + cq->count++) % cq->size] = *wc;
		wakes = cq->is_armed;
		cq->is_armed = false;
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	if (wakes)
		ib->comp_handler(ib, ib->cq_context);
}

static int poll_cq(struct ib_cq *ib, int most, struct ib_wc *wc)
{
	struct hca_cq *cq = cq_of(ib);
	unsigned long flags;
	int i;

	spin_lock_irqsave(&cq->lock, flags);
	for (i = 0; i < most && cq->count; i++) {
		wc[i] = cq->ring[cq->head];
		cq->head = (cq->head + 1) % cq->size;
		cq->count--;
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return i;
}

static int req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags wish)
{
	struct hca_cq *cq = cq_of(ib);
	unsigned long flags;
	bool missed;

	spin_lock_irqsave(&cq->lock, flags);
	cq->is_armed = true;
	missed = cq->count;
	spin_unlock_irqrestore(&cq->lock, flags);
	return missed && wish & IB_CQ_REPORT_MISSED_EVENTS;
}

/* What a QP that goes has completed is not to be seen: its work requests are its owner's again. */
static void forget(struct ib_cq *ib, const struct ib_qp *qp)
{
	struct hca_cq *cq = cq_of(ib);
	unsigned long flags;
	u32 i, kept = 0;

	spin_lock_irqsave(&cq->lock, flags);
	for (i = 0; i < cq->count; i++) {
		const struct ib_wc *wc = &cq->ring[(cq->head + i) % cq->size];

		if (wc->qp != qp)
			cq->ring[(cq->head + kept++) % cq->size] = *wc;
	}
	cq->count = kept;
	spin_unlock_irqrestore(&cq->lock, flags);
}

/* ---- QPs ---- */

/* QP0 and QP1. */
static int add_special(struct hca *hca, struct hca_qp *qp, u32 number)
{
	struct hca_qp **place = &hca_port_of(hca, qp->port)->qps[number];
	unsigned long flags;
	int ret = 0;

	qp->ib.qp_num = number;
	spin_lock_irqsave(&hca->lock, flags);
	if (*place)
		ret = -EBUSY;
	else
		*place = qp;
	spin_unlock_irqrestore(&hca->lock, flags);
	return ret;
}

/* Unreliable datagrams only: there are no connections. */
static int check_wish(const struct hca *hca, const struct ib_qp_init_attr *wish)
{
	if (wish->qp_type != IB_QPT_SMI && wish->qp_type != IB_QPT_GSI &&
	    wish->qp_type != IB_QPT_UD)
		return -EOPNOTSUPP;
	if (wish->create_flags & ~IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK)
		return -EOPNOTSUPP;
	if (wish->qp_type != IB_QPT_UD && !hca_has_port(hca, wish->port_num))
		return -EINVAL;
	if (wish->srq || wish->cap.max_recv_wr > HCA_WORK_MAX ||
	    wish->cap.max_send_wr > HCA_WORK_MAX ||
	    wish->cap.max_send_sge > HCA_SEND_PIECES_MAX ||
	    wish->cap.max_recv_sge > HCA_RECEIVE_PIECES_MAX || wish->cap.max_inline_data)
		return -EINVAL;
	return 0;
}

static int create_qp(struct ib_qp *ib, struct ib_qp_init_attr *wish, struct ib_udata *user)
{
	struct hca_qp *qp = hca_qp_of(ib);
	struct hca *hca = hca_of(ib->device);
	int ret = user ? -EOPNOTSUPP : check_wish(hca, wish);

	if (ret < 0)
		return ret;
	spin_lock_init(&qp->lock);
	qp->state = IB_QPS_RESET;
	qp->port = wish->port_num;
	qp->is_all_signaled = wish->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->is_loop_blocked = wish->create_flags & IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
	qp->cap = wish->cap;
	qp->size = max(wish->cap.max_recv_wr, 1u);
	qp->ring = kvcalloc(qp->size, sizeof(*qp->ring), GFP_KERNEL);
	if (!qp->ring)
		return -ENOMEM;
	ret = wish->qp_type == IB_QPT_UD ? hca_datagram_add(hca, qp) :
					   add_special(hca, qp, wish->qp_type == IB_QPT_GSI);
	if (ret < 0)
		kvfree(qp->ring);
	return ret;
}

/* Receives that are posted end with an error. Under qp->lock. */
static void flush(struct hca_qp *qp)
{
	struct ib_wc wc = {
		.status = IB_WC_WR_FLUSH_ERR, .opcode = IB_WC_RECV, .qp = &qp->ib,
	};

	for (; qp->count; qp->count--) {
		wc.wr_id = qp->ring[qp->head].id;
		qp->head = (qp->head + 1) % qp->size;
		hca_cq_push(qp->ib.recv_cq, &wc);
	}
}

/* What a change asks for that there is not, or that the state does not allow. Under qp->lock. */
static int check_change(const struct hca *hca, const struct hca_qp *qp,
			const struct ib_qp_attr *to, int mask)
{
	enum ib_qp_state from = mask & IB_QP_CUR_STATE ? to->cur_qp_state : qp->state;

	if (mask & IB_QP_STATE && to->qp_state == IB_QPS_SQD)
		return -EOPNOTSUPP;
	if (!ib_modify_qp_is_ok(from, mask & IB_QP_STATE ? to->qp_state : from, qp->ib.qp_type,
				mask))
		return -EINVAL;
	if ((mask & IB_QP_PORT && !hca_has_port(hca, to->port_num)) ||
	    (mask & IB_QP_PKEY_INDEX &&
	     to->pkey_index >= le16_to_cpu(hca->description.pkeys)))
		return -EINVAL;
	return 0;
}

static void change(struct hca_qp *qp, const struct ib_qp_attr *to, int mask)
{
	if (mask & IB_QP_QKEY)
		WRITE_ONCE(qp->qkey, to->qkey);
	if (mask & IB_QP_PKEY_INDEX)
		WRITE_ONCE(qp->pkey_index, to->pkey_index);
	if (mask & IB_QP_PORT)
		qp->port = to->port_num;
	if (mask & IB_QP_SQ_PSN)
		qp->psn = to->sq_psn;
	if (!(mask & IB_QP_STATE))
		return;
	WRITE_ONCE(qp->state, to->qp_state);
	if (qp->state == IB_QPS_ERR)
		flush(qp);
	if (qp->state == IB_QPS_RESET)
		qp->count = 0;
}

static int modify_qp(struct ib_qp *ib, struct ib_qp_attr *to, int mask, struct ib_udata *user)
{
	struct hca_qp *qp = hca_qp_of(ib);
	struct hca *hca = hca_of(ib->device);
	unsigned long flags;
	int ret;

	spin_lock_irqsave(&hca->lock, flags);
	spin_lock(&qp->lock);
	ret = check_change(hca, qp, to, mask);
	if (ret == 0)
		change(qp, to, mask);
	spin_unlock(&qp->lock);
	spin_unlock_irqrestore(&hca->lock, flags);
	return ret;
}

static int query_qp(struct ib_qp *ib, struct ib_qp_attr *to, int mask,
		    struct ib_qp_init_attr *wish)
{
	struct hca_qp *qp = hca_qp_of(ib);
	unsigned long flags;

	memset(to, 0, sizeof(*to));
	memset(wish, 0, sizeof(*wish));
	spin_lock_irqsave(&qp->lock, flags);
	to->qp_state = qp->state;
	to->cur_qp_state = qp->state;
	to->qkey = qp->qkey;
	to->pkey_index = qp->pkey_index;
	to->port_num = qp->port;
	to->sq_psn = qp->psn;
	to->cap = qp->cap;
	spin_unlock_irqrestore(&qp->lock, flags);
	wish->qp_type = ib->qp_type;
	wish->send_cq = ib->send_cq;
	wish->recv_cq = ib->recv_cq;
	wish->port_num = to->port_num;
	wish->cap = to->cap;
	wish->sq_sig_type = qp->is_all_signaled ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR;
	return 0;
}

/* Packets are delivered under hca->lock: after it none of its buffers is touched. */
static int destroy_qp(struct ib_qp *ib, struct ib_udata *user)
{
	struct hca_qp *qp = hca_qp_of(ib);
	struct hca *hca = hca_of(ib->device);
	unsigned long flags;

	if (ib->qp_type == IB_QPT_UD) {
		hca_datagram_remove(hca, qp);
	} else {
		spin_lock_irqsave(&hca->lock, flags);
		hca_port_of(hca, qp->port)->qps[ib->qp_num] = NULL;
		spin_unlock_irqrestore(&hca->lock, flags);
	}
	forget(ib->send_cq, ib);
	if (ib->recv_cq != ib->send_cq)
		forget(ib->recv_cq, ib);
	kvfree(qp->ring);
	return 0;
}

/* False: too many pieces, or no room for a GRH, which is there with every packet. */
static bool take_request(struct hca_receive *receive, const struct ib_recv_wr *wr)
{
	int i;

	memset(receive, 0, sizeof(*receive));
	if (wr->num_sge < 1 || wr->num_sge > HCA_RECEIVE_PIECES_MAX)
		return false;
	receive->id = wr->wr_id;
	for (i = 0; i < wr->num_sge; i++) {
		receive->pieces[i].address = wr->sg_list[i].addr;
		receive->pieces[i].size = wr->sg_list[i].length;
		receive->size += wr->sg_list[i].length;
	}
	return receive->size >= UMADRIG_HCA_GRH_SIZE;
}

static int post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct hca_qp *qp = hca_qp_of(ib);
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&qp->lock, flags);
	for (; wr; wr = wr->next) {
		if (qp->count == qp->size)
			ret = -ENOMEM;
		else if (!take_request(&qp->ring[(qp->head + qp->count) % qp->size], wr))
			ret = -EINVAL;
		if (ret < 0) {
			*bad = wr;
			break;
		}
		qp->count++;
	}
	if (qp->state == IB_QPS_ERR)
		flush(qp);
	spin_unlock_irqrestore(&qp->lock, flags);
	return ret;
}

/* ---- the rest ---- */

static int alloc_pd(struct ib_pd *pd, struct ib_udata *user)
{
	return user ? -EOPNOTSUPP : 0;
}

static int dealloc_pd(struct ib_pd *pd, struct ib_udata *user)
{
	return 0;
}

static int create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *wish, struct ib_udata *user)
{
	if (user)
		return -EOPNOTSUPP;
	container_of(ah, struct hca_ah, ib)->attributes = *wish->ah_attr;
	return 0;
}

/* Without it no response is ever matched to its request, but those of directed routes. */
static int query_ah(struct ib_ah *ah, struct rdma_ah_attr *attributes)
{
	*attributes = container_of(ah, struct hca_ah, ib)->attributes;
	return 0;
}

static int destroy_ah(struct ib_ah *ah, u32 flags)
{
	return 0;
}

/* All memory. Its keys are those of the device: addresses are the kernel's own, and not checked. */
static struct ib_mr *get_dma_mr(struct ib_pd *pd, int access)
{
	struct ib_mr *mr;

	if (access & ~IB_ACCESS_LOCAL_WRITE)
		return ERR_PTR(-EOPNOTSUPP);
	mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	return mr ? mr : ERR_PTR(-ENOMEM);
}

static struct ib_mr *reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 address, int access,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
				 struct ib_dmah *handle,
#endif
				 struct ib_udata *user)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static int dereg_mr(struct ib_mr *mr, struct ib_udata *user)
{
	kfree(mr);
	return 0;
}

const struct ib_device_ops hca_queue_operations = {
	.create_cq = create_cq,
	.destroy_cq = destroy_cq,
	.poll_cq = poll_cq,
	.req_notify_cq = req_notify_cq,
	.create_qp = create_qp,
	.modify_qp = modify_qp,
	.query_qp = query_qp,
	.destroy_qp = destroy_qp,
	.post_recv = post_recv,
	.alloc_pd = alloc_pd,
	.dealloc_pd = dealloc_pd,
	.create_ah = create_ah,
	.query_ah = query_ah,
	.destroy_ah = destroy_ah,
	.get_dma_mr = get_dma_mr,
	.reg_user_mr = reg_user_mr,
	.dereg_mr = dereg_mr,
	INIT_RDMA_OBJ_SIZE(ib_pd, hca_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_ah, hca_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, hca_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, hca_qp, ib),
};

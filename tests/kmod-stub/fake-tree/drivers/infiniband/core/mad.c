/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Agents, sends with a timeout, and what is received.
 */
#define pr_fmt(fmt) "fake: " fmt

#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include <rdma/ib_mad.h>

#include <trace/events/ib_mad.h>

struct ib_mad_queue {
	int count, max_active;
	struct list_head list;
};

struct ib_mad_qp_info {
	struct ib_mad_queue recv_queue;
	struct ib_qp *qp;
	struct fake_port *port_priv;
};

struct fake_port {
	struct list_head list;
	struct ib_device *device;
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct workqueue_struct *wq;
	struct ib_mad_qp_info info[2];
	struct list_head agents;
	spinlock_t lock;
};

static int send_size = 128, recv_size = 512;

module_param_named(send_queue_size, send_size, int, 0444);
MODULE_PARM_DESC(send_queue_size, "sends at a time");
module_param_named(recv_queue_size, recv_size, int, 0444);
MODULE_PARM_DESC(recv_queue_size, "buffers");

static DEFINE_XARRAY_ALLOC1(agents);
static u32 agents_next;
static LIST_HEAD(ports);
static DEFINE_SPINLOCK(ports_lock);

int ib_response_mad(const struct ib_mad_hdr *hdr)
{
	return hdr->method & 0x80;
}

static struct fake_port *ib_get_mad_port(struct ib_device *device, u32 port_num)
{
	struct fake_port *port, *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&ports_lock, flags);
	list_for_each_entry(port, &ports, list)
		if (port->device == device)
			found = port;
	spin_unlock_irqrestore(&ports_lock, flags);
	return found;
}

/* With a reference. */
static struct ib_mad_agent *find_mad_agent(struct fake_port *port, const struct ib_mad_hdr *hdr)
{
	struct ib_mad_agent *agent, *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	if (ib_response_mad(hdr)) {
		found = xa_load(&agents, be64_to_cpu(hdr->tid) >> 32);
	} else {
		list_for_each_entry(agent, &port->agents, list)
			if (agent->recv_handler && agent->mgmt_class == hdr->mgmt_class)
				found = agent;
	}
	if (found && !refcount_inc_not_zero(&found->references))
		found = NULL;
	spin_unlock_irqrestore(&port->lock, flags);
	return found;
}

static void deref_mad_agent(struct ib_mad_agent *agent)
{
	if (refcount_dec_and_test(&agent->references))
		complete(&agent->gone);
}

/* ---- sends ---- */

static void over(struct ib_mad_send_buf *send, enum ib_wc_status status)
{
	struct ib_mad_send_wc wc = { send, status };
	struct ib_mad_agent *agent = send->mad_agent;

	agent->send_handler(agent, &wc);
	deref_mad_agent(agent);
}

/* The sends that waited too long, and the time of the next one. */
static void times_out(struct work_struct *work)
{
	struct delayed_work *timer = to_delayed_work(work);
	struct ib_mad_agent *agent = container_of(timer, struct ib_mad_agent, timer);
	struct ib_mad_send_buf *send, *next;
	LIST_HEAD(late);

	spin_lock_irq(&agent->lock);
	list_for_each_entry_safe(send, next, &agent->waiting, list) {
		if (time_after(send->until, jiffies)) {
			queue_delayed_work(agent->port->wq, &agent->timer, send->until - jiffies);
			break;
		}
		list_move_tail(&send->list, &late);
	}
	spin_unlock_irq(&agent->lock);
	list_for_each_entry_safe(send, next, &late, list) {
		list_del(&send->list);
		over(send, send->timeout_ms ? IB_WC_RESP_TIMEOUT_ERR : IB_WC_WR_FLUSH_ERR);
	}
}

static void sent(struct ib_cq *cq, struct ib_wc *wc)
{
	struct ib_mad_send_buf *send = container_of(wc->wr_cqe, struct ib_mad_send_buf, cqe);
	struct ib_mad_agent *agent = send->mad_agent;
	bool goes, is_over;

	spin_lock_irq(&agent->lock);
	goes = agent->goes;
	is_over = goes || !send->timeout_ms;
	if (!is_over) {
		send->until = jiffies + msecs_to_jiffies(send->timeout_ms);
		list_add_tail(&send->list, &agent->waiting);
		/* Set already if others wait, which are over before: timeouts get longer here. */
		queue_delayed_work(agent->port->wq, &agent->timer, send->until - jiffies);
	}
	spin_unlock_irq(&agent->lock);
	if (is_over)
		over(send, goes ? IB_WC_WR_FLUSH_ERR : IB_WC_SUCCESS);
}

int fake_send(struct ib_mad_send_buf *send)
{
	int err;

	send->cqe.done = sent;
	send->sge[0] = (struct ib_sge){ (uintptr_t)send->bytes, IB_MGMT_MAD_HDR };
	send->sge[1] = (struct ib_sge){ (uintptr_t)send->bytes + IB_MGMT_MAD_HDR,
					FAKE_MAD_SIZE - IB_MGMT_MAD_HDR };
	send->wr.wr = (struct ib_send_wr){ .wr_cqe = &send->cqe, .sg_list = send->sge,
					   .num_sge = 2 };
	send->wr.ah = send->ah;
	refcount_inc(&send->mad_agent->references);
	err = ib_post_send(send->mad_agent->qp, &send->wr.wr, NULL);
	if (err)
		deref_mad_agent(send->mad_agent);
	return err;
}

void ib_cancel_mad(struct ib_mad_send_buf *send)
{
	send->timeout_ms = 0;
	send->until = jiffies;
	list_move(&send->list, &send->mad_agent->waiting);
	mod_delayed_work(send->mad_agent->port->wq, &send->mad_agent->timer, 0);
}

/* The send that 'hdr' answers, which is over then. */
static bool answers(struct ib_mad_agent *agent, const struct ib_mad_hdr *hdr,
		    struct ib_mad_send_buf **ret_send)
{
	struct ib_mad_send_buf *send;

	spin_lock_irq(&agent->lock);
	list_for_each_entry(send, &agent->waiting, list) {
		const struct ib_mad_hdr *asked = send->mad;

		if (asked->tid != hdr->tid)
			continue;
		list_del(&send->list);
		*ret_send = send;
		break;
	}
	spin_unlock_irq(&agent->lock);
	return *ret_send;
}

/* ---- receives ---- */

static void received(struct ib_cq *cq, struct ib_wc *wc);

static int ib_mad_post_receive_mads(struct ib_mad_qp_info *info, struct ib_mad_recv_wc *mad)
{
	struct ib_mad_queue *queue = &info->recv_queue;
	bool more;

	do {
		struct ib_sge sge;
		struct ib_recv_wr wr = { .sg_list = &sge, .num_sge = 1 };
		int err;

		if (!mad)
			mad = kzalloc_obj(*mad, GFP_ATOMIC);
		if (!mad)
			return -ENOMEM;
		mad->cqe.done = received;
		wr.wr_cqe = &mad->cqe;
		sge.addr = ib_dma_map_single(NULL, &mad->grh, 296, DMA_FROM_DEVICE);
		sge.length = 296;
		more = ++queue->count < queue->max_active;
		list_add_tail(&mad->list, &queue->list);
		err = ib_post_recv(info->qp, &wr, NULL);
		if (err)
			return err;
		mad = NULL;
	} while (more);
	return 0;
}

void ib_free_recv_mad(struct ib_mad_recv_wc *mad)
{
	kfree(mad);
}

enum { ATTR_FORGOTTEN = 0xdead };	/* a MAD that is never freed: a leak */

static void deliver(struct fake_port *port, struct ib_mad_recv_wc *mad)
{
	struct ib_mad_agent *agent = find_mad_agent(port, &mad->mad);
	struct ib_mad_send_buf *send = NULL;

	if (mad->mad.attr_id == cpu_to_be16(ATTR_FORGOTTEN))
		mad->wc = NULL;
	else if (!agent || !agent->recv_handler ||
		 (ib_response_mad(&mad->mad) && !answers(agent, &mad->mad, &send)))
		ib_free_recv_mad(mad);
	else {
		agent->recv_handler(agent, send, mad);
		if (send)
			over(send, IB_WC_SUCCESS);
	}
	if (agent)
		deref_mad_agent(agent);
}

static void received(struct ib_cq *cq, struct ib_wc *wc)
{
	struct fake_port *port = cq->cq_context;
	struct ib_mad_recv_wc *mad = container_of(wc->wr_cqe, struct ib_mad_recv_wc, cqe);
	struct ib_mad_qp_info *info = &port->info[wc->qp->qp_num];

	list_del(&mad->list);
	info->recv_queue.count--;
	mad->copy = *wc;
	mad->wc = &mad->copy;
	mad->mad_len = FAKE_MAD_SIZE;
	trace_ib_mad_recv_done_handler(info, wc, &mad->mad);
	trace_fake_unknown(info);
	if (fake_is_smp(&mad->mad) == (wc->qp->qp_num == 0))
		deliver(port, mad);
	else
		ib_free_recv_mad(mad);
	ib_mad_post_receive_mads(info, NULL);
}

/* ---- agents ---- */

struct ib_mad_agent *ib_register_mad_agent(struct ib_device *device, u32 port_num,
					   enum ib_qp_type type, struct fake_request *request,
					   u8 rmpp_version, ib_mad_send_handler send,
					   ib_mad_recv_handler recv, void *context, u32 flags)
{
	struct fake_port *port = ib_get_mad_port(device, port_num);
	struct ib_mad_agent *agent;
	int err;

	if (!port || IS_ERR_OR_NULL(port->info[type == IB_QPT_GSI].qp))
		return ERR_PTR(-EPROTONOSUPPORT);
	agent = kzalloc_obj(*agent);
	if (!agent)
		return ERR_PTR(-ENOMEM);
	agent->device = agent->agent.device = device;
	agent->port = port;
	agent->port_num = port_num;
	agent->qp = port->info[type == IB_QPT_GSI].qp;
	agent->mgmt_class = request ? request->mgmt_class : 0;
	agent->send_handler = send;
	agent->recv_handler = recv;
	agent->context = context;
	spin_lock_init(&agent->lock);
	INIT_LIST_HEAD(&agent->waiting);
	INIT_DELAYED_WORK(&agent->timer, times_out);
	refcount_set(&agent->references, 1);
	init_completion(&agent->gone);
	err = xa_alloc_cyclic(&agents, &agent->hi_tid, agent, XA_LIMIT(0, (1 << 24) - 1),
			      &agents_next, GFP_KERNEL);
	if (err < 0) {
		kfree(agent);
		return ERR_PTR(err);
	}
	agent->agent.hi_tid = agent->hi_tid;
	spin_lock_irq(&port->lock);
	list_add_tail(&agent->list, &port->agents);
	spin_unlock_irq(&port->lock);
	trace_ib_mad_create_agent(agent);
	return agent;
}

void ib_unregister_mad_agent(struct ib_mad_agent *agent)
{
	struct ib_mad_send_buf *send, *next;
	LIST_HEAD(flushed);

	spin_lock_irq(&agent->lock);
	agent->goes = true;
	list_splice_init(&agent->waiting, &flushed);
	spin_unlock_irq(&agent->lock);
	cancel_delayed_work_sync(&agent->timer);
	list_for_each_entry_safe(send, next, &flushed, list) {
		list_del(&send->list);
		over(send, IB_WC_WR_FLUSH_ERR);
	}
	spin_lock_irq(&agent->port->lock);
	list_del(&agent->list);
	xa_erase(&agents, agent->hi_tid);
	spin_unlock_irq(&agent->port->lock);
	flush_workqueue(agent->port->wq);
	deref_mad_agent(agent);
	wait_for_completion(&agent->gone);
	kfree(agent);
}

/* ---- ports ---- */

static int make_qp(struct fake_port *port, int qpn)
{
	struct ib_mad_qp_info *info = &port->info[qpn];
	struct ib_qp_init_attr init = {
		.qp_context = info, .send_cq = port->cq, .recv_cq = port->cq,
		.cap = { .max_send_wr = send_size, .max_recv_wr = recv_size },
		.qp_type = qpn ? IB_QPT_GSI : IB_QPT_SMI,
	};
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT };

	info->port_priv = port;
	INIT_LIST_HEAD(&info->recv_queue.list);
	info->qp = ib_create_qp(port->pd, &init);
	if (IS_ERR(info->qp))
		return PTR_ERR(info->qp);
	info->recv_queue.max_active = recv_size;
	ib_modify_qp(info->qp, &attr, IB_QP_STATE);
	return ib_mad_post_receive_mads(info, NULL);
}

static void unmake_qp(struct ib_mad_qp_info *info)
{
	struct ib_mad_recv_wc *mad, *next;

	if (IS_ERR_OR_NULL(info->qp))
		return;
	ib_destroy_qp(info->qp);
	list_for_each_entry_safe(mad, next, &info->recv_queue.list, list) {
		list_del(&mad->list);
		kfree(mad);
	}
}

static void free_port(struct fake_port *port)
{
	unmake_qp(&port->info[1]);
	unmake_qp(&port->info[0]);
	if (port->wq)
		destroy_workqueue(port->wq);
	if (!IS_ERR_OR_NULL(port->cq))
		ib_free_cq(port->cq);
	if (!IS_ERR_OR_NULL(port->pd))
		ib_dealloc_pd(port->pd);
	kfree(port);
}

/* What is missing is not fatal: a port without a QP has no agents. */
static int fill_port(struct fake_port *port)
{
	port->pd = ib_alloc_pd(port->device, 0);
	if (IS_ERR(port->pd))
		return PTR_ERR(port->pd);
	port->cq = ib_alloc_cq(port->device, port, 1, 0, IB_POLL_UNBOUND_WORKQUEUE);
	if (IS_ERR(port->cq))
		return PTR_ERR(port->cq);
	port->wq = alloc_ordered_workqueue("fake%d", WQ_MEM_RECLAIM, 1);
	if (!port->wq)
		return -ENOMEM;
	if (rdma_cap_ib_smi(port->device, 1) && make_qp(port, 0))
		pr_err("no QP0\n");
	return make_qp(port, 1);
}

static int add(struct ib_device *device)
{
	struct fake_port *port = kzalloc_obj(*port);
	int err;

	if (!port)
		return -ENOMEM;
	port->device = device;
	spin_lock_init(&port->lock);
	INIT_LIST_HEAD(&port->agents);
	list_add_tail(&port->list, &ports);
	if (send_size != 128 || recv_size != 512)
		pr_notice("%d sends, %d receives\n", send_size, recv_size);
	err = fill_port(port);
	if (!err)
		err = fake_agent_open(device);
	if (err) {
		list_del(&port->list);
		free_port(port);
	}
	return err;
}

static void gone(struct ib_device *device, void *data)
{
	struct fake_port *port = ib_get_mad_port(device, 1);

	fake_agent_close(device);
	list_del(&port->list);
	free_port(port);
}

static struct ib_client client = { .name = "fake", .add = add, .remove = gone };

int ib_mad_init(void)
{
	recv_size = clamp(recv_size, 2, 1000);
	return ib_register_client(&client);
}

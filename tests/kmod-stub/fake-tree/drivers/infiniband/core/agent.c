/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The kernel's own agent of a port.
 */
#include <linux/slab.h>

#include <rdma/ib_mad.h>

struct fake_own {
	struct list_head list;
	struct ib_mad_agent *agent;
};

static LIST_HEAD(owns);
static DEFINE_MUTEX(owns_mutex);

static void own_send(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
	dev_err(&agent->device->dev, "nothing was sent: %d\n", wc->status);
}

int fake_agent_open(struct ib_device *device)
{
	struct fake_own *own = kzalloc_obj(*own);

	if (!own)
		return -ENOMEM;
	own->agent = ib_register_mad_agent(device, device->port_num, IB_QPT_GSI, NULL, 0, own_send,
					   NULL, NULL, 0);
	if (IS_ERR(own->agent)) {
		int err = PTR_ERR(own->agent);

		kfree(own);
		return err;
	}
	mutex_lock(&owns_mutex);
	list_add_tail(&own->list, &owns);
	mutex_unlock(&owns_mutex);
	return 0;
}

void fake_agent_close(struct ib_device *device)
{
	struct fake_own *own, *next;
	LIST_HEAD(gone);

	mutex_lock(&owns_mutex);
	list_for_each_entry_safe(own, next, &owns, list)
		if (own->agent->device == device)
			list_move(&own->list, &gone);
	mutex_unlock(&owns_mutex);
	list_for_each_entry_safe(own, next, &gone, list) {
		list_del(&own->list);
		ib_unregister_mad_agent(own->agent);
		kfree(own);
	}
}

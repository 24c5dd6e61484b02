/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: a fabric, which is what is at the other end of a transport. Its messages are looked
 * at here, questions to it wait here, and HCAs come and go by a work, as registering one sleeps.
 */
#include <linux/slab.h>

#include "hca.h"

enum {
	ORDERS_MAX = 2 * UMADRIG_HCA_HCAS_MAX,
	QUERY_TIMEOUT_MS = UMADRIG_HCA_QUERY_MS,
};

/* process_mad waits. */
struct hca_query {
	struct list_head entry;
	u32 sequence;
	bool is_answered;
	int result;
	struct ib_mad mad;
	struct completion done;
};

struct hca_order {
	struct list_head entry;
	u8 type;		/* UMADRIG_HCA_ADD or UMADRIG_HCA_REMOVE */
	u8 number;
	struct umadrig_hca_description description;
};

/* ---- up ---- */

struct hca_message *hca_message_new(u8 type, u8 hca, u8 port, size_t payload)
{
	struct hca_message *message = kzalloc(sizeof(*message) + payload, GFP_ATOMIC);

	if (!message)
		return NULL;
	message->header.length = cpu_to_le32(sizeof(message->header) + payload);
	message->header.version = UMADRIG_HCA_VERSION;
	message->header.type = type;
	message->header.hca = hca;
	message->header.port = port;
	return message;
}

int hca_send(struct hca_fabric *fabric, struct hca_message *message)
{
	return fabric->transport->send(fabric, message);
}

void hca_say_hello(struct hca_fabric *fabric, u8 number,
		   const struct umadrig_hca_description *description, int err)
{
	struct hca_message *message = hca_message_new(UMADRIG_HCA_HELLO, number, 0,
						      sizeof(*description));

	if (!message) {
		atomic64_inc(&fabric->up_dropped);
		return;
	}
	message->header.value = cpu_to_le32(err);
	memcpy(message->payload, description, sizeof(*description));
	hca_send(fabric, message);
}

static void say(struct hca_fabric *fabric, u8 type, u8 number, u32 value)
{
	struct hca_message *message = hca_message_new(type, number, 0, 0);

	if (!message) {
		atomic64_inc(&fabric->up_dropped);
		return;
	}
	message->header.value = cpu_to_le32(value);
	hca_send(fabric, message);
}

/* ---- questions ---- */

static int wait_for_reply(struct hca_fabric *fabric, struct hca_query *query,
			  struct hca_message *message)
{
	unsigned long flags;

	spin_lock_irqsave(&fabric->lock, flags);
	if (!fabric->is_attached) {
		spin_unlock_irqrestore(&fabric->lock, flags);
		kfree(message);
		return -ENOTCONN;
	}
	query->sequence = ++fabric->last_query;
	list_add_tail(&query->entry, &fabric->queries);
	spin_unlock_irqrestore(&fabric->lock, flags);

	message->header.sequence = cpu_to_le32(query->sequence);
	if (hca_send(fabric, message) == 0)
		wait_for_completion_timeout(&query->done, msecs_to_jiffies(QUERY_TIMEOUT_MS));

	/* Who answers does it under the lock: after this nobody knows the query any more. */
	spin_lock_irqsave(&fabric->lock, flags);
	list_del(&query->entry);
	spin_unlock_irqrestore(&fabric->lock, flags);
	return query->is_answered ? 0 : -ETIMEDOUT;
}

int hca_fabric_ask(struct hca_fabric *fabric, u8 hca, u8 port, u8 flags, const struct ib_mad *in,
		   struct ib_mad *out)
{
	struct hca_message *message = hca_message_new(UMADRIG_HCA_QUERY, hca, port, sizeof(*in));
	struct hca_query *query = kzalloc(sizeof(*query), GFP_KERNEL);
	int result = IB_MAD_RESULT_FAILURE;

	if (!message || !query) {
		kfree(message);
		kfree(query);
		return result;
	}
	init_completion(&query->done);
	message->header.flags = flags;
	memcpy(message->payload, in, sizeof(*in));
	if (wait_for_reply(fabric, query, message) == 0) {
		result = query->result;
		if (result & IB_MAD_RESULT_REPLY)
			*out = query->mad;
	}
	kfree(query);
	return result;
}

static int answer(struct hca_fabric *fabric, const struct umadrig_hca_header *header, size_t size)
{
	u32 sequence = le32_to_cpu(header->sequence), result = le32_to_cpu(header->value);
	struct hca_query *query;
	unsigned long flags;
	int ret = -ENOENT;

	if (result & ~(u32)(IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY | IB_MAD_RESULT_CONSUMED) ||
	    size != (result & IB_MAD_RESULT_REPLY ? sizeof(query->mad) : 0))
		return -EINVAL;
	spin_lock_irqsave(&fabric->lock, flags);
	list_for_each_entry(query, &fabric->queries, entry) {
		if (query->sequence != sequence || query->is_answered)
			continue;
		query->result = result;
		memcpy(&query->mad, hca_payload(header), size);
		query->is_answered = true;
		complete(&query->done);
		ret = 0;
		break;
	}
	spin_unlock_irqrestore(&fabric->lock, flags);
	return ret;
}

/* ---- HCAs come and go ---- */

static void carry_out(struct hca_fabric *fabric, const struct hca_order *order)
{
	int ret;

	mutex_lock(&fabric->changes);
	if (order->type == UMADRIG_HCA_ADD) {
		ret = hca_add(fabric, order->number, &order->description);
		if (ret < 0)
			hca_say_hello(fabric, order->number, &order->description, -ret);
	} else {
		ret = hca_remove(fabric, order->number);
		say(fabric, UMADRIG_HCA_GONE, order->number, -ret);
	}
	mutex_unlock(&fabric->changes);
}

static void work(struct work_struct *item)
{
	struct hca_fabric *fabric = container_of(item, struct hca_fabric, work);
	struct hca_order *order;
	unsigned long flags;

	for (;;) {
		spin_lock_irqsave(&fabric->lock, flags);
		order = list_first_entry_or_null(&fabric->orders, struct hca_order, entry);
		if (order) {
			list_del(&order->entry);
			fabric->orders_waiting--;
		}
		spin_unlock_irqrestore(&fabric->lock, flags);
		if (!order)
			return;
		carry_out(fabric, order);
		kfree(order);
	}
}

static int take_order(struct hca_fabric *fabric, const struct umadrig_hca_header *header,
		      size_t size)
{
	struct hca_order *order;
	unsigned long flags;
	int ret = 0;

	if (size != (header->type == UMADRIG_HCA_ADD ? sizeof(order->description) : 0))
		return -EINVAL;
	if (header->hca >= UMADRIG_HCA_HCAS_MAX)
		return -ENODEV;
	order = kzalloc(sizeof(*order), GFP_ATOMIC);
	if (!order)
		return -ENOMEM;
	order->type = header->type;
	order->number = header->hca;
	memcpy(&order->description, hca_payload(header), size);

	spin_lock_irqsave(&fabric->lock, flags);
	if (fabric->orders_waiting < ORDERS_MAX && fabric->is_attached) {
		list_add_tail(&order->entry, &fabric->orders);
		fabric->orders_waiting++;
		order = NULL;
	} else {
		ret = -ENOBUFS;
	}
	spin_unlock_irqrestore(&fabric->lock, flags);
	kfree(order);
	if (ret == 0)
		schedule_work(&fabric->work);
	return ret;
}

/* ---- down ---- */

static int receive_for(struct hca *hca, const struct umadrig_hca_header *header, size_t size)
{
	if (!hca_has_port(hca, header->port))
		return -ENODEV;
	switch (header->type) {
	case UMADRIG_HCA_MAD:
		return hca_packet_receive(hca, header, size);
	case UMADRIG_HCA_DATAGRAM:
		return hca_datagram_receive(hca, header, size);
	case UMADRIG_HCA_PORT:
		return hca_port_set(hca, header, size);
	case UMADRIG_HCA_PKEYS:
		return hca_port_set_pkeys(hca, header, size);
	case UMADRIG_HCA_GIDS:
		return hca_port_set_gids(hca, header, size);
	case UMADRIG_HCA_COUNTERS:
		return size ? -EINVAL : hca_port_count(hca, header);
	}
	return -EINVAL;
}

static int receive(struct hca_fabric *fabric, const struct umadrig_hca_header *header, size_t size)
{
	struct hca *hca;
	int ret;

	if (header->version != UMADRIG_HCA_VERSION)
		return -EINVAL;
	if (header->type >= UMADRIG_HCA_GUEST_FIRST)
		return fabric->transport->carries_guest ? hca_guest_receive(header, size) :
							  -EINVAL;
	size -= sizeof(*header);
	if (header->type == UMADRIG_HCA_REPLY)
		return answer(fabric, header, size);
	if (header->type == UMADRIG_HCA_ADD || header->type == UMADRIG_HCA_REMOVE)
		return take_order(fabric, header, size);
	hca = hca_get(fabric, header->hca);
	if (!hca)
		return -ENODEV;
	ret = receive_for(hca, header, size);
	hca_put(hca);
	return ret;
}

/* What the HCA has counted itself is not counted again. */
int hca_fabric_receive(struct hca_fabric *fabric, const struct umadrig_hca_header *header,
		       size_t size)
{
	int ret = -EINVAL;

	if (size >= sizeof(*header) && size <= UMADRIG_HCA_DOWN_MAX &&
	    le32_to_cpu(header->length) == size)
		ret = receive(fabric, header, size);
	if (ret == -EINVAL || ret == -ENODEV ||
	    (ret < 0 && header->type != UMADRIG_HCA_MAD && header->type != UMADRIG_HCA_DATAGRAM))
		atomic64_inc(&fabric->down_dropped);
	return ret;
}

/* ---- sessions ---- */

void hca_fabric_init(struct hca_fabric *fabric, const struct hca_transport *transport)
{
	fabric->transport = transport;
	spin_lock_init(&fabric->lock);
	mutex_init(&fabric->changes);
	INIT_LIST_HEAD(&fabric->queries);
	INIT_LIST_HEAD(&fabric->orders);
	INIT_WORK(&fabric->work, work);
}

static void set_attached(struct hca_fabric *fabric, bool is_attached)
{
	unsigned long flags;

	spin_lock_irqsave(&fabric->lock, flags);
	fabric->is_attached = is_attached;
	spin_unlock_irqrestore(&fabric->lock, flags);
}

void hca_fabric_attach(struct hca_fabric *fabric)
{
	u32 count = 0;
	int i;

	mutex_lock(&fabric->changes);
	set_attached(fabric, true);
	for (i = 0; i < UMADRIG_HCA_HCAS_MAX; i++) {
		struct hca *hca = hca_get(fabric, i);

		if (!hca)
			continue;
		hca_say_hello(fabric, i, &hca->description, 0);
		hca_put(hca);
		count++;
	}
	say(fabric, UMADRIG_HCA_READY, 0, count);
	mutex_unlock(&fabric->changes);
}

void hca_fabric_detach(struct hca_fabric *fabric)
{
	struct hca_order *order, *next;
	struct hca_query *query;
	LIST_HEAD(orders);
	unsigned long flags;
	int i, port;

	spin_lock_irqsave(&fabric->lock, flags);
	fabric->is_attached = false;
	list_splice_init(&fabric->orders, &orders);
	fabric->orders_waiting = 0;
	list_for_each_entry(query, &fabric->queries, entry)
		complete(&query->done);
	spin_unlock_irqrestore(&fabric->lock, flags);
	list_for_each_entry_safe(order, next, &orders, entry)
		kfree(order);
	/* What is being registered finds out that nobody answers. */
	cancel_work_sync(&fabric->work);
	mutex_lock(&fabric->changes);
	for (i = 0; i < UMADRIG_HCA_HCAS_MAX; i++) {
		struct hca *hca = hca_get(fabric, i);

		for (port = 1; hca && port <= hca->description.ports; port++)
			hca_port_down(hca, port);
		if (hca)
			hca_put(hca);
	}
	mutex_unlock(&fabric->changes);
}

void hca_fabric_clear(struct hca_fabric *fabric)
{
	int i;

	cancel_work_sync(&fabric->work);
	mutex_lock(&fabric->changes);
	for (i = 0; i < UMADRIG_HCA_HCAS_MAX; i++)
		hca_remove(fabric, i);
	mutex_unlock(&fabric->changes);
}

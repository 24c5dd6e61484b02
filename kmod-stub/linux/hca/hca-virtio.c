/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: a virtio device, by which a guest's HCAs have their fabric outside of it. With
 * notifications in band (User-mode Linux over vhost-user) a kick returns when the fabric has taken
 * the message, and interrupts come when the fabric wants: all is in order with its time.
 */
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>

#include "hca.h"

enum {
	QUEUES = 2,
	RECEIVES_MAX = 256,
	WAITING_MAX = 4096,	/* messages for which the queue had no room */
};

struct virtual_port {
	struct hca_fabric fabric;
	struct virtio_device *device;
	struct virtqueue *queues[QUEUES];
	spinlock_t lock;	/* of the queue up, and of what follows */
	struct list_head waiting;
	u32 waiting_count;
	bool is_ready;
};

static struct virtual_port *port_of(struct hca_fabric *fabric)
{
	return container_of(fabric, struct virtual_port, fabric);
}

/* ---- up ---- */

static void free_used(struct virtqueue *queue)
{
	struct hca_message *message;
	unsigned int size;

	while ((message = virtqueue_get_buf(queue, &size)))
		kfree(message);
}

/* -ENOSPC: the queue is full. Under port->lock. */
static int put(struct virtqueue *queue, struct hca_message *message)
{
	struct scatterlist list;

	sg_init_one(&list, &message->header, le32_to_cpu(message->header.length));
	return virtqueue_add_outbuf(queue, &list, 1, message, GFP_ATOMIC);
}

/* Under port->lock. Waits for an interrupt only where something waits for room. */
static void pump(struct virtual_port *port)
{
	struct virtqueue *queue = port->queues[UMADRIG_HCA_QUEUE_UP];
	struct hca_message *message, *next;
	bool put_any = false;

	free_used(queue);
	list_for_each_entry_safe(message, next, &port->waiting, entry) {
		if (put(queue, message) < 0)
			break;
		list_del(&message->entry);
		port->waiting_count--;
		put_any = true;
	}
	if (put_any) {
		virtqueue_kick(queue);
		free_used(queue);
	}
	if (list_empty(&port->waiting))
		virtqueue_disable_cb(queue);
}

static int send(struct hca_fabric *fabric, struct hca_message *message)
{
	struct virtual_port *port = port_of(fabric);
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&port->lock, flags);
	if (!port->is_ready) {
		ret = -ENOTCONN;
	} else if (port->waiting_count >= WAITING_MAX) {
		ret = -ENOBUFS;
	} else {
		list_add_tail(&message->entry, &port->waiting);
		port->waiting_count++;
		pump(port);
		/* Used since then: there would be no interrupt for it. */
		while (!list_empty(&port->waiting) &&
		       !virtqueue_enable_cb(port->queues[UMADRIG_HCA_QUEUE_UP]))
			pump(port);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	if (ret < 0) {
		atomic64_inc(&fabric->up_dropped);
		kfree(message);
	}
	return ret;
}

static void up_used(struct virtqueue *queue)
{
	struct virtual_port *port = queue->vdev->priv;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	if (port->is_ready) {
		pump(port);
		while (!list_empty(&port->waiting) && !virtqueue_enable_cb(queue))
			pump(port);
	}
	spin_unlock_irqrestore(&port->lock, flags);
}

static const struct hca_transport transport = { .send = send, .carries_guest = true };

/* ---- down ---- */

static int post(struct virtqueue *queue, void *buffer)
{
	struct scatterlist list;

	sg_init_one(&list, buffer, UMADRIG_HCA_DOWN_MAX);
	return virtqueue_add_inbuf(queue, &list, 1, buffer, GFP_ATOMIC);
}

static void down_used(struct virtqueue *queue)
{
	struct virtual_port *port = queue->vdev->priv;
	unsigned int size;
	void *buffer;

	while ((buffer = virtqueue_get_buf(queue, &size))) {
		/* The other end may say that it has written more than there is. */
		if (size <= UMADRIG_HCA_DOWN_MAX)
			hca_fabric_receive(&port->fabric, buffer, size);
		else
			atomic64_inc(&port->fabric.down_dropped);
		if (post(queue, buffer) < 0)
			kfree(buffer);
	}
	virtqueue_kick(queue);
}

static int post_all(struct virtqueue *queue)
{
	unsigned int i, count = min_t(unsigned int, virtqueue_get_vring_size(queue), RECEIVES_MAX);

	for (i = 0; i < count; i++) {
		void *buffer = kzalloc(UMADRIG_HCA_DOWN_MAX, GFP_KERNEL);

		if (!buffer)
			return -ENOMEM;
		if (post(queue, buffer) < 0) {
			kfree(buffer);
			return i ? 0 : -ENOSPC;
		}
	}
	return 0;
}

/* ---- the device ---- */

static int find_queues(struct virtual_port *port)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
	struct virtqueue_info info[QUEUES] = {
		[UMADRIG_HCA_QUEUE_UP] = { .name = "up", .callback = up_used },
		[UMADRIG_HCA_QUEUE_DOWN] = { .name = "down", .callback = down_used },
	};

	return virtio_find_vqs(port->device, QUEUES, port->queues, info, NULL);
#else
	vq_callback_t *callbacks[QUEUES] = {
		[UMADRIG_HCA_QUEUE_UP] = up_used, [UMADRIG_HCA_QUEUE_DOWN] = down_used,
	};
	static const char *const names[QUEUES] = {
		[UMADRIG_HCA_QUEUE_UP] = "up", [UMADRIG_HCA_QUEUE_DOWN] = "down",
	};

	return virtio_find_vqs(port->device, QUEUES, port->queues, callbacks, names, NULL);
#endif
}

static void free_buffers(struct virtual_port *port)
{
	struct hca_message *message, *next;
	void *buffer;
	int i;

	for (i = 0; i < QUEUES; i++) {
		while ((buffer = virtqueue_detach_unused_buf(port->queues[i])))
			kfree(buffer);
	}
	list_for_each_entry_safe(message, next, &port->waiting, entry)
		kfree(message);
}

static void set_ready(struct virtual_port *port, bool is_ready)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	port->is_ready = is_ready;
	spin_unlock_irqrestore(&port->lock, flags);
}

static void reset(struct virtual_port *port)
{
	virtio_reset_device(port->device);
	free_buffers(port);
	port->device->config->del_vqs(port->device);
}

static int start(struct virtual_port *port)
{
	int ret = find_queues(port);

	if (ret < 0)
		return ret;
	ret = post_all(port->queues[UMADRIG_HCA_QUEUE_DOWN]);
	if (ret == 0)
		ret = hca_guest_open(&port->fabric);
	if (ret < 0) {
		reset(port);
		return ret;
	}
	virtio_device_ready(port->device);
	set_ready(port, true);
	virtqueue_kick(port->queues[UMADRIG_HCA_QUEUE_DOWN]);
	hca_fabric_attach(&port->fabric);
	return 0;
}

/* -EPROTO: another device has the number. */
static int check(struct virtio_device *device)
{
	struct umadrig_hca_config config = {};

	if (!virtio_has_feature(device, VIRTIO_F_VERSION_1))
		return -EPROTO;
	device->config->get(device, 0, &config, sizeof(config));
	if (le32_to_cpu(config.magic) != UMADRIG_HCA_VIRTIO_MAGIC) {
		dev_err(&device->dev, "not umadrig's\n");
		return -EPROTO;
	}
	if (le32_to_cpu(config.version) != UMADRIG_HCA_VERSION) {
		dev_err(&device->dev,
			"the fabric is another umadrig's: messages of version %u, not %u\n",
			le32_to_cpu(config.version), UMADRIG_HCA_VERSION);
		return -EPROTO;
	}
	return 0;
}

static int probe(struct virtio_device *device)
{
	struct virtual_port *port;
	int ret = check(device);

	if (ret < 0)
		return ret;
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return -ENOMEM;
	port->device = device;
	spin_lock_init(&port->lock);
	INIT_LIST_HEAD(&port->waiting);
	hca_fabric_init(&port->fabric, &transport);
	device->priv = port;
	ret = start(port);
	if (ret < 0)
		kfree(port);
	return ret;
}

static void remove(struct virtio_device *device)
{
	struct virtual_port *port = device->priv;

	hca_guest_close(&port->fabric);
	hca_fabric_detach(&port->fabric);
	set_ready(port, false);
	virtio_reset_device(device);
	hca_fabric_clear(&port->fabric);
	free_buffers(port);
	device->config->del_vqs(device);
	kfree(port);
}

static const struct virtio_device_id ids[] = {
	{ UMADRIG_HCA_VIRTIO_ID, VIRTIO_DEV_ANY_ID },
	{ 0 },
};
MODULE_DEVICE_TABLE(virtio, ids);

static struct virtio_driver driver = {
	.driver.name = HCA_NAME,
	.driver.owner = THIS_MODULE,
	.id_table = ids,
	.probe = probe,
	.remove = remove,
};

int hca_virtio_init(void)
{
	return register_virtio_driver(&driver);
}

void hca_virtio_exit(void)
{
	unregister_virtio_driver(&driver);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files: one agent each.
 */
#define pr_fmt(fmt) "fake: " fmt

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <string.h>

#include <rdma/ib_mad.h>

#include <trace/events/ib_umad.h>

struct fake_umad {
	struct kref kref;
	struct cdev cdev, sm_cdev;
	struct device dev, sm_dev;
	struct semaphore sm_sem;
	struct mutex mutex;
	struct list_head files;
	struct ib_device *ib_dev;
	int number;
};

struct ib_umad_file {
	struct list_head list;
	struct list_head recv_list, send_list;
	wait_queue_head_t recv_wait;
	struct fake_umad *umad;
	struct ib_mad_agent *agent;
	struct mutex mutex;		/* while the agent comes, goes, or sends */
	bool agents_dead;
};

struct ib_umad_packet {
	struct list_head list;
	struct ib_mad_recv_wc *recv_wc;
	struct ib_mad_send_buf *msg;
	int length;
	struct ib_user_mad_hdr hdr;
	u8 bytes[FAKE_MAD_SIZE];
};

static DEFINE_IDA(numbers);

static int hdr_size(struct ib_umad_file *file)
{
	return sizeof(struct ib_user_mad_hdr);
}

static void queue_packet(struct ib_umad_file *file, struct ib_umad_packet *packet)
{
	packet->hdr.length = hdr_size(file) + packet->length;
	list_add_tail(&packet->list, &file->recv_list);
	wake_up_interruptible(&file->recv_wait);
}

static void send_handler(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
	struct ib_umad_packet *packet = wc->send_buf->context[0];

	list_del(&packet->list);
	rdma_destroy_ah(wc->send_buf->ah, RDMA_DESTROY_AH_SLEEPABLE);
	kfree(wc->send_buf);
	packet->msg = NULL;
	if (wc->status != IB_WC_RESP_TIMEOUT_ERR) {
		kfree(packet);
		return;
	}
	packet->length = IB_MGMT_MAD_HDR;
	packet->hdr.status = ETIMEDOUT;
	queue_packet(agent->context, packet);
}

static void recv_handler(struct ib_mad_agent *agent, struct ib_mad_send_buf *send,
			 struct ib_mad_recv_wc *wc)
{
	struct ib_umad_packet *packet = kzalloc_obj(*packet);

	if (!packet) {
		ib_free_recv_mad(wc);
		return;
	}
	packet->recv_wc = wc;
	packet->length = wc->mad_len;
	packet->hdr.lid = cpu_to_be16(wc->wc->slid);
	memcpy(packet->bytes, &wc->mad, FAKE_MAD_SIZE);
	queue_packet(agent->context, packet);
}

static ssize_t fake_read(struct file *filp, char __user *buf, size_t count, loff_t *pos)
{
	struct ib_umad_file *file = filp->private_data;
	struct ib_umad_packet *packet;
	ssize_t size;

	if (file->agents_dead)
		return -EIO;
	if (list_empty(&file->recv_list))
		return -EAGAIN;
	packet = list_first_entry(&file->recv_list, struct ib_umad_packet, list);
	size = hdr_size(file) + packet->length;
	if (count < size)
		return -EINVAL;
	if (copy_to_user(buf, &packet->hdr, hdr_size(file)) ||
	    copy_to_user(buf + hdr_size(file), packet->bytes, packet->length))
		return -EFAULT;
	list_del(&packet->list);
	if (packet->recv_wc)
		ib_free_recv_mad(packet->recv_wc);
	kfree(packet);
	return size;
}

static ssize_t post(struct ib_umad_file *file, struct ib_umad_packet *packet)
{
	struct ib_mad_send_buf *send = kzalloc_obj(*send);
	struct rdma_ah_attr attr = { 0 };
	struct ib_mad_hdr *hdr;
	int err = -ENOMEM;

	if (!send)
		return err;
	rdma_ah_set_dlid(&attr, be16_to_cpu(packet->hdr.lid));
	send->ah = rdma_create_user_ah(file->agent->qp->pd, &attr, NULL);
	if (IS_ERR(send->ah)) {
		err = PTR_ERR(send->ah);
		kfree(send);
		return err;
	}
	memcpy(send->bytes, packet->bytes, FAKE_MAD_SIZE);
	send->mad = send->bytes;
	send->mad_agent = file->agent;
	send->hdr_len = IB_MGMT_MAD_HDR;
	send->data_len = FAKE_MAD_SIZE - IB_MGMT_MAD_HDR;
	send->timeout_ms = packet->hdr.timeout_ms;
	send->wr.remote_qpn = be32_to_cpu(packet->hdr.qpn);
	send->context[0] = packet;
	hdr = send->mad;
	if (!ib_response_mad(hdr))
		hdr->tid = cpu_to_be64((u64)file->agent->hi_tid << 32 |
				       (be64_to_cpup(&hdr->tid) & 0xffffffff));
	packet->msg = send;
	list_add_tail(&packet->list, &file->send_list);
	err = fake_send(send);
	if (err) {
		list_del(&packet->list);
		rdma_destroy_ah(send->ah, 0);
		kfree(send);
	}
	return err;
}

static ssize_t fake_write(struct file *filp, const char __user *buf, size_t count, loff_t *pos)
{
	struct ib_umad_file *file = filp->private_data;
	struct ib_umad_packet *packet;
	size_t size;
	int err = -EINVAL;

	if (check_sub_overflow(count, (size_t)hdr_size(file), &size) ||
	    fake_segments(size) != 1)
		return -EINVAL;
	packet = kzalloc_obj(*packet);
	if (!packet)
		return -ENOMEM;
	if (copy_from_user(&packet->hdr, buf, hdr_size(file)) ||
	    copy_from_user(packet->bytes, buf + hdr_size(file), size))
		err = -EFAULT;
	else {
		trace_ib_umad_write(file, &packet->hdr, packet->bytes);
		mutex_lock(&file->mutex);
		err = file->agent ? post(file, packet) : -EIO;
		mutex_unlock(&file->mutex);
	}
	if (err) {
		kfree(packet);
		return err;
	}
	return count;
}

static __poll_t fake_poll(struct file *filp, struct poll_table_struct *wait)
{
	struct ib_umad_file *file = filp->private_data;

	poll_wait(filp, &file->recv_wait, wait);
	if (file->agents_dead)
		return EPOLLERR;
	return EPOLLOUT | EPOLLWRNORM |
	       (list_empty(&file->recv_list) ? 0 : EPOLLIN | EPOLLRDNORM);
}

static int reg_agent(struct ib_umad_file *file, void __user *arg)
{
	struct fake_request request = { 0 };
	struct ib_mad_agent *agent;
	u8 words[28];

	if (copy_from_user(words, arg, sizeof(words)))
		return -EFAULT;
	if (file->agent) {
		dev_notice(&file->umad->dev, "one agent is all\n");
		return -ENOMEM;
	}
	request.mgmt_class = words[21];
	agent = ib_register_mad_agent(file->umad->ib_dev, 1, words[20] ? IB_QPT_GSI : IB_QPT_SMI,
				      &request, 0, send_handler, recv_handler, file, 0);
	if (IS_ERR(agent))
		return PTR_ERR(agent);
	file->agent = agent;
	return put_user(0, (u32 __user *)arg);
}

static int unreg_agent(struct ib_umad_file *file)
{
	if (!file->agent)
		return -EINVAL;
	ib_unregister_mad_agent(file->agent);
	file->agent = NULL;
	return 0;
}

static long fake_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct ib_umad_file *file = filp->private_data;
	long ret;

	switch (cmd) {
	case IB_USER_MAD_REGISTER:
		mutex_lock(&file->mutex);
		ret = reg_agent(file, (void __user *)arg);
		mutex_unlock(&file->mutex);
		return ret;
	case IB_USER_MAD_UNREGISTER:
		mutex_lock(&file->mutex);
		ret = unreg_agent(file);
		mutex_unlock(&file->mutex);
		return ret;
	case IB_USER_MAD_PKEY:
		return 0;
	default:
		return -ENOIOCTLCMD;
	}
}

static int fake_open(struct inode *inode, struct file *filp)
{
	struct fake_umad *umad = container_of(inode->i_cdev, struct fake_umad, cdev);
	struct ib_umad_file *file;

	if (!umad->ib_dev)
		return -ENXIO;
	file = kzalloc_obj(*file);
	if (!file)
		return -ENOMEM;
	INIT_LIST_HEAD(&file->recv_list);
	INIT_LIST_HEAD(&file->send_list);
	init_waitqueue_head(&file->recv_wait);
	mutex_init(&file->mutex);
	file->umad = umad;
	filp->private_data = file;
	mutex_lock(&umad->mutex);
	list_add_tail(&file->list, &umad->files);
	mutex_unlock(&umad->mutex);
	stream_open(inode, filp);
	return 0;
}

static int fake_close(struct inode *inode, struct file *filp)
{
	struct ib_umad_file *file = filp->private_data;
	struct ib_umad_packet *packet, *next;

	if (file->agent)
		ib_unregister_mad_agent(file->agent);
	list_for_each_entry_safe(packet, next, &file->recv_list, list) {
		if (packet->recv_wc)
			ib_free_recv_mad(packet->recv_wc);
		kfree(packet);
	}
	mutex_lock(&file->umad->mutex);
	list_del(&file->list);
	mutex_unlock(&file->umad->mutex);
	kfree(file);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .open = fake_open, .release = fake_close, .read = fake_read,
	.write = fake_write, .poll = fake_poll, .unlocked_ioctl = fake_ioctl,
};

static int sm_open(struct inode *inode, struct file *filp)
{
	struct fake_umad *umad = container_of(inode->i_cdev, struct fake_umad, sm_cdev);
	struct ib_port_modify props = { .set_port_cap_mask = IB_PORT_SM };
	int err;

	if (down_trylock(&umad->sm_sem))
		return -EAGAIN;
	err = ib_modify_port(umad->ib_dev, 1, 0, &props);
	if (err)
		up(&umad->sm_sem);
	filp->private_data = umad;
	return err;
}

static int sm_close(struct inode *inode, struct file *filp)
{
	struct fake_umad *umad = filp->private_data;
	struct ib_port_modify props = { .clr_port_cap_mask = IB_PORT_SM };

	if (umad->ib_dev)
		ib_modify_port(umad->ib_dev, 1, 0, &props);
	up(&umad->sm_sem);
	return 0;
}

static const struct file_operations sm_fops = { .open = sm_open, .release = sm_close };

static ssize_t ibdev_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct fake_umad *umad = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%s\n", dev_name(&umad->ib_dev->dev));
}
static DEVICE_ATTR_RO(ibdev);

static struct attribute *fake_dev_attrs[] = { &dev_attr_ibdev.attr, NULL };
ATTRIBUTE_GROUPS(fake_dev);

static ssize_t abi_version_show(const struct class *class, const struct class_attribute *attr,
				char *buf)
{
	return sysfs_emit(buf, "%d\n", IB_USER_MAD_ABI_VERSION);
}
static CLASS_ATTR_RO(abi_version);

static struct attribute *fake_attrs[] = { &class_attr_abi_version.attr, NULL };
ATTRIBUTE_GROUPS(fake);

static struct class fake_class = {
	.name = "fake", .class_groups = fake_groups, .dev_groups = fake_dev_groups,
};

static void umad_free(struct kref *kref)
{
	kfree(container_of(kref, struct fake_umad, kref));
}

static void dev_release(struct device *device)
{
	kref_put(&((struct fake_umad *)dev_get_drvdata(device))->kref, umad_free);
}

static void init_dev(struct fake_umad *umad, struct device *device, const char *name)
{
	device_initialize(device);
	kref_get(&umad->kref);
	device->class = &fake_class;
	device->parent = umad->ib_dev->dev.parent;
	device->release = dev_release;
	dev_set_drvdata(device, umad);
	dev_set_name(device, "%s%d", name, umad->number);
}

static struct ib_client umad_client;

static int umad_add(struct ib_device *device)
{
	struct fake_umad *umad = kzalloc_obj(*umad);

	if (!umad)
		return -ENOMEM;
	kref_init(&umad->kref);
	umad->ib_dev = device;
	umad->number = ida_alloc_max(&numbers, 255, GFP_KERNEL);
	if (umad->number < 0) {
		int err = umad->number;

		kfree(umad);
		return err;
	}
	mutex_init(&umad->mutex);
	sema_init(&umad->sm_sem, 1);
	INIT_LIST_HEAD(&umad->files);
	init_dev(umad, &umad->dev, "umad");
	cdev_init(&umad->cdev, &fops);
	init_dev(umad, &umad->sm_dev, "issm");
	cdev_init(&umad->sm_cdev, &sm_fops);
	ib_set_client_data(device, &umad_client, umad);
	return cdev_device_add(&umad->cdev, &umad->dev) ?:
	       cdev_device_add(&umad->sm_cdev, &umad->sm_dev);
}

static void umad_remove(struct ib_device *device, void *data)
{
	struct fake_umad *umad = data;
	struct ib_umad_file *file;

	cdev_device_del(&umad->sm_cdev, &umad->sm_dev);
	cdev_device_del(&umad->cdev, &umad->dev);
	mutex_lock(&umad->mutex);
	umad->ib_dev = NULL;
	list_for_each_entry(file, &umad->files, list) {
		file->agents_dead = true;
		wake_up_interruptible(&file->recv_wait);
		if (file->agent)
			ib_unregister_mad_agent(file->agent);
		file->agent = NULL;
	}
	mutex_unlock(&umad->mutex);
	ida_free(&numbers, umad->number);
	put_device(&umad->sm_dev);
	put_device(&umad->dev);
	kref_put(&umad->kref, umad_free);
}

static struct ib_client umad_client = { .name = "umad", .add = umad_add, .remove = umad_remove };

static int __init fake_init(void)
{
	return class_register(&fake_class) ?: ib_register_client(&umad_client);
}

static void __exit fake_exit(void)
{
	ib_unregister_client(&umad_client);
	class_unregister(&fake_class);
}

module_init(fake_init);
module_exit(fake_exit);

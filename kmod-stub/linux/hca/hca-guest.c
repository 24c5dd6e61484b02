/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: /dev/umadrig_guest, by which the init of a guest gets its orders, and tells what
 * became of them. Messages pass through; what they mean is init's business.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "hca.h"

static DEFINE_MUTEX(owners);
static struct hca_fabric *owner;	/* whose messages they are; under owners */
static DEFINE_SPINLOCK(lock);		/* of what follows */
static LIST_HEAD(waiting);		/* messages for init */
static size_t waiting_size;
static bool is_there, is_open;
static DECLARE_WAIT_QUEUE_HEAD(readers);

int hca_guest_receive(const struct umadrig_hca_header *header, size_t size)
{
	struct hca_message *message = kmalloc(sizeof(message->entry) + size, GFP_ATOMIC);
	unsigned long flags;
	int ret = 0;

	if (!message)
		return -ENOMEM;
	memcpy(&message->header, header, size);
	spin_lock_irqsave(&lock, flags);
	if (!is_there || waiting_size + size > UMADRIG_GUEST_QUEUE_MAX) {
		ret = -ENOBUFS;
	} else {
		list_add_tail(&message->entry, &waiting);
		waiting_size += size;
	}
	spin_unlock_irqrestore(&lock, flags);
	if (ret < 0)
		kfree(message);
	else
		wake_up_interruptible(&readers);
	return ret;
}

static struct hca_message *take(size_t room, bool *ret_is_long)
{
	struct hca_message *message;
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	message = list_first_entry_or_null(&waiting, struct hca_message, entry);
	*ret_is_long = message && le32_to_cpu(message->header.length) > room;
	if (*ret_is_long)
		message = NULL;
	if (message) {
		list_del(&message->entry);
		waiting_size -= le32_to_cpu(message->header.length);
	}
	spin_unlock_irqrestore(&lock, flags);
	return message;
}

/* ---- the file ---- */

static int open(struct inode *inode, struct file *file)
{
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&lock, flags);
	if (!is_there)
		ret = -ENODEV;
	else if (is_open)
		ret = -EBUSY;
	else
		is_open = true;
	spin_unlock_irqrestore(&lock, flags);
	return ret < 0 ? ret : stream_open(inode, file);
}

static int release(struct inode *inode, struct file *file)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	is_open = false;
	spin_unlock_irqrestore(&lock, flags);
	return 0;
}

/* One message. */
static ssize_t read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct hca_message *message;
	bool is_long, failed;
	u32 length;

	while (!(message = take(size, &is_long))) {
		if (is_long)
			return -EMSGSIZE;
		if (!READ_ONCE(is_there))
			return 0;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(readers, !list_empty_careful(&waiting) ||
						      !READ_ONCE(is_there)))
			return -ERESTARTSYS;
	}
	length = le32_to_cpu(message->header.length);
	failed = copy_to_user(to, &message->header, length);
	kfree(message);
	if (failed)
		return -EFAULT;
	return length;
}

static int send(struct hca_message *message)
{
	int ret = -ENOTCONN;

	mutex_lock(&owners);
	if (owner)
		ret = hca_send(owner, message);
	else
		kfree(message);
	mutex_unlock(&owners);
	return ret;
}

static ssize_t write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	struct hca_message *message;
	int ret;

	if (size < sizeof(message->header) || size > UMADRIG_HCA_UP_MAX)
		return -EINVAL;
	message = kmalloc(sizeof(message->entry) + size, GFP_KERNEL);
	if (!message)
		return -ENOMEM;
	if (copy_from_user(&message->header, from, size)) {
		kfree(message);
		return -EFAULT;
	}
	if (le32_to_cpu(message->header.length) != size ||
	    message->header.version != UMADRIG_HCA_VERSION ||
	    message->header.type < UMADRIG_HCA_GUEST_FIRST) {
		kfree(message);
		return -EINVAL;
	}
	ret = send(message);
	return ret < 0 ? ret : size;
}

static __poll_t poll(struct file *file, poll_table *table)
{
	__poll_t ret = EPOLLOUT | EPOLLWRNORM;

	poll_wait(file, &readers, table);
	if (!list_empty_careful(&waiting))
		ret |= EPOLLIN | EPOLLRDNORM;
	if (!READ_ONCE(is_there))
		ret |= EPOLLIN | EPOLLHUP;
	return ret;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = open,
	.release = release,
	.read = read,
	.write = write,
	.poll = poll,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "umadrig_guest",
	.fops = &operations,
	.mode = 0600,
};

static void set_there(bool is)
{
	struct hca_message *message, *next;
	unsigned long flags;
	LIST_HEAD(dropped);

	spin_lock_irqsave(&lock, flags);
	WRITE_ONCE(is_there, is);
	list_splice_init(&waiting, &dropped);
	waiting_size = 0;
	spin_unlock_irqrestore(&lock, flags);
	wake_up_interruptible(&readers);
	list_for_each_entry_safe(message, next, &dropped, entry)
		kfree(message);
}

int hca_guest_open(struct hca_fabric *fabric)
{
	int ret = -EBUSY;

	mutex_lock(&owners);
	if (!owner)
		ret = misc_register(&device);
	if (ret == 0) {
		owner = fabric;
		set_there(true);
	}
	mutex_unlock(&owners);
	return ret;
}

void hca_guest_close(struct hca_fabric *fabric)
{
	mutex_lock(&owners);
	if (owner == fabric) {
		set_there(false);
		owner = NULL;
		misc_deregister(&device);
	}
	mutex_unlock(&owners);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: /dev/umadrig_hca, by which a program is the fabric of HCAs of its own machine. One
 * program at a time has it open; while none has, all cables are out.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "hca.h"

enum { WAITING_MAX = 65536 };	/* messages */

static struct hca_fabric fabric;
static DEFINE_SPINLOCK(lock);	/* of what follows */
static LIST_HEAD(waiting);	/* messages that go up */
static u32 waiting_count;
static bool is_open;
static DECLARE_WAIT_QUEUE_HEAD(readers);
static DEFINE_MUTEX(reading);	/* messages are read whole and in their order */

static bool file_enabled = true;
module_param_named(file, file_enabled, bool, 0444);
MODULE_PARM_DESC(file, "make /dev/" HCA_NAME);

static int send(struct hca_fabric *to, struct hca_message *message)
{
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&lock, flags);
	if (!is_open) {
		ret = -ENOTCONN;
	} else if (waiting_count >= WAITING_MAX) {
		ret = -ENOBUFS;
	} else {
		list_add_tail(&message->entry, &waiting);
		waiting_count++;
	}
	spin_unlock_irqrestore(&lock, flags);
	if (ret < 0) {
		atomic64_inc(&to->up_dropped);
		kfree(message);
		return ret;
	}
	wake_up_interruptible(&readers);
	return 0;
}

static const struct hca_transport transport = { .send = send };

static void drop_waiting(void)
{
	struct hca_message *message, *next;
	unsigned long flags;
	LIST_HEAD(dropped);

	spin_lock_irqsave(&lock, flags);
	list_splice_init(&waiting, &dropped);
	waiting_count = 0;
	spin_unlock_irqrestore(&lock, flags);
	list_for_each_entry_safe(message, next, &dropped, entry)
		kfree(message);
}

/* ---- the file ---- */

static int open(struct inode *inode, struct file *file)
{
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&lock, flags);
	if (is_open)
		ret = -EBUSY;
	else
		is_open = true;
	spin_unlock_irqrestore(&lock, flags);
	if (ret < 0)
		return ret;
	hca_fabric_attach(&fabric);
	return stream_open(inode, file);
}

static int release(struct inode *inode, struct file *file)
{
	unsigned long flags;

	hca_fabric_detach(&fabric);
	drop_waiting();
	spin_lock_irqsave(&lock, flags);
	is_open = false;
	spin_unlock_irqrestore(&lock, flags);
	drop_waiting();		/* what came in between */
	return 0;
}

/*
 * The next message, if it fits into 'room' bytes; to be freed. NULL: there is none, or it does
 * not.
 */
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
		waiting_count--;
	}
	spin_unlock_irqrestore(&lock, flags);
	return message;
}

/* As many whole messages as there are, and fit. 0: there are none. */
static ssize_t read_what_is_there(char __user *to, size_t size)
{
	struct hca_message *message;
	size_t done = 0;
	bool is_long;

	while ((message = take(size - done, &is_long))) {
		u32 length = le32_to_cpu(message->header.length);
		bool failed = copy_to_user(to + done, &message->header, length);

		kfree(message);
		if (failed)
			return -EFAULT;
		done += length;
	}
	return done || !is_long ? done : -EMSGSIZE;
}

static ssize_t read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	ssize_t ret;

	for (;;) {
		if (mutex_lock_interruptible(&reading))
			return -ERESTARTSYS;
		ret = read_what_is_there(to, size);
		mutex_unlock(&reading);
		if (ret != 0)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(readers, !list_empty_careful(&waiting)))
			return -ERESTARTSYS;
	}
}

/* One message of 'size' bytes at most; its length, or -errno. */
static ssize_t write_one(u8 *copied, const char __user *from, size_t size)
{
	struct umadrig_hca_header header;
	u32 length;
	int ret;

	if (size < sizeof(header))
		return -EINVAL;
	if (copy_from_user(&header, from, sizeof(header)))
		return -EFAULT;
	length = le32_to_cpu(header.length);
	if (length < sizeof(header) || length > UMADRIG_HCA_DOWN_MAX || length > size)
		return -EINVAL;
	if (copy_from_user(copied, from, length))
		return -EFAULT;
	/* Another thread may have changed it in between. */
	memcpy(copied, &header, sizeof(header));
	ret = hca_fabric_receive(&fabric, (const struct umadrig_hca_header *)copied, length);
	if (ret < 0)
		return ret;
	return length;
}

/* Whole messages, as many as there are. Less is written where one fails: it is the next one. */
static ssize_t write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	u8 *copied = kmalloc(UMADRIG_HCA_DOWN_MAX, GFP_KERNEL);
	size_t done = 0;
	ssize_t ret = 0;

	if (!copied)
		return -ENOMEM;
	do {
		ret = write_one(copied, from + done, size - done);
		if (ret > 0)
			done += ret;
	} while (ret > 0 && done < size);
	kfree(copied);
	return done ? done : ret;
}

static __poll_t poll(struct file *file, poll_table *table)
{
	__poll_t ret = EPOLLOUT | EPOLLWRNORM;

	poll_wait(file, &readers, table);
	if (!list_empty_careful(&waiting))
		ret |= EPOLLIN | EPOLLRDNORM;
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
	.name = HCA_NAME,
	.fops = &operations,
	.mode = 0600,
};

int hca_file_init(void)
{
	hca_fabric_init(&fabric, &transport);
	return file_enabled ? misc_register(&device) : 0;
}

/* Nobody has it open: an open file keeps the module. */
void hca_file_exit(void)
{
	if (file_enabled)
		misc_deregister(&device);
	hca_fabric_clear(&fabric);
	drop_waiting();
}

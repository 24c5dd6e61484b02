/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A umad file: see linux-umad.h.
 */
#include "kmod-stub/linux/linux-umad.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/linux/linux-drop.h"
#include "kmod-stub/linux/linux-port.h"
#include "kmod-stub/linux/linux-processors.h"
#include "kmod-stub/linux/user-mad-door.h"

struct kmod_file {
	const struct kmod_kernel *kernel;
	struct list_head entry;		/* of its port */
	struct kmod_port *port;
	void *owner;
	struct device *device;		/* with a reference, as an open file has one */
	struct inode inode;
	struct file file;

	struct kmod_usage *usage;	/* NULL: not counted */
	size_t received;		/* of 'usage': this file's part */
};
_Static_assert(offsetof(struct kmod_file, kernel) == 0, "a file begins with its kernel");

/* Approximately what the kernel has beside the bytes of a send, or of a message. */
enum {
	SEND_COST = 640,
	MESSAGE_COST = 400,
};

static struct kmod_file *opening;
struct linux_umad_receipt *linux_umad_receipt;

/* ---- for the kernel's side ---- */

struct kmod_file *linux_umad_opening(void)
{
	return opening;
}

const struct kmod_port *linux_umad_port(const struct kmod_file *file)
{
	return file->port;
}

void linux_umad_woken(struct kmod_file *file)
{
	const struct kmod_host *host = file->port->host;

	if (linux_umad_receipt && linux_umad_receipt->file == file)
		linux_umad_receipt->is_queued = true;
	host->ops->wake(host->ctx, file->owner);
}

bool linux_umad_may_receive(struct kmod_file *file)
{
	const struct kmod_usage *usage = file->usage;

	if (!usage || usage->received < usage->received_max)
		return true;
	linux_drop_because("the program has too much that it does not read");
	return false;
}

void linux_umad_receiving(struct linux_umad_receipt *receipt, struct kmod_file *file, size_t size)
{
	*receipt = (struct linux_umad_receipt){ file, size, false, linux_umad_receipt };
	linux_umad_receipt = receipt;
}

void linux_umad_received(struct linux_umad_receipt *receipt)
{
	struct kmod_file *file = receipt->file;
	struct kmod_usage *usage = file->usage;
	size_t cost = receipt->size + MESSAGE_COST;

	linux_umad_receipt = receipt->outer;
	if (!receipt->is_queued)
		return;
	linux_drop_used();
	if (!usage)
		return;
	usage->received += cost;
	file->received += cost;
	if (usage->received > usage->peak)
		usage->peak = usage->received;
}

void linux_umad_sent(struct kmod_file *file, size_t size, uint64_t tid, uint8_t mgmt_class)
{
	const struct kmod_host *host = file->port->host;

	if (file->usage)
		file->usage->sending -= size + SEND_COST;
	if (host->ops->send_over)
		host->ops->send_over(host->ctx, file->owner, tid, mgmt_class);
}

/* ---- open and close ---- */

int linux_file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file)
{
	struct linux_entry entry = linux_enter(port->host);
	struct cdev *cdev = linux_port_cdev(port, "umad");
	struct kmod_file *file = cdev ? calloc(1, sizeof(*file)) : NULL;
	int err = cdev ? -ENOMEM : -ENXIO;

	if (file) {
		file->kernel = port->kernel;
		file->port = port;
		file->owner = owner;
		file->inode.i_cdev = cdev;
		file->file.f_flags = O_RDWR | O_NONBLOCK;
		opening = file;
		linux_processors_begin(port->host, NULL, NULL);
		err = cdev->ops->open(&file->inode, &file->file);
		opening = NULL;
	}
	if (!err) {
		file->device = get_device(cdev->device);
		list_add_tail(&file->entry, &port->files);
		*ret_file = file;
	} else {
		free(file);
	}
	linux_leave(entry);
	return err;
}

void linux_file_close(struct kmod_file *file)
{
	struct kmod_port *port = file->port;
	struct linux_entry entry = linux_enter(port->host);

	linux_processors_begin(port->host, NULL, NULL);
	file->inode.i_cdev->ops->release(&file->inode, &file->file);
	linux_processors_drain();
	if (file->usage)
		file->usage->received -= file->received;
	put_device(file->device);
	list_del(&file->entry);
	free(file);
	linux_port_release(port);
	linux_leave(entry);
}

void linux_file_set_usage(struct kmod_file *file, struct kmod_usage *usage)
{
	file->usage = usage;
}

/* ---- ioctl and write ---- */

int linux_file_ioctl(struct kmod_file *file, unsigned long request, void *arg)
{
	struct linux_entry entry = linux_enter(file->port->host);
	long ret;

	linux_processors_begin(file->port->host, NULL, NULL);
	ret = file->inode.i_cdev->ops->unlocked_ioctl(&file->file, (unsigned int)request,
						      (unsigned long)arg);
	linux_leave(entry);
	return ret == -ENOIOCTLCMD ? -ENOTTY : (int)ret;
}

static long write_counted(struct kmod_file *file, const void *buf, size_t count)
{
	struct kmod_usage *usage = file->usage;
	size_t header_size = user_mad_door_header_size(file->file.private_data);
	size_t cost = count - header_size + SEND_COST;
	long n;

	if (usage && count > header_size && usage->sending + cost > usage->sending_max)
		return -ENOMEM;
	n = file->inode.i_cdev->ops->write(&file->file, buf, count, NULL);
	if (!usage || n < 0)
		return n;
	usage->sending += cost;
	if (usage->sending > usage->peak)
		usage->peak = usage->sending;
	return n;
}

long linux_file_write(struct kmod_file *file, const void *buf, size_t count)
{
	struct linux_entry entry = linux_enter(file->port->host);
	long n;

	linux_processors_begin(file->port->host, NULL, NULL);
	n = write_counted(file, buf, count);
	linux_leave(entry);
	return n;
}

long linux_file_write_lent(struct kmod_file *file, const void *buf, size_t count,
			   struct kmod_loan *loan)
{
	long n = linux_file_write(file, buf, count);

	if (loan)
		loan->release(loan);
	return n;
}

/* ---- read and poll ---- */

/* Something has been read: it takes no memory any more, and the queue may be empty. */
static void has_read(struct kmod_file *file, size_t count)
{
	const struct kmod_host *host = file->port->host;
	const void *private = file->file.private_data;
	size_t cost = count - user_mad_door_header_size(private) + MESSAGE_COST;

	if (file->usage) {
		file->usage->received -= cost;
		file->received -= cost;
	}
	if (user_mad_door_next(private) == USER_MAD_NOTHING)
		host->ops->wake(host->ctx, file->owner);
}

static long read_counted(struct kmod_file *file, void *buf, size_t count)
{
	long n = file->inode.i_cdev->ops->read(&file->file, buf, count, NULL);

	if (n > 0)
		has_read(file, (size_t)n);
	return n;
}

long linux_file_read(struct kmod_file *file, void *buf, size_t count)
{
	struct linux_entry entry = linux_enter(file->port->host);
	long n;

	linux_processors_begin(file->port->host, NULL, NULL);
	n = read_counted(file, buf, count);
	linux_leave(entry);
	return n;
}

unsigned int linux_file_poll(const struct kmod_file *file)
{
	struct linux_entry entry = linux_enter(file->port->host);
	struct file *open_file = (struct file *)(uintptr_t)&file->file;
	unsigned int mask = file->inode.i_cdev->ops->poll(open_file, NULL);

	linux_leave(entry);
	return mask;
}

bool linux_file_readable(const struct kmod_file *file)
{
	return linux_file_poll(file) & (POLLIN | POLLERR);
}

/* ---- messages that are read in pieces ---- */

struct kmod_message {
	const struct kmod_kernel *kernel;
	struct kmod_usage *usage;	/* NULL: not counted */
	size_t size, at;
	uint8_t bytes[];
};
_Static_assert(offsetof(struct kmod_message, kernel) == 0, "a message begins with its kernel");

struct kmod_message *linux_file_take(struct kmod_file *file)
{
	struct linux_entry entry = linux_enter(file->port->host);
	const void *private = file->file.private_data;
	struct kmod_message *message = NULL;
	size_t size;
	long n = -EAGAIN;

	if (user_mad_door_next(private) == USER_MAD_MESSAGE) {
		size = user_mad_door_next_size(private);
		message = calloc(1, sizeof(*message) + size);
		if (message)
			n = read_counted(file, message->bytes, size);
	}
	if (n < 0) {
		free(message);
		message = NULL;
	} else {
		message->kernel = file->kernel;
		message->usage = file->usage;
		message->size = (size_t)n;
		if (message->usage)
			message->usage->received += message->size;
	}
	linux_leave(entry);
	return message;
}

size_t linux_message_read(struct kmod_message *message, void *buf, size_t count)
{
	size_t left = message->size - message->at;

	if (count > left)
		count = left;
	memcpy(buf, message->bytes + message->at, count);
	message->at += count;
	return count;
}

void linux_message_free(struct kmod_message *message)
{
	if (message->usage)
		message->usage->received -= message->size;
	free(message);
}

/* ---- the end of requests ---- */

unsigned int linux_port_expire(struct kmod_port *port, uint64_t tid, uint8_t mgmt_class)
{
	struct linux_entry entry = linux_enter(port->host);
	struct kmod_file *file;
	unsigned int count = 0;

	list_for_each_entry(file, &port->files, entry)
		count += user_mad_door_expire(file->file.private_data, tid, mgmt_class);
	if (count > 0)
		linux_work_flush(port->host);
	linux_leave(entry);
	return count;
}

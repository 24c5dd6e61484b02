/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/kmsg-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/file-buffer.h"
#include "harness/filter/host-view.h"
#include "harness/filter/kernel-reader.h"
#include "harness/filter/kernel-ring-read.h"
#include "lib/base/descriptor-ioctl.h"
#include "lib/base/kernel-ring.h"

static int put(struct kernel_reader *reader, const char *record, size_t size)
{
	return kernel_reader_send(reader, record, size);
}

static const struct kernel_reader_kind messages = { .ring = KERNEL_MESSAGES, .put = put };

/* ---- open ---- */

static void say_read_only(pid_t tid)
{
	static bool said;

	if (!said)
		fprintf(stderr, "umadrig: process %d opens /dev/kmsg for reading and writing: that "
			"fails (EACCES), for simulated messages can only be read\n", (int)tid);
	said = true;
}

long kmsg_open(struct supervisor *supervisor, const struct seccomp_notif *call,
	       struct host_view *view, int flags)
{
	struct kernel_reader *reader;
	int r = -EACCES;

	if ((flags & O_ACCMODE) == O_RDONLY)
		r = kernel_reader_give(supervisor, call, view, &messages,
				       kernel_ring_first(host_view_values(view), KERNEL_MESSAGES),
				       flags, &reader);
	else
		say_read_only((pid_t)call->pid);
	return r < 0 ? r : CALL_ANSWERED;
}

static struct kernel_reader *find(struct supervisor *supervisor, pid_t tid, int fd)
{
	struct kernel_reader *reader = kernel_reader_find(supervisor, tid, fd);

	return reader && reader->kind == &messages ? reader : NULL;
}

bool kmsg_is(struct supervisor *supervisor, pid_t tid, int fd)
{
	return find(supervisor, tid, fd);
}

/* ---- read ---- */

/* Takes a record for which there is too little room out of the socket, as the kernel does. */
static long skip_large(const struct seccomp_notif *call, uint64_t room)
{
	int fd = descriptor_copy((pid_t)call->pid, (int)call->data.args[0]);
	char byte;
	ssize_t size;
	long ret = CALL_GOES_ON;

	if (fd < 0)
		return ret;
	size = recv(fd, &byte, sizeof(byte), MSG_DONTWAIT | MSG_PEEK | MSG_TRUNC);
	if (size > 0 && (uint64_t)size > room) {
		recv(fd, &byte, sizeof(byte), MSG_DONTWAIT);
		ret = -EINVAL;
	}
	close(fd);
	return ret;
}

static long read_record(struct kernel_reader *reader, const struct seccomp_notif *call,
			uint64_t room)
{
	kernel_reader_pump(reader);
	if (!kernel_reader_has_unread(reader)) {
		if (reader->has_lost) {
			reader->has_lost = false;
			return -EPIPE;
		}
		kernel_reader_note_sleeper(reader, call);
		return CALL_GOES_ON;
	}
	return room < KERNEL_RECORD_MAX ? skip_large(call, room) : CALL_GOES_ON;
}

static long on_call(struct kernel_reader *reader, const struct seccomp_notif *call)
{
	struct iovec parts[UIO_MAXIOV];
	uint64_t room = 0;
	long count;

	switch (call->data.nr) {
	case SYS_read:
		return read_record(reader, call, call->data.args[2]);
	case SYS_readv:
		count = file_get_parts(call, parts);
		for (long i = 0; i < count; i++)
			room += parts[i].iov_len;
		return count < 0 ? count : read_record(reader, call, room);
	case SYS_ioctl:
		return descriptor_ioctl_is((uint32_t)call->data.args[1]) ? CALL_GOES_ON :
									   -ENOTTY;
	}
	return -EBADF;
}

long kmsg_on_call(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct kernel_reader *reader = find(supervisor, (pid_t)call->pid, (int)call->data.args[0]);
	long result;

	if (!reader)
		return CALL_OF_ANOTHER;
	view_file_hold(&reader->common);
	result = on_call(reader, call);
	view_file_release(&reader->common);
	return result;
}

/* ---- lseek ---- */

/* What is in the socket is of the place where it was. 0, or -ESPIPE: no copy can be had of it. */
static long empty(const struct seccomp_notif *call)
{
	int fd = descriptor_copy((pid_t)call->pid, (int)call->data.args[0]);
	char byte;

	if (fd < 0)
		return -ESPIPE;
	while (recv(fd, &byte, sizeof(byte), MSG_DONTWAIT) >= 0)
		;
	close(fd);
	return 0;
}

static long seek(struct supervisor *supervisor, struct kernel_reader *reader,
		 const struct seccomp_notif *call)
{
	int shown = view_file_values(&reader->common);
	uint64_t next;
	long r;

	if (call->data.args[1] != 0)
		return -ESPIPE;
	switch ((int)call->data.args[2]) {
	case SEEK_SET:
		next = kernel_ring_first(shown, KERNEL_MESSAGES);
		break;
	case SEEK_DATA:
		next = MAX(kernel_readers_cleared(supervisor->kernel, reader->common.host),
			   kernel_ring_first(shown, KERNEL_MESSAGES));
		break;
	case SEEK_END:
		next = kernel_ring_count(shown, KERNEL_MESSAGES);
		break;
	default:
		return -EINVAL;
	}
	r = empty(call);
	if (r < 0)
		return r;
	reader->next = next;
	reader->has_lost = false;
	kernel_reader_pump(reader);
	return 0;
}

long kmsg_on_lseek(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct kernel_reader *reader = find(supervisor, (pid_t)call->pid, (int)call->data.args[0]);
	long result;

	if (!reader)
		return CALL_GOES_ON;
	view_file_hold(&reader->common);
	result = seek(supervisor, reader, call);
	view_file_release(&reader->common);
	return result;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uevent-receive.h"

#include <errno.h>
#include <glib.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness/filter/file-buffer.h"
#include "harness/filter/kernel-reader.h"
#include "harness/filter/memory.h"
#include "harness/filter/program-descriptor.h"
#include "harness/filter/supervisor.h"
#include "lib/base/kernel-ring.h"

enum {
	MESSAGE_MAX = 2 * KERNEL_RECORD_MAX,	/* udev's has more than the kernel's */
	UDEV_NUMBER = 1,			/* any but 0, which is the kernel's */
};

/* Where a program wants a message, and all that comes with it. */
struct wanted {
	struct iovec parts[UIO_MAXIOV];
	size_t count;
	int flags;
	/* recvfrom: the address, and the address of its size. */
	uint64_t name_at, name_size_at;
	/* recvmsg */
	uint64_t header_at;
	struct msghdr header;
};

struct message {
	uint8_t bytes[MESSAGE_MAX];
	size_t size;
	bool wants_credentials;		/* SO_PASSCRED */
};

/* ---- what is wanted ---- */

static long read_recvfrom(const struct seccomp_notif *call, struct wanted *ret)
{
	const __u64 *args = call->data.args;
	size_t size;
	long r = file_check_buffer(args[1], args[2], &size);

	ret->parts[0] = (struct iovec){ (void *)(uintptr_t)args[1], size };
	ret->count = 1;
	ret->flags = (int)args[3];
	ret->name_at = args[4];
	ret->name_size_at = args[5];
	return r;
}

static long read_recvmsg(const struct seccomp_notif *call, struct wanted *ret)
{
	pid_t tid = (pid_t)call->pid;
	long r = memory_read(tid, call->data.args[1], &ret->header, sizeof(ret->header));

	if (r < 0)
		return r;
	if (ret->header.msg_iovlen > UIO_MAXIOV)
		return -EMSGSIZE;
	ret->header_at = call->data.args[1];
	ret->flags = (int)call->data.args[2];
	ret->count = ret->header.msg_iovlen;
	ret->name_at = (uintptr_t)ret->header.msg_name;
	return memory_read(tid, (uintptr_t)ret->header.msg_iov, ret->parts,
			   ret->count * sizeof(*ret->parts));
}

/* ---- what there is ---- */

/* Takes the next message of 'fd', a copy of the program's socket. 0, or -EAGAIN: there is none. */
static int take(int fd, int flags, struct message *ret)
{
	socklen_t size = sizeof(int);
	int passes = 0;
	ssize_t n = recv(fd, ret->bytes, sizeof(ret->bytes), MSG_DONTWAIT | (flags & MSG_PEEK));

	if (n < 0)
		return -errno;
	if (getsockopt(fd, SOL_SOCKET, SO_PASSCRED, &passes, &size) == 0)
		ret->wants_credentials = passes;
	ret->size = (size_t)n;
	return 0;
}

static long write_parts(pid_t tid, const struct wanted *wanted, const struct message *message)
{
	size_t done = 0;

	for (size_t i = 0; i < wanted->count && done < message->size; i++) {
		size_t size = MIN(wanted->parts[i].iov_len, message->size - done);
		int r = memory_write(tid, (uintptr_t)wanted->parts[i].iov_base,
				     message->bytes + done, size);

		if (r < 0)
			return r;
		done += size;
	}
	return (long)done;
}

/* Whose message it is. */
static struct sockaddr_nl sender_of(const struct message *message)
{
	static const char udev[] = "libudev";
	bool is_udev = message->size > sizeof(udev) &&
		       memcmp(message->bytes, udev, sizeof(udev)) == 0;

	return (struct sockaddr_nl){
		.nl_family = AF_NETLINK, .nl_pid = is_udev ? UDEV_NUMBER : 0,
		.nl_groups = is_udev ? UEVENT_GROUP_UDEV : UEVENT_GROUP_KERNEL,
	};
}

static long write_name(pid_t tid, const struct sockaddr_nl *name, uint64_t to, int room)
{
	return to && room > 0 ? memory_write(tid, to, name, MIN((size_t)room, sizeof(*name))) : 0;
}

/* Both are root's. */
static long write_credentials(pid_t tid, const struct sockaddr_nl *name, struct wanted *wanted)
{
	struct ucred credentials = { .pid = (pid_t)name->nl_pid };
	uint8_t bytes[CMSG_SPACE(sizeof(credentials))] = { 0 };
	struct cmsghdr head = {
		.cmsg_len = CMSG_LEN(sizeof(credentials)),
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_CREDENTIALS,
	};
	struct msghdr *header = &wanted->header;
	long r;

	if (header->msg_controllen < sizeof(bytes)) {
		header->msg_flags |= MSG_CTRUNC;
		header->msg_controllen = 0;
		return 0;
	}
	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + CMSG_LEN(0), &credentials, sizeof(credentials));
	r = memory_write(tid, (uintptr_t)header->msg_control, bytes, sizeof(bytes));
	header->msg_controllen = sizeof(bytes);
	return r;
}

/* What recvmsg changes in its header. */
static long write_header(pid_t tid, struct wanted *wanted, const struct message *message,
			 const struct sockaddr_nl *name, size_t done)
{
	struct msghdr *header = &wanted->header;
	long r = write_name(tid, name, wanted->name_at, (int)header->msg_namelen);

	header->msg_flags = done < message->size ? MSG_TRUNC : 0;
	if (header->msg_name)
		header->msg_namelen = sizeof(*name);
	if (r == 0 && message->wants_credentials)
		r = write_credentials(tid, name, wanted);
	else
		header->msg_controllen = 0;
	return r < 0 ? r : memory_write(tid, wanted->header_at, header, sizeof(*header));
}

static long write_message(pid_t tid, struct wanted *wanted, const struct message *message)
{
	const struct sockaddr_nl name = sender_of(message);
	long done = write_parts(tid, wanted, message), r = 0;
	int room = 0, whole = sizeof(name);

	if (done < 0)
		return done;
	if (wanted->header_at) {
		r = write_header(tid, wanted, message, &name, (size_t)done);
	} else if (wanted->name_at) {
		r = memory_read(tid, wanted->name_size_at, &room, sizeof(room));
		if (r == 0)
			r = write_name(tid, &name, wanted->name_at, room);
		if (r == 0)
			r = memory_write(tid, wanted->name_size_at, &whole, sizeof(whole));
	}
	if (r < 0)
		return r;
	return wanted->flags & MSG_TRUNC ? (long)message->size : done;
}

/* ---- all ---- */

static long receive(struct supervisor *supervisor, struct kernel_reader *reader,
		    const struct seccomp_notif *call, struct wanted *wanted)
{
	struct message message = { .size = 0 };
	int fd = descriptor_copy((pid_t)call->pid, (int)call->data.args[0]), r;

	/* No copy can be had: the kernel gives the message, with an address that says less. */
	if (fd < 0)
		return CALL_GOES_ON;
	if (!kernel_reader_has_unread(reader)) {
		close(fd);
		kernel_reader_note_sleeper(reader, call);
		return CALL_GOES_ON;
	}
	if (!listener_begin_once(supervisor->listener, call)) {
		close(fd);
		return CALL_GOES_ON;
	}
	r = take(fd, wanted->flags, &message);
	close(fd);
	return r < 0 ? r : write_message((pid_t)call->pid, wanted, &message);
}

/* Some were there no longer when there was room again: Linux says so once. */
static bool has_missed(struct kernel_reader *reader)
{
	if (!reader->has_lost || kernel_reader_has_unread(reader))
		return false;
	reader->has_lost = false;
	kernel_reader_pump(reader);
	return true;
}

long uevent_receive(struct supervisor *supervisor, struct kernel_reader *reader,
		    const struct seccomp_notif *call)
{
	struct wanted wanted = { .count = 0 };
	long r;

	if (!kernel_reader_has_unread(reader))
		kernel_reader_pump(reader);
	if (has_missed(reader))
		return -ENOBUFS;
	switch (call->data.nr) {
	case SYS_recvfrom:
		r = read_recvfrom(call, &wanted);
		break;
	case SYS_recvmsg:
		r = read_recvmsg(call, &wanted);
		break;
	default:
		return CALL_GOES_ON;
	}
	if (r < 0)
		return r;
	if (!wanted.name_at && !wanted.header.msg_control)
		return CALL_GOES_ON;
	return receive(supervisor, reader, call, &wanted);
}

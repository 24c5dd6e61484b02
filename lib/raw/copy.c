/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What gives a program another descriptor of the same file, and does what libc's does: dup and its
 * relatives, fcntl, and messages that carry descriptors. And what closes one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/raw/descriptor.h"
#include "lib/raw/issm-device.h"
#include "lib/raw/netlink-socket.h"
#include "lib/raw/raw.h"

typedef int fcntl_fn(int fd, int command, ...);

static struct {
	int (*close)(int fd);
	int (*dup)(int fd);
	int (*dup2)(int fd, int to);
	int (*dup3)(int fd, int to, int flags);
	fcntl_fn *fcntl, *fcntl64;
	ssize_t (*recvmsg)(int fd, struct msghdr *message, int flags);
	int (*recvmmsg)(int fd, struct mmsghdr *messages, unsigned int count, int flags,
			struct timespec *timeout);
} next;

__attribute__((constructor))
static void find_next(void)
{
	*(void **)&next.close = raw_next("close");
	*(void **)&next.dup = raw_next("dup");
	*(void **)&next.dup2 = raw_next("dup2");
	*(void **)&next.dup3 = raw_next("dup3");
	*(void **)&next.fcntl = raw_next("fcntl");
	*(void **)&next.fcntl64 = raw_next("fcntl64");
	*(void **)&next.recvmsg = raw_next("recvmsg");
	*(void **)&next.recvmmsg = raw_next("recvmmsg");
}

int close(int fd)
{
	bool was_issm = descriptor_was_issm(fd);
	int ret;

	/* The number may be another file's by the time that it has been closed. */
	if (was_issm)
		descriptor_received(fd);
	ret = next.close ? next.close(fd) : (int)syscall(SYS_close, fd);
	if (was_issm)
		issm_device_closed();
	return ret;
}

int dup(int fd)
{
	int ret = next.dup ? next.dup(fd) : (int)syscall(SYS_dup, fd);

	descriptor_copied(fd, ret);
	return ret;
}

int dup2(int fd, int to)
{
	bool was_issm = fd != to && descriptor_was_issm(to);
	int ret;

	if (next.dup2)
		ret = next.dup2(fd, to);
	else if (fd == to)
		ret = syscall(SYS_fcntl, fd, F_GETFD) < 0 ? -1 : to;
	else
		ret = (int)syscall(SYS_dup3, fd, to, 0);
	descriptor_copied(fd, ret);
	if (was_issm)
		issm_device_closed();
	return ret;
}

int dup3(int fd, int to, int flags)
{
	bool was_issm = descriptor_was_issm(to);
	int ret = next.dup3 ? next.dup3(fd, to, flags) : (int)syscall(SYS_dup3, fd, to, flags);

	descriptor_copied(fd, ret);
	if (was_issm)
		issm_device_closed();
	return ret;
}

static int control(fcntl_fn *function, int fd, int command, void *argument)
{
	int ret = function ? function(fd, command, argument) :
			     (int)syscall(SYS_fcntl, fd, command, argument);

	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		descriptor_copied(fd, ret);
	return ret;
}

int fcntl(int fd, int command, ...)
{
	void *argument;
	va_list list;

	va_start(list, command);
	argument = va_arg(list, void *);
	va_end(list);
	return control(next.fcntl, fd, command, argument);
}

/* What fcntl() is with _FILE_OFFSET_BITS=64. */
int fcntl64(int fd, int command, ...)
{
	void *argument;
	va_list list;

	va_start(list, command);
	argument = va_arg(list, void *);
	va_end(list);
	return control(next.fcntl64 ? next.fcntl64 : next.fcntl, fd, command, argument);
}

static void note_received(struct msghdr *message)
{
	struct cmsghdr *part;

	if (message->msg_controllen == 0)
		return;
	for (part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
		size_t size = part->cmsg_len - CMSG_LEN(0);

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; at + sizeof(int) <= size; at += sizeof(int)) {
			int fd;

			memcpy(&fd, CMSG_DATA(part) + at, sizeof(fd));
			descriptor_received(fd);
		}
	}
}

/* libibumad receives on handles, with this flag: see lib/raw/no-message.c. */
static bool has_no_messages(enum descriptor_state is, int flags)
{
	return !(flags & MSG_CMSG_CLOEXEC) && descriptor_state_is_disguised(is);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	enum descriptor_state is = descriptor_is(fd);
	ssize_t ret;

	if (is == DESCRIPTOR_UEVENT)
		return raw_result(netlink_socket_receive_message(fd, message, flags));
	if (has_no_messages(is, flags))
		return raw_result(-ENOTSOCK);
	ret = next.recvmsg ? next.recvmsg(fd, message, flags) :
			     syscall(SYS_recvmsg, fd, message, flags);
	if (ret >= 0)
		note_received(message);
	return ret;
}

int recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags,
	     struct timespec *timeout)
{
	enum descriptor_state is = descriptor_is(fd);
	int ret;

	if (is == DESCRIPTOR_UEVENT)
		return (int)raw_result(netlink_socket_receive_messages(fd, messages, count, flags,
								       timeout));
	if (has_no_messages(is, flags))
		return (int)raw_result(-ENOTSOCK);
	ret = next.recvmmsg ? next.recvmmsg(fd, messages, count, flags, timeout) :
			      (int)syscall(SYS_recvmmsg, fd, messages, count, flags, timeout);
	for (int i = 0; i < ret; i++)
		note_received(&messages[i].msg_hdr);
	return ret;
}

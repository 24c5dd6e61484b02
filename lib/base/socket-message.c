/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * socket-message.c: see lib/base/socket-message.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/socket-message.h"

/* Room for one descriptor; the alignment of control messages makes it two on 64-bit machines. */
union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

int socket_message_send(int socket, const struct iovec *parts, size_t count, int fd, int flags)
{
	union control control = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = (struct iovec *)parts, .msg_iovlen = count };

	if (fd >= 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(int));
	}
	return sendmsg(socket, &message, flags | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/*
 * Returns the first of the descriptors that came, or -1; the others are closed, and MSG_CTRUNC is
 * set.
 */
static int take_first(struct msghdr *message)
{
	int first = -1, fd;

	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part;
	     part = CMSG_NXTHDR(message, part)) {
		size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(fd);

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			memcpy(&fd, CMSG_DATA(part) + i * sizeof(fd), sizeof(fd));
			if (first < 0) {
				first = fd;
				continue;
			}
			close(fd);
			message->msg_flags |= MSG_CTRUNC;
		}
	}
	return first;
}

long socket_message_receive_all(int socket, struct iovec *parts, size_t count, int flags,
				int ret_fds[SOCKET_MESSAGE_FDS_MAX], size_t *ret_fd_count,
				int *ret_flags)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(SOCKET_MESSAGE_FDS_MAX * sizeof(int))];
	} control;
	struct msghdr message = {
		.msg_iov = parts,
		.msg_iovlen = count,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	long n = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);

	*ret_fd_count = 0;
	*ret_flags = 0;
	if (n < 0)
		return -errno;
	for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part;
	     part = CMSG_NXTHDR(&message, part)) {
		size_t size = part->cmsg_len - CMSG_LEN(0);

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;
		memcpy(ret_fds + *ret_fd_count, CMSG_DATA(part), size);
		*ret_fd_count += size / sizeof(int);
	}
	*ret_flags = message.msg_flags;
	return n;
}

long socket_message_receive(int socket, struct iovec *parts, size_t count, int flags, int *ret_fd,
			    int *ret_flags)
{
	union control control;
	struct msghdr message = {
		.msg_iov = parts,
		.msg_iovlen = count,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	long n = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
	int fd;

	*ret_fd = -1;
	*ret_flags = 0;
	if (n < 0)
		return -errno;
	fd = take_first(&message);
	if (fd >= 0 && (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
		close(fd);
		fd = -1;
	}
	*ret_fd = fd;
	*ret_flags = message.msg_flags;
	return n;
}

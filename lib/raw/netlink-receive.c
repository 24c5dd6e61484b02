/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is received from netlink sockets of uevents: see lib/raw/netlink-socket.h. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/raw/netlink-exchange.h"
#include "lib/raw/netlink-socket.h"
#include "lib/raw/raw.h"
#include "lib/user-memory.h"

struct message {
	struct umad_backend_uevent_message head;
	char bytes[UMAD_BACKEND_UEVENT_MAX];
};

/* Where a program wants it. */
struct wanted {
	const struct iovec *parts;
	size_t count;
	int flags;
};

/* Not this library's own: what those return for such a socket is made of these. */
static ssize_t (*next_recv)(int fd, void *bytes, size_t size, int flags);
static int (*next_getsockopt)(int fd, int level, int name, void *value, socklen_t *size);

__attribute__((constructor))
static void find_next(void)
{
	*(void **)&next_recv = raw_next("recv");
	*(void **)&next_getsockopt = raw_next("getsockopt");
}

/* ---- a message ---- */

/* Waits as the descriptor's O_NONBLOCK says, by a read that takes nothing: SA_RESTART works. */
static long take(int fd, int flags, struct message *message)
{
	const struct umad_backend_uevent call = {
		.action = UMAD_BACKEND_UEVENT_RECEIVE, .flags = flags & MSG_PEEK ? 1 : 0,
	};
	char byte;
	long n;

	if (flags & MSG_OOB)
		return -EOPNOTSUPP;
	while ((n = netlink_call(&call, fd, NULL, message, sizeof(*message))) == -EAGAIN) {
		ssize_t ready = next_recv(fd, &byte, sizeof(byte),
					  MSG_PEEK | (flags & MSG_DONTWAIT));

		if (ready <= 0)
			return ready < 0 ? -errno : -EIO;
	}
	return n > (long)sizeof(message->bytes) ? -EIO : n;
}

/* How much of it has room, or -EFAULT. */
static long put_parts(const struct wanted *wanted, const char *bytes, size_t size)
{
	size_t done = 0;

	for (size_t i = 0; i < wanted->count && done < size; i++) {
		struct iovec part;

		if (user_memory_get(&part, &wanted->parts[i], sizeof(part)) < 0)
			return -EFAULT;
		if (part.iov_len > size - done)
			part.iov_len = size - done;
		if (user_memory_put(part.iov_base, bytes + done, part.iov_len) < 0)
			return -EFAULT;
		done += part.iov_len;
	}
	return (long)done;
}

static struct sockaddr_nl sender_of(const struct message *message)
{
	return (struct sockaddr_nl){
		.nl_family = AF_NETLINK, .nl_pid = message->head.number,
		.nl_groups = message->head.groups,
	};
}

/* ---- what comes with it ---- */

/* Linux: put_cmsg(). '*left' is what there is room for. 0 or -EFAULT. */
static long put_control(struct msghdr *header, char **at, size_t *left, int level, int type,
			const void *data, size_t size)
{
	struct cmsghdr head = {
		.cmsg_len = CMSG_LEN(size), .cmsg_level = level, .cmsg_type = type,
	};
	size_t space = CMSG_SPACE(size);

	if (*left < sizeof(head)) {
		header->msg_flags |= MSG_CTRUNC;
		return 0;
	}
	if (*left < head.cmsg_len) {
		header->msg_flags |= MSG_CTRUNC;
		head.cmsg_len = *left;
	}
	if (user_memory_put(*at, &head, sizeof(head)) < 0 ||
	    user_memory_put(*at + CMSG_LEN(0), data, head.cmsg_len - CMSG_LEN(0)) < 0)
		return -EFAULT;
	if (space > *left)
		space = *left;
	*at += space;
	*left -= space;
	return 0;
}

/* Whose it is, if the program asks for that: both the kernel and udev are root's. */
static long put_controls(int fd, struct msghdr *header, const struct message *message)
{
	const struct nl_pktinfo group = { .group = message->head.groups };
	const struct ucred credentials = { .pid = (pid_t)message->head.number };
	size_t left = header->msg_control ? header->msg_controllen : 0;
	char *at = header->msg_control;
	socklen_t size = sizeof(int);
	int passes = 0;
	long r = 0;

	if (message->head.has_group_part)
		r = put_control(header, &at, &left, SOL_NETLINK, NETLINK_PKTINFO, &group,
				sizeof(group));
	next_getsockopt(fd, SOL_SOCKET, SO_PASSCRED, &passes, &size);
	if (r == 0 && passes)
		r = put_control(header, &at, &left, SOL_SOCKET, SCM_CREDENTIALS, &credentials,
				sizeof(credentials));
	header->msg_controllen = header->msg_control ? header->msg_controllen - left : 0;
	return r;
}

static long result_of(const struct wanted *wanted, long done, long size)
{
	return wanted->flags & MSG_TRUNC ? size : done;
}

/* ---- all ---- */

long netlink_socket_read(int fd, const struct iovec *parts, int count)
{
	const struct wanted wanted = { .parts = parts, .count = (size_t)count };
	struct message message;
	long n;

	if (count < 0 || count > IOV_MAX)
		return -EINVAL;
	n = take(fd, 0, &message);
	return n < 0 ? n : put_parts(&wanted, message.bytes, (size_t)n);
}

long netlink_socket_receive(int fd, void *bytes, size_t size, int flags, struct sockaddr *from,
			    socklen_t *from_size)
{
	const struct iovec all = { .iov_base = bytes, .iov_len = size };
	const struct wanted wanted = { .parts = &all, .count = 1, .flags = flags };
	struct sockaddr_nl sender;
	struct message message;
	long n = take(fd, flags, &message), done, r = 0;

	if (n < 0)
		return n;
	sender = sender_of(&message);
	done = put_parts(&wanted, message.bytes, (size_t)n);
	if (done >= 0 && from)
		r = netlink_put_address(&sender, from, from_size);
	if (done < 0 || r < 0)
		return done < 0 ? done : r;
	return result_of(&wanted, done, n);
}

static long receive_message(int fd, struct msghdr *header, int flags)
{
	const struct wanted wanted = {
		.parts = header->msg_iov, .count = header->msg_iovlen, .flags = flags,
	};
	struct sockaddr_nl sender;
	struct message message;
	socklen_t room;
	long n, done;

	if (header->msg_iovlen > IOV_MAX)
		return -EMSGSIZE;
	if ((int)header->msg_namelen < 0)
		return -EINVAL;
	n = take(fd, flags, &message);
	if (n < 0)
		return n;
	sender = sender_of(&message);
	done = put_parts(&wanted, message.bytes, (size_t)n);
	if (done < 0)
		return done;
	header->msg_flags = done < n ? MSG_TRUNC : 0;
	room = header->msg_namelen < sizeof(sender) ? header->msg_namelen : sizeof(sender);
	if (header->msg_name && user_memory_put(header->msg_name, &sender, room) < 0)
		return -EFAULT;
	if (header->msg_name)
		header->msg_namelen = sizeof(sender);
	if (put_controls(fd, header, &message) < 0)
		return -EFAULT;
	return result_of(&wanted, done, n);
}

long netlink_socket_receive_message(int fd, struct msghdr *message, int flags)
{
	struct msghdr header;
	long n = user_memory_get(&header, message, sizeof(header));

	if (n == 0)
		n = receive_message(fd, &header, flags);
	if (n >= 0 && user_memory_put(message, &header, sizeof(header)) < 0)
		return -EFAULT;
	return n;
}

/* Is the time over? Linux: that is seen after each message only, and told. */
static bool is_over(const struct timespec *end, struct timespec *timeout)
{
	struct timespec now, left = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (end->tv_sec > now.tv_sec ||
	    (end->tv_sec == now.tv_sec && end->tv_nsec > now.tv_nsec)) {
		left.tv_sec = end->tv_sec - now.tv_sec - (end->tv_nsec < now.tv_nsec);
		left.tv_nsec = end->tv_nsec - now.tv_nsec +
			       (end->tv_nsec < now.tv_nsec ? 1000000000 : 0);
	}
	*timeout = left;
	return left.tv_sec == 0 && left.tv_nsec == 0;
}

/* Linux: an error ends it, and is told if there is no message before it. */
long netlink_socket_receive_messages(int fd, struct mmsghdr *messages, unsigned int count,
				     int flags, struct timespec *timeout)
{
	struct timespec end;
	unsigned int i = 0;
	long n = 0;

	if (timeout) {
		if (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec > 999999999)
			return -EINVAL;
		clock_gettime(CLOCK_MONOTONIC, &end);
		end.tv_sec += timeout->tv_sec + (end.tv_nsec + timeout->tv_nsec) / 1000000000;
		end.tv_nsec = (end.tv_nsec + timeout->tv_nsec) % 1000000000;
	}
	for (; i < count && i < IOV_MAX; i++) {
		n = netlink_socket_receive_message(fd, &messages[i].msg_hdr,
						   flags & ~MSG_WAITFORONE);
		if (n < 0)
			break;
		messages[i].msg_len = (unsigned int)n;
		if (flags & MSG_WAITFORONE)
			flags |= MSG_DONTWAIT;
		if (timeout && is_over(&end, timeout))
			return i + 1;
	}
	return i > 0 ? (long)i : n;
}

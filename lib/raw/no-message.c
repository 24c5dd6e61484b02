/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Messages to and from the socket behind a handle, which a umad file has none of, and those of
 * netlink sockets: see lib/raw/raw.h. libibumad itself looks at handles with MSG_PEEK, and takes
 * what has come by recvmsg() with MSG_CMSG_CLOEXEC (lib/raw/copy.c), which pass.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/raw/descriptor.h"
#include "lib/raw/netlink-socket.h"
#include "lib/raw/raw.h"

static struct {
	ssize_t (*send)(int fd, const void *bytes, size_t size, int flags);
	ssize_t (*sendto)(int fd, const void *bytes, size_t size, int flags,
			  const struct sockaddr *to, socklen_t to_size);
	ssize_t (*sendmsg)(int fd, const struct msghdr *message, int flags);
	int (*sendmmsg)(int fd, struct mmsghdr *messages, unsigned int count, int flags);
	ssize_t (*recv)(int fd, void *bytes, size_t size, int flags);
	ssize_t (*recvfrom)(int fd, void *bytes, size_t size, int flags, struct sockaddr *from,
			    socklen_t *from_size);
	ssize_t (*recv_chk)(int fd, void *bytes, size_t size, size_t room, int flags);
	ssize_t (*recvfrom_chk)(int fd, void *bytes, size_t size, size_t room, int flags,
				struct sockaddr *from, socklen_t *from_size);
} next;

__attribute__((constructor))
static void find_next(void)
{
	*(void **)&next.send = raw_next("send");
	*(void **)&next.sendto = raw_next("sendto");
	*(void **)&next.sendmsg = raw_next("sendmsg");
	*(void **)&next.sendmmsg = raw_next("sendmmsg");
	*(void **)&next.recv = raw_next("recv");
	*(void **)&next.recvfrom = raw_next("recvfrom");
	*(void **)&next.recv_chk = raw_next("__recv_chk");
	*(void **)&next.recvfrom_chk = raw_next("__recvfrom_chk");
}

/* Nothing can be sent there; errno says why. */
static bool is_refused(int fd)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is != DESCRIPTOR_UEVENT && !descriptor_state_is_disguised(is))
		return false;
	errno = is == DESCRIPTOR_UEVENT ? EPERM : ENOTSOCK;
	return true;
}

ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	if (is_refused(fd))
		return -1;
	return next.send ? next.send(fd, bytes, size, flags) :
			   syscall(SYS_sendto, fd, bytes, size, flags, NULL, 0);
}

ssize_t sendto(int fd, const void *bytes, size_t size, int flags, const struct sockaddr *to,
	       socklen_t to_size)
{
	if (is_refused(fd))
		return -1;
	return next.sendto ? next.sendto(fd, bytes, size, flags, to, to_size) :
			     syscall(SYS_sendto, fd, bytes, size, flags, to, to_size);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	if (is_refused(fd))
		return -1;
	return next.sendmsg ? next.sendmsg(fd, message, flags) :
			      syscall(SYS_sendmsg, fd, message, flags);
}

int sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags)
{
	if (is_refused(fd))
		return -1;
	return next.sendmmsg ? next.sendmmsg(fd, messages, count, flags) :
			       (int)syscall(SYS_sendmmsg, fd, messages, count, flags);
}

ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_UEVENT)
		return raw_result(netlink_socket_receive(fd, bytes, size, flags, NULL, NULL));
	if (!(flags & MSG_PEEK) && descriptor_state_is_disguised(is))
		return raw_result(-ENOTSOCK);
	return next.recv ? next.recv(fd, bytes, size, flags) :
			   syscall(SYS_recvfrom, fd, bytes, size, flags, NULL, NULL);
}

ssize_t recvfrom(int fd, void *bytes, size_t size, int flags, struct sockaddr *from,
		 socklen_t *from_size)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_UEVENT)
		return raw_result(netlink_socket_receive(fd, bytes, size, flags, from, from_size));
	if (descriptor_state_is_disguised(is))
		return raw_result(-ENOTSOCK);
	return next.recvfrom ? next.recvfrom(fd, bytes, size, flags, from, from_size) :
			       syscall(SYS_recvfrom, fd, bytes, size, flags, from, from_size);
}

/* What programs that are built with _FORTIFY_SOURCE call; 'room' is what the buffer has. */
ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags);
ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags)
{
	if (size > room && next.recv_chk)
		return next.recv_chk(fd, bytes, size, room, flags);
	return recv(fd, bytes, size, flags);
}

ssize_t __recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags,
		       struct sockaddr *from, socklen_t *from_size);
ssize_t __recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags,
		       struct sockaddr *from, socklen_t *from_size)
{
	if (size > room && next.recvfrom_chk)
		return next.recvfrom_chk(fd, bytes, size, room, flags, from, from_size);
	return recvfrom(fd, bytes, size, flags, from, from_size);
}

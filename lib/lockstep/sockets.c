/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sockets: see lib/lockstep/sockets.h.
 *
 * Calls to a fabric server, by libibumad, are answered at once, while the caller has the baton.
 * They go through sockets of AF_UNIX and SOCK_SEQPACKET, which are left alone.
 */
#include <sys/socket.h>

#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/sockets.h"
#include "lib/lockstep/system-call.h"

static bool may_be_server(int fd)
{
	int type = 0;
	socklen_t size = sizeof(type);

	return CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       type == SOCK_SEQPACKET;
}

static long prepare(int fd, int flags, short events)
{
	if ((flags & MSG_DONTWAIT) || !session_is_on() || may_be_server(fd))
		return 0;
	return descriptors_prepare(fd, events);
}

static ssize_t hooked_recvfrom(int fd, void *bytes, size_t size, int flags,
			       struct sockaddr *address, socklen_t *length)
{
	long n = prepare(fd, flags, POLLIN);

	if (n == 0)
		n = CALL_6(SYS_recvfrom, fd, bytes, size, flags, address, length);
	descriptors_done();
	return call_result(n);
}

static ssize_t hooked_recv(int fd, void *bytes, size_t size, int flags)
{
	return hooked_recvfrom(fd, bytes, size, flags, NULL, NULL);
}

static ssize_t hooked_recvmsg(int fd, struct msghdr *message, int flags)
{
	long n = prepare(fd, flags, POLLIN);

	if (n == 0)
		n = CALL_3(SYS_recvmsg, fd, message, flags);
	descriptors_done();
	return call_result(n);
}

static int hooked_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
	long n = prepare(fd, 0, POLLIN);

	if (n == 0)
		n = CALL_4(SYS_accept4, fd, address, length, flags);
	descriptors_done();
	return (int)call_result(n);
}

static int hooked_accept(int fd, struct sockaddr *address, socklen_t *length)
{
	return hooked_accept4(fd, address, length, 0);
}

const struct hook sockets_hooks[] = {
	{ "recv", hooked_recv },
	{ "recvfrom", hooked_recvfrom },
	{ "recvmsg", hooked_recvmsg },
	{ "accept", hooked_accept },
	{ "accept4", hooked_accept4 },
	{ NULL, NULL },
};

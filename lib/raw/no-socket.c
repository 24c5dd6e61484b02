/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the socket behind a handle could do, and a umad file cannot, and what that of a netlink
 * socket does in its place: see lib/raw/raw.h. Messages are in lib/raw/no-message.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/raw/descriptor.h"
#include "lib/raw/netlink-socket.h"
#include "lib/raw/raw.h"

static struct {
	int (*socket)(int domain, int type, int protocol);
	int (*shutdown)(int fd, int how);
	int (*listen)(int fd, int backlog);
	int (*accept)(int fd, struct sockaddr *address, socklen_t *size);
	int (*accept4)(int fd, struct sockaddr *address, socklen_t *size, int flags);
	int (*bind)(int fd, const struct sockaddr *address, socklen_t size);
	int (*connect)(int fd, const struct sockaddr *address, socklen_t size);
	int (*getsockname)(int fd, struct sockaddr *address, socklen_t *size);
	int (*getpeername)(int fd, struct sockaddr *address, socklen_t *size);
	int (*getsockopt)(int fd, int level, int name, void *value, socklen_t *size);
	int (*setsockopt)(int fd, int level, int name, const void *value, socklen_t size);
	ssize_t (*sendfile)(int out, int in, off_t *offset, size_t size);
	ssize_t (*sendfile64)(int out, int in, off64_t *offset, size_t size);
	ssize_t (*splice)(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size,
			  unsigned int flags);
} next;

__attribute__((constructor))
static void find_next(void)
{
	*(void **)&next.socket = raw_next("socket");
	*(void **)&next.shutdown = raw_next("shutdown");
	*(void **)&next.listen = raw_next("listen");
	*(void **)&next.accept = raw_next("accept");
	*(void **)&next.accept4 = raw_next("accept4");
	*(void **)&next.bind = raw_next("bind");
	*(void **)&next.connect = raw_next("connect");
	*(void **)&next.getsockname = raw_next("getsockname");
	*(void **)&next.getpeername = raw_next("getpeername");
	*(void **)&next.getsockopt = raw_next("getsockopt");
	*(void **)&next.setsockopt = raw_next("setsockopt");
	*(void **)&next.sendfile = raw_next("sendfile");
	*(void **)&next.sendfile64 = raw_next("sendfile64");
	*(void **)&next.splice = raw_next("splice");
}

int socket(int domain, int type, int protocol)
{
	int fd = netlink_socket_open(domain, type, protocol);

	if (fd != NETLINK_SOCKET_NOT)
		return fd;
	if (!next.socket)
		*(void **)&next.socket = raw_next("socket");
	return next.socket ? next.socket(domain, type, protocol) :
			     (int)syscall(SYS_socket, domain, type, protocol);
}

/* There are no connections; errno says why. */
static bool is_refused(int fd)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is != DESCRIPTOR_UEVENT && !descriptor_state_is_disguised(is))
		return false;
	errno = is == DESCRIPTOR_UEVENT ? EOPNOTSUPP : ENOTSOCK;
	return true;
}

int shutdown(int fd, int how)
{
	if (is_refused(fd))
		return -1;
	return next.shutdown ? next.shutdown(fd, how) : (int)syscall(SYS_shutdown, fd, how);
}

int listen(int fd, int backlog)
{
	if (is_refused(fd))
		return -1;
	return next.listen ? next.listen(fd, backlog) : (int)syscall(SYS_listen, fd, backlog);
}

int accept(int fd, struct sockaddr *address, socklen_t *size)
{
	if (is_refused(fd))
		return -1;
	return next.accept ? next.accept(fd, address, size) :
			     (int)syscall(SYS_accept4, fd, address, size, 0);
}

int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	if (is_refused(fd))
		return -1;
	return next.accept4 ? next.accept4(fd, address, size, flags) :
			      (int)syscall(SYS_accept4, fd, address, size, flags);
}

int bind(int fd, const struct sockaddr *address, socklen_t size)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_UEVENT)
		return (int)raw_result(netlink_socket_bind(fd, address, size));
	if (descriptor_state_is_disguised(is))
		return (int)raw_result(-ENOTSOCK);
	return next.bind ? next.bind(fd, address, size) : (int)syscall(SYS_bind, fd, address, size);
}

int connect(int fd, const struct sockaddr *address, socklen_t size)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_UEVENT)
		return (int)raw_result(netlink_socket_connect(fd, address, size));
	if (descriptor_state_is_disguised(is))
		return (int)raw_result(-ENOTSOCK);
	return next.connect ? next.connect(fd, address, size) :
			      (int)syscall(SYS_connect, fd, address, size);
}

/* (lib/base/handle-name.c makes this call past libc.) */
int getsockname(int fd, struct sockaddr *address, socklen_t *size)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_UEVENT)
		return (int)raw_result(netlink_socket_name(fd, address, size, false));
	if (descriptor_state_is_disguised(is))
		return (int)raw_result(-ENOTSOCK);
	return next.getsockname ? next.getsockname(fd, address, size) :
				  (int)syscall(SYS_getsockname, fd, address, size);
}

int getpeername(int fd, struct sockaddr *address, socklen_t *size)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_UEVENT)
		return (int)raw_result(netlink_socket_name(fd, address, size, true));
	if (descriptor_state_is_disguised(is))
		return (int)raw_result(-ENOTSOCK);
	return next.getpeername ? next.getpeername(fd, address, size) :
				  (int)syscall(SYS_getpeername, fd, address, size);
}

/* It would show the token (lib/base/handle-token.h). */
int getsockopt(int fd, int level, int name, void *value, socklen_t *size)
{
	enum descriptor_state is = descriptor_is(fd);
	long r = NETLINK_SOCKET_ANY;

	if (is == DESCRIPTOR_UEVENT)
		r = netlink_socket_get(fd, level, name, value, size);
	if (descriptor_state_is_disguised(is))
		r = -ENOTSOCK;
	if (r != NETLINK_SOCKET_ANY)
		return (int)raw_result(r);
	return next.getsockopt ? next.getsockopt(fd, level, name, value, size) :
				 (int)syscall(SYS_getsockopt, fd, level, name, value, size);
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t size)
{
	enum descriptor_state is = descriptor_is(fd);
	long r = NETLINK_SOCKET_ANY;

	if (is == DESCRIPTOR_UEVENT)
		r = netlink_socket_set(fd, level, name, value, size);
	if (descriptor_state_is_disguised(is))
		r = -ENOTSOCK;
	if (r != NETLINK_SOCKET_ANY)
		return (int)raw_result(r);
	return next.setsockopt ? next.setsockopt(fd, level, name, value, size) :
				 (int)syscall(SYS_setsockopt, fd, level, name, value, size);
}

/* One of them is a device, which has no pages to pass on, and no position; errno says which. */
static bool are_pages_refused(int in, const void *offset, int out)
{
	bool is_source = descriptor_is(in) != DESCRIPTOR_OTHER;

	if (!is_source && descriptor_is(out) == DESCRIPTOR_OTHER)
		return false;
	errno = is_source && offset ? ESPIPE : EINVAL;
	return true;
}

ssize_t sendfile(int out, int in, off_t *offset, size_t size)
{
	if (are_pages_refused(in, offset, out))
		return -1;
	return next.sendfile ? next.sendfile(out, in, offset, size) :
			       syscall(SYS_sendfile, out, in, offset, size);
}

ssize_t sendfile64(int out, int in, off64_t *offset, size_t size)
{
	if (are_pages_refused(in, offset, out))
		return -1;
	return next.sendfile64 ? next.sendfile64(out, in, offset, size) :
				 syscall(SYS_sendfile, out, in, offset, size);
}

ssize_t splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size,
	       unsigned int flags)
{
	if (are_pages_refused(in, in_offset, out))
		return -1;
	return next.splice ? next.splice(in, in_offset, out, out_offset, size, flags) :
			     syscall(SYS_splice, in, in_offset, out, out_offset, size, flags);
}

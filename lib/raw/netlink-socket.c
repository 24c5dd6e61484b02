/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Netlink sockets of uevents, but for what is received: see lib/raw/netlink-socket.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/lockstep-variable.h"
#include "lib/raw/descriptor.h"
#include "lib/raw/netlink-exchange.h"
#include "lib/raw/netlink-socket.h"
#include "lib/raw/raw.h"
#include "lib/user-memory.h"

#ifndef NETLINK_LISTEN_ALL_NSID
#define NETLINK_LISTEN_ALL_NSID 8
#endif

enum { TYPE_MASK = 0xf };	/* Linux: the rest are flags */

/* ---- opening ---- */

static long open_socket(int type)
{
	struct umad_backend_uevent call = {
		.action = UMAD_BACKEND_UEVENT_OPEN, .flags = (uint32_t)(type & TYPE_MASK),
	};
	long fd;

	if (type & ~(TYPE_MASK | SOCK_NONBLOCK | SOCK_CLOEXEC))
		return -EINVAL;
	if ((type & TYPE_MASK) != SOCK_RAW && (type & TYPE_MASK) != SOCK_DGRAM)
		return -ESOCKTNOSUPPORT;
	fd = netlink_call(&call, -1, NULL, NULL, 0);
	if (fd < 0)
		return fd;
	/* It has both flags so far. */
	if (!(type & SOCK_NONBLOCK))
		syscall(SYS_fcntl, (int)fd, F_SETFL, O_RDWR);
	if (!(type & SOCK_CLOEXEC))
		syscall(SYS_fcntl, (int)fd, F_SETFD, 0);
	descriptor_is_uevent_now((int)fd);
	return fd;
}

int netlink_socket_open(int domain, int type, int protocol)
{
	int err = errno;
	long fd;

	if (domain != AF_NETLINK || protocol != NETLINK_KOBJECT_UEVENT ||
	    !secure_getenv(LOCKSTEP_VARIABLE) || !raw_calls())
		return NETLINK_SOCKET_NOT;
	fd = open_socket(type);
	if (fd == -EOPNOTSUPP) {
		errno = err;
		return NETLINK_SOCKET_NOT;
	}
	return (int)raw_result(fd);
}

/* ---- addresses ---- */

/* Of 'size' bytes, of which there may be more. */
static long get_address(const struct sockaddr *address, socklen_t size, struct sockaddr_nl *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (size > sizeof(struct sockaddr_storage))
		return -EINVAL;
	return user_memory_get(ret, address, size < sizeof(*ret) ? size : sizeof(*ret));
}

/* Names itself or the other end; an address that names none has number and groups 0. */
static long call_with_name(enum umad_backend_uevent_action action, int fd,
			   const struct sockaddr_nl *name)
{
	struct umad_backend_uevent call = {
		.action = action, .process = (uint32_t)getpid(),
	};

	if (name->nl_family == AF_NETLINK) {
		call.number = name->nl_pid;
		call.groups = name->nl_groups;
	}
	return netlink_call(&call, fd, NULL, NULL, 0);
}

long netlink_socket_bind(int fd, const struct sockaddr *address, socklen_t size)
{
	struct sockaddr_nl to;
	long r = get_address(address, size, &to);

	if (r < 0)
		return r;
	if (size < sizeof(to) || to.nl_family != AF_NETLINK)
		return -EINVAL;
	return call_with_name(UMAD_BACKEND_UEVENT_BIND, fd, &to);
}

/* Linux: only who administers the network may name another end than the kernel. */
long netlink_socket_connect(int fd, const struct sockaddr *address, socklen_t size)
{
	struct sockaddr_nl to;
	long r = get_address(address, size, &to);

	if (r < 0)
		return r;
	if (size < sizeof(to.nl_family) ||
	    (to.nl_family != AF_UNSPEC && (to.nl_family != AF_NETLINK || size < sizeof(to))))
		return -EINVAL;
	if (to.nl_family == AF_NETLINK && (to.nl_pid || to.nl_groups) && geteuid() != 0)
		return -EPERM;
	return call_with_name(UMAD_BACKEND_UEVENT_CONNECT, fd, &to);
}

long netlink_put_address(const struct sockaddr_nl *address, struct sockaddr *to, socklen_t *size)
{
	socklen_t room, whole = sizeof(*address);
	long r = user_memory_get(&room, size, sizeof(room));

	if (r == 0 && (int)room < 0)
		r = -EINVAL;
	if (r == 0)
		r = user_memory_put(to, address, room < whole ? room : whole);
	return r < 0 ? r : user_memory_put(size, &whole, sizeof(whole));
}

long netlink_socket_name(int fd, struct sockaddr *address, socklen_t *size, bool is_peer)
{
	const struct umad_backend_uevent call = { .action = UMAD_BACKEND_UEVENT_NAME };
	struct umad_backend_uevent_name name = { 0 };
	struct sockaddr_nl ret = { .nl_family = AF_NETLINK };
	long r = netlink_call(&call, fd, NULL, &name, sizeof(name));

	if (r < 0)
		return r;
	ret.nl_pid = is_peer ? name.peer_number : name.number;
	ret.nl_groups = is_peer ? name.peer_groups : name.groups;
	return netlink_put_address(&ret, address, size);
}

/* ---- options ---- */

static long set_value(int fd, int level, int option, const void *value, size_t size)
{
	const struct umad_backend_uevent call = {
		.action = UMAD_BACKEND_UEVENT_SET, .level = level, .option = option,
		.size = (uint32_t)size,
	};

	return netlink_call(&call, fd, value, NULL, 0);
}

static long set_int(int fd, int level, int option, const void *value, socklen_t size)
{
	int number = 0;
	long r = size < sizeof(number) ? 0 : user_memory_get(&number, value, sizeof(number));

	return r < 0 ? r : set_value(fd, level, option, &number, sizeof(number));
}

static long attach_filter(int fd, const void *value, socklen_t size)
{
	struct sock_fprog program;
	size_t length;
	void *code;
	long r;

	if (size != sizeof(program))
		return -EINVAL;
	r = user_memory_get(&program, value, sizeof(program));
	if (r < 0)
		return r;
	if (!program.filter || program.len == 0 || program.len > BPF_MAXINSNS)
		return -EINVAL;
	length = program.len * sizeof(*program.filter);
	code = malloc(length);
	if (!code)
		return -ENOMEM;
	r = user_memory_get(code, program.filter, length);
	if (r == 0)
		r = set_value(fd, SOL_SOCKET, SO_ATTACH_FILTER, code, length);
	free(code);
	return r;
}

static long set_of_socket(int fd, int option, const void *value, socklen_t size)
{
	int ignored;

	if (size < sizeof(int))
		return -EINVAL;
	switch (option) {
	case SO_ATTACH_FILTER:
		return attach_filter(fd, value, size);
	case SO_RCVBUFFORCE:
		if (geteuid() != 0)
			return -EPERM;
		return set_int(fd, SOL_SOCKET, option, value, size);
	case SO_RCVBUF:
	case SO_DETACH_FILTER:
	case SO_LOCK_FILTER:
		return set_int(fd, SOL_SOCKET, option, value, size);
	case SO_SNDTIMEO:	/* of the socket that stands for it, it has another meaning */
		return user_memory_get(&ignored, value, sizeof(ignored));
	case SO_ATTACH_BPF:
	case SO_ATTACH_REUSEPORT_CBPF:
	case SO_ATTACH_REUSEPORT_EBPF:
		return -EOPNOTSUPP;
	}
	return NETLINK_SOCKET_ANY;
}

long netlink_socket_set(int fd, int level, int option, const void *value, socklen_t size)
{
	if ((int)size < 0)
		return -EINVAL;
	if (level == SOL_SOCKET)
		return set_of_socket(fd, option, value, size);
	if (level != SOL_NETLINK)
		return -ENOPROTOOPT;
	if (option == NETLINK_LISTEN_ALL_NSID && geteuid() != 0)
		return -EPERM;
	return set_int(fd, level, option, value, size);
}

/* Room for the widest of them. */
union option_value {
	int number;
	uint64_t wide;
	struct timeval time;
	struct ucred credentials;
};

/* What the server knows of an option: how many bytes, or -errno. */
static long ask(int fd, int level, int option, union option_value *ret)
{
	const struct umad_backend_uevent call = {
		.action = UMAD_BACKEND_UEVENT_GET, .level = level, .option = option,
	};

	long r = netlink_call(&call, fd, NULL, ret, sizeof(*ret));

	return r > (long)sizeof(*ret) ? -EIO : r;
}

/* The same of what any socket has; 0: it is the kernel's. */
static long get_of_socket(int fd, int option, union option_value *ret)
{
	switch (option) {
	case SO_DOMAIN:
		ret->number = AF_NETLINK;
		return sizeof(ret->number);
	case SO_PROTOCOL:
		ret->number = NETLINK_KOBJECT_UEVENT;
		return sizeof(ret->number);
	case SO_TYPE:
	case SO_RCVBUF:
	case SO_ERROR:
	case SO_LOCK_FILTER:
	case SO_COOKIE:
		return ask(fd, SOL_SOCKET, option, ret);
	case SO_SNDTIMEO:
		ret->time = (struct timeval){ 0 };
		return sizeof(ret->time);
	case SO_PEERCRED:
		ret->credentials = (struct ucred){ .uid = (uid_t)-1, .gid = (gid_t)-1 };
		return sizeof(ret->credentials);
	case SO_PEERGROUPS:
		return -ENODATA;
	case SO_PEERSEC:
	case SO_GET_FILTER:
		return -ENOPROTOOPT;
	}
	return 0;
}

/* Linux: no less than an int, but for a list, which may be empty. */
static long get_netlink(int fd, int option, socklen_t room, void *value, socklen_t *size)
{
	union option_value got = { 0 };
	long r = ask(fd, SOL_NETLINK, option, &got);
	socklen_t whole = (socklen_t)r;

	if (r < 0)
		return r;
	if (room < whole && option != NETLINK_LIST_MEMBERSHIPS)
		return -EINVAL;
	if (room >= whole && user_memory_put(value, &got, whole) < 0)
		return -EFAULT;
	return user_memory_put(size, &whole, sizeof(whole));
}

long netlink_socket_get(int fd, int level, int option, void *value, socklen_t *size)
{
	union option_value got = { 0 };
	socklen_t room;
	long whole = user_memory_get(&room, size, sizeof(room));

	if (whole == 0 && (int)room < 0)
		whole = -EINVAL;
	if (whole < 0)
		return whole;
	if (level == SOL_NETLINK)
		return get_netlink(fd, option, room, value, size);
	if (level != SOL_SOCKET)
		return -ENOPROTOOPT;
	whole = get_of_socket(fd, option, &got);
	if (whole == 0)
		return NETLINK_SOCKET_ANY;
	if (whole < 0)
		return whole;
	if (option == SO_COOKIE && room < sizeof(got.wide))
		return -EINVAL;
	if (room > (socklen_t)whole)
		room = (socklen_t)whole;
	if (user_memory_put(value, &got, room) < 0)
		return -EFAULT;
	return user_memory_put(size, &room, sizeof(room));
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-socket.h. */
#include <errno.h>
#include <linux/filter.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-socket.h"

enum {
	MESSAGE_MAX = 8192,	/* more than a uevent has */
	CONTROL_MAX = 512,	/* more than comes with one */
	PARTS_MAX = 1024,	/* UIO_MAXIOV */
	VALUE_MAX = 64,		/* of an option */
};

/* The kernel's word, which says what stands for it. */
bool foreign_socket_is_kept(int fd)
{
	socklen_t size = sizeof(int);
	int domain = 0;

	return fd >= 0 && CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
	       domain == AF_UNIX;
}

/* ---- calls on a high number ---- */

/*
 * This process's descriptor, or of a socket of TCP, whose ports are the session's
 * (lib/lockstep/ports.h), a copy; -1: the kernel makes the call. 'ret' is to be given back.
 */
static int own_or_tcp(struct foreign_descriptor *ret)
{
	foreign_descriptor_get((int)foreign_argument(0), ret);
	return ret->umad >= 0 ? ret->umad : ret->is_tcp ? ret->fd : -1;
}

static long answer_address(int fd, int (*call)(int fd, const struct sockaddr *to, socklen_t size))
{
	struct sockaddr_storage to;
	socklen_t size = (socklen_t)foreign_argument(2);

	memset(&to, 0, sizeof(to));
	if (size > sizeof(to))
		return -EINVAL;
	if (foreign_memory_get(foreign_argument(1), &to, size) < 0)
		return -EFAULT;
	return foreign_call_result(call(fd, (const struct sockaddr *)&to, size));
}

long foreign_socket_bind(void)
{
	struct foreign_descriptor descriptor;
	int fd = own_or_tcp(&descriptor);
	long ret = fd < 0 ? CALL_GOES_ON : answer_address(fd, bind);

	foreign_descriptor_put(&descriptor);
	return ret;
}

long foreign_socket_connect(int fd)
{
	return answer_address(fd, connect);
}

static long answer_name_of(int fd, int (*call)(int fd, struct sockaddr *ret, socklen_t *size))
{
	struct sockaddr_storage name;
	socklen_t whole = sizeof(name);

	if (call(fd, (struct sockaddr *)&name, &whole) < 0)
		return -errno;
	return foreign_memory_put_address(foreign_argument(1), foreign_argument(2), &name, whole);
}

static long answer_name(int (*call)(int fd, struct sockaddr *ret, socklen_t *size))
{
	struct foreign_descriptor descriptor;
	int fd = own_or_tcp(&descriptor);
	long ret = fd < 0 ? CALL_GOES_ON : answer_name_of(fd, call);

	foreign_descriptor_put(&descriptor);
	return ret;
}

long foreign_socket_name(void)
{
	return answer_name(getsockname);
}

long foreign_socket_peer(void)
{
	return answer_name(getpeername);
}

long foreign_socket_listen(void)
{
	struct foreign_descriptor descriptor;
	int fd = own_or_tcp(&descriptor);
	long ret = fd < 0 ? CALL_GOES_ON :
			    foreign_call_result(listen(fd, (int)foreign_argument(1)));

	foreign_descriptor_put(&descriptor);
	return ret;
}

long foreign_socket_shutdown(void)
{
	int fd = foreign_descriptor_own();

	return fd < 0 ? CALL_GOES_ON : foreign_call_result(shutdown(fd, (int)foreign_argument(1)));
}

/* ---- options ---- */

/* Its instructions are at an address of the foreign program's. */
static long set_filter(int fd)
{
	struct sock_fprog program;
	size_t size;
	void *code;
	long ret = 0;

	if (foreign_argument(4) != sizeof(program))
		return -EINVAL;
	if (foreign_memory_get(foreign_argument(3), &program, sizeof(program)) < 0)
		return -EFAULT;
	/* What is too long is refused before it is read. */
	size = program.len <= BPF_MAXINSNS ? program.len * sizeof(*program.filter) : 0;
	code = malloc(size ? size : 1);
	if (!code)
		return -ENOMEM;
	if (program.filter)
		ret = foreign_memory_get((uint64_t)(uintptr_t)program.filter, code, size);
	program.filter = program.filter ? code : NULL;
	if (ret == 0)
		ret = foreign_call_result(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program,
						     sizeof(program)));
	free(code);
	return ret;
}

long foreign_socket_set(void)
{
	int fd = foreign_descriptor_own(), level = (int)foreign_argument(1);
	socklen_t size = (socklen_t)foreign_argument(4);
	uint8_t value[VALUE_MAX] = { 0 };

	if (fd < 0)
		return CALL_GOES_ON;
	if (level == SOL_SOCKET && (int)foreign_argument(2) == SO_ATTACH_FILTER)
		return set_filter(fd);
	/* None of them looks at more. */
	if ((int)size > VALUE_MAX)
		size = VALUE_MAX;
	if ((int)size > 0 && foreign_memory_get(foreign_argument(3), value, size) < 0)
		return -EFAULT;
	return foreign_call_result(setsockopt(fd, level, (int)foreign_argument(2), value, size));
}

static long get_option(int fd)
{
	uint8_t value[VALUE_MAX];
	socklen_t size, room;

	if (foreign_memory_get(foreign_argument(4), &size, sizeof(size)) < 0)
		return -EFAULT;
	if ((int)size > VALUE_MAX)
		size = VALUE_MAX;
	room = size;
	if (getsockopt(fd, (int)foreign_argument(1), (int)foreign_argument(2), value, &size) < 0)
		return -errno;
	/* (Of a list that has no room nothing is put there.) */
	if (foreign_memory_put(foreign_argument(3), value, size > room ? 0 : size) < 0 ||
	    foreign_memory_put(foreign_argument(4), &size, sizeof(size)) < 0)
		return -EFAULT;
	return 0;
}

/* Of others only who the peer is: its number is the session's. */
long foreign_socket_get(void)
{
	struct foreign_descriptor descriptor;
	long ret = CALL_GOES_ON;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad >= 0)
		ret = get_option(descriptor.umad);
	else if (descriptor.fd >= 0 && (int)foreign_argument(1) == SOL_SOCKET &&
		 (int)foreign_argument(2) == SO_PEERCRED)
		ret = get_option(descriptor.fd);
	foreign_descriptor_put(&descriptor);
	return ret;
}

/* ---- receiving ---- */

long foreign_socket_receive(int fd)
{
	size_t size = foreign_argument(2) < MESSAGE_MAX ? (size_t)foreign_argument(2) :
							  MESSAGE_MAX;
	struct sockaddr_storage from;
	socklen_t from_size = sizeof(from);
	uint8_t bytes[MESSAGE_MAX];
	int err = 0;
	ssize_t n = recvfrom(fd, bytes, size, (int)foreign_argument(3), (struct sockaddr *)&from,
			     &from_size);

	if (n < 0)
		return foreign_call_restarting(n);
	if ((size_t)n < size)
		size = (size_t)n;
	if (foreign_memory_put(foreign_argument(1), bytes, size) < 0)
		return -EFAULT;
	if (foreign_argument(4))
		err = foreign_memory_put_address(foreign_argument(4), foreign_argument(5), &from,
						 from_size);
	return err < 0 ? err : n;
}

/* What one message needs here. */
struct own_message {
	struct msghdr there;		/* the foreign program's */
	struct iovec parts[PARTS_MAX];	/* its */
	struct sockaddr_storage from;
	uint8_t bytes[MESSAGE_MAX];
	uint8_t control[CONTROL_MAX];
};

/* recvmsg(2) of a header at 'at': its result, or -errno. */
static long receive_message(int fd, uint64_t at, int flags, struct own_message *own)
{
	struct iovec all = { .iov_base = own->bytes, .iov_len = 0 };
	struct msghdr got = { .msg_iov = &all, .msg_iovlen = 1 };
	ssize_t n;

	if (foreign_memory_get(at, &own->there, sizeof(own->there)) < 0)
		return -EFAULT;
	if ((int)own->there.msg_namelen < 0)
		return -EINVAL;
	if (own->there.msg_iovlen > PARTS_MAX)
		return -EMSGSIZE;
	if (foreign_memory_get((uint64_t)(uintptr_t)own->there.msg_iov, own->parts,
			       own->there.msg_iovlen * sizeof(*own->parts)) < 0)
		return -EFAULT;
	all.iov_len = foreign_memory_room(own->parts, own->there.msg_iovlen, MESSAGE_MAX);
	got.msg_name = &own->from;
	got.msg_namelen = sizeof(own->from);
	got.msg_control = own->there.msg_control ? own->control : NULL;
	got.msg_controllen = own->there.msg_controllen < CONTROL_MAX ? own->there.msg_controllen :
								       CONTROL_MAX;
	n = recvmsg(fd, &got, flags);
	if (n < 0)
		return -errno;
	if (foreign_memory_put_message(at, &own->there, own->parts, &got, own->bytes,
				       (size_t)n < all.iov_len ? (size_t)n : all.iov_len) < 0)
		return -EFAULT;
	return n;
}

static long answer_message(int fd, uint64_t at, int flags, uint64_t size_at)
{
	struct own_message *own = malloc(sizeof(*own));
	long n = own ? receive_message(fd, at, flags, own) : -ENOMEM;
	unsigned int size = (unsigned int)n;

	free(own);
	if (n >= 0 && size_at)
		n = foreign_memory_put(size_at, &size, sizeof(size)) < 0 ? -EFAULT : 1;
	return n == -EINTR ? CALL_RESTARTS : n;
}

long foreign_socket_receive_message(int fd)
{
	return answer_message(fd, foreign_argument(1), (int)foreign_argument(2), 0);
}

long foreign_socket_receive_messages(int fd)
{
	uint64_t first = foreign_argument(1);

	if (foreign_argument(2) == 0)
		return 0;
	return answer_message(fd, first + offsetof(struct mmsghdr, msg_hdr),
			      (int)foreign_argument(3) & ~MSG_WAITFORONE,
			      first + offsetof(struct mmsghdr, msg_len));
}

long foreign_socket_refuse_send(int fd)
{
	const struct msghdr none = { .msg_iovlen = 0 };

	return foreign_call_result(sendmsg(fd, &none, 0));
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sockets: see lib/lockstep/sockets.h.
 *
 * Calls to a fabric server, by libibumad, are answered at once, while the caller has the baton.
 * They go through sockets of AF_UNIX and SOCK_SEQPACKET, which are left alone.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/credentials.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/error-queue.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/message-times.h"
#include "lib/lockstep/ports.h"
#include "lib/lockstep/sockets.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-peer.h"
#include "lib/lockstep/tcp.h"
#include "lib/lockstep/turn.h"

static bool may_be_server(int fd)
{
	int type = 0;
	socklen_t size = sizeof(type);

	return CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       type == SOCK_SEQPACKET;
}

/* Such a call never waits. */
static bool asks_for_errors(int fd, int flags)
{
	int domain = 0;
	socklen_t size = sizeof(domain);

	return flags & MSG_ERRQUEUE &&
	       CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
	       error_queue_is_of(domain);
}

static long prepare(struct descriptors_trial *trial, int fd, int flags, short events)
{
	if ((flags & MSG_DONTWAIT) || !session_is_on() || may_be_server(fd) ||
	    asks_for_errors(fd, flags))
		return 0;
	return descriptors_prepare(trial, fd, events);
}

/* Leaves out the first n bytes. */
static void skip(struct msghdr *message, size_t n)
{
	while (message->msg_iovlen > 0 && n >= message->msg_iov->iov_len) {
		n -= message->msg_iov->iov_len;
		message->msg_iov++;
		message->msg_iovlen--;
	}
	if (n == 0)
		return;
	message->msg_iov->iov_base = (char *)message->msg_iov->iov_base + n;
	message->msg_iov->iov_len -= n;
}

/* Is that a call with MSG_WAITALL that may wait for more after the first bytes? */
static bool waits_for_all(int fd, int flags)
{
	int type = 0;
	socklen_t size = sizeof(type);

	return (flags & (MSG_WAITALL | MSG_PEEK | MSG_DONTWAIT)) == MSG_WAITALL &&
	       session_is_on() &&
	       CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       type == SOCK_STREAM && descriptors_may_wait(fd) && !session_leads_out(fd);
}

/*
 * Less after the stream's end, an error, a signal, or bytes that came with control data, as in
 * recv(2). Changes the message.
 */
static long receive_all(int fd, struct msghdr *message, int flags)
{
	int64_t deadline = descriptors_deadline(fd, POLLIN);
	size_t done = 0;
	long n;

	descriptors_begin_tries();
	do {
		size_t room = message->msg_controllen;

		pthread_testcancel();
		n = CALL_3(SYS_recvmsg, fd, message, (flags & ~MSG_WAITALL) | MSG_DONTWAIT);
		if (n > 0) {
			done += (size_t)n;
			skip(message, (size_t)n);
			if (message->msg_iovlen == 0 || message->msg_controllen > 0)
				return (long)done;
			message->msg_controllen = room;
			descriptors_begin_tries();
			continue;
		}
		if (n == 0)	/* the stream's end */
			return (long)done;
		if (n == -EAGAIN)
			n = descriptors_await_try_until(fd, deadline);
	} while (n >= 0);
	message->msg_controllen = 0;
	return done > 0 ? (long)done : n;
}

static ssize_t hooked_recvfrom(int fd, void *bytes, size_t size, int flags,
			       struct sockaddr *address, socklen_t *length)
{
	struct descriptors_trial trial = { .is_on = false };
	long n;

	if (waits_for_all(fd, flags)) {
		struct iovec part = { bytes, size };
		struct msghdr message = {
			.msg_name = address, .msg_namelen = address && length ? *length : 0,
			.msg_iov = &part, .msg_iovlen = size > 0,
		};

		n = receive_all(fd, &message, flags);
		if (n >= 0 && address && length)
			*length = message.msg_namelen;
		return call_result(n);
	}
	do {
		n = prepare(&trial, fd, flags, POLLIN);
		if (n == 0)
			n = CALL_6(SYS_recvfrom, fd, bytes, size, flags, address, length);
	} while (!descriptors_done(&trial, n));
	return call_result(n);
}

static ssize_t hooked_recv(int fd, void *bytes, size_t size, int flags)
{
	return hooked_recvfrom(fd, bytes, size, flags, NULL, NULL);
}

static long receive_parts(int fd, struct msghdr *message, int flags)
{
	struct iovec parts[IOV_MAX];
	struct msghdr own = *message;
	long n;

	memcpy(parts, own.msg_iov, own.msg_iovlen * sizeof(*parts));
	own.msg_iov = parts;
	n = receive_all(fd, &own, flags);
	if (n < 0)
		return n;
	message->msg_namelen = own.msg_namelen;
	message->msg_controllen = own.msg_controllen;
	message->msg_flags = own.msg_flags;
	return n;
}

static long receive_message(int fd, struct msghdr *message, int flags)
{
	struct descriptors_trial trial = { .is_on = false };
	long n;

	if (waits_for_all(fd, flags) && message->msg_iovlen > 0 &&
	    message->msg_iovlen <= IOV_MAX) {
		n = receive_parts(fd, message, flags);
	} else {
		do {
			n = prepare(&trial, fd, flags, POLLIN);
			if (n == 0)
				n = CALL_3(SYS_recvmsg, fd, message, flags);
		} while (!descriptors_done(&trial, n));
	}
	if (n >= 0) {
		credentials_to_virtual(message);
		message_times_to_virtual(message);
	}
	return n;
}

static ssize_t hooked_recvmsg(int fd, struct msghdr *message, int flags)
{
	return call_result(receive_message(fd, message, flags));
}

/* As the kernel does, the timeout is looked at when a message has come, and only then. */
static int hooked_recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags,
			   struct timespec *timeout)
{
	int64_t deadline = timeout && session_is_on() ? turn_after(clocks_ns(timeout)) :
							LOCKSTEP_NEVER;
	unsigned int done = 0;
	long n = 0;

	if (!session_is_on())
		return (int)call_result(CALL_5(SYS_recvmmsg, fd, messages, count, flags, timeout));
	while (done < count) {
		int next = flags & ~MSG_WAITFORONE;

		if (done > 0 && flags & MSG_WAITFORONE)
			next |= MSG_DONTWAIT;
		n = receive_message(fd, &messages[done].msg_hdr, next);
		if (n < 0)
			break;
		messages[done++].msg_len = (unsigned int)n;
		if (lockstep->now >= deadline)
			break;
	}
	return done > 0 ? (int)done : (int)call_result(n);
}

static int hooked_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
	socklen_t room = address && length ? *length : 0;
	struct descriptors_trial trial = { .is_on = false };
	long n;

	do {
		n = prepare(&trial, fd, 0, POLLIN);
		if (n == 0)
			n = CALL_4(SYS_accept4, fd, address, length, flags);
	} while (!descriptors_done(&trial, n));
	if (n >= 0 && room > 0)
		ports_show_peer((int)n, address, room < *length ? room : *length);
	return (int)call_result(n);
}

static int hooked_accept(int fd, struct sockaddr *address, socklen_t *length)
{
	return hooked_accept4(fd, address, length, 0);
}

/* ---- sending ---- */

/* It may wait for another program of the session. */
static bool may_wait(int fd, int flags)
{
	return session_is_on() && !(flags & MSG_DONTWAIT) && !may_be_server(fd) &&
	       descriptors_may_wait(fd) && !session_leads_out(fd);
}

/* As much as there is room for now. */
static long send_some(int fd, const struct msghdr *message, int flags)
{
	size_t room = tcp_is(fd) ? tcp_peer_room(fd) : SIZE_MAX;
	struct msghdr some = *message;
	struct iovec part;

	if (room == SIZE_MAX || message->msg_iovlen == 0)
		return CALL_3(SYS_sendmsg, fd, message, flags);
	if (room == 0)
		return -EAGAIN;
	part = *message->msg_iov;
	if (part.iov_len > room)
		part.iov_len = room;
	some.msg_iov = &part;
	some.msg_iovlen = 1;
	return CALL_3(SYS_sendmsg, fd, &some, flags);
}

/* All of it, as a call that waits does; less after an error or a signal. Changes the message. */
static long send_all(int fd, struct msghdr *message, int flags)
{
	int64_t deadline = descriptors_deadline(fd, POLLOUT);
	size_t done = 0;
	long n;

	descriptors_begin_tries();
	for (;;) {
		pthread_testcancel();
		n = send_some(fd, message, flags | MSG_DONTWAIT);
		if (n >= 0) {
			done += (size_t)n;
			skip(message, (size_t)n);
			if (message->msg_iovlen == 0)
				return (long)done;
			/* Descriptors have gone with the first byte. */
			message->msg_control = NULL;
			message->msg_controllen = 0;
			descriptors_begin_tries();
			tcp_settle(fd);
			continue;
		}
		if (n == -EAGAIN)
			n = descriptors_await_try_until(fd, deadline);
		if (n < 0)
			return done > 0 ? (long)done : n;
	}
}

static long settled(int fd, long sent)
{
	looks_returned(sent);
	if (sent > 0)
		tcp_settle(fd);
	return sent;
}

static ssize_t hooked_sendto(int fd, const void *bytes, size_t size, int flags,
			     const struct sockaddr *address, socklen_t length)
{
	struct iovec part = { (void *)bytes, size };
	struct msghdr message = {
		.msg_name = (void *)address, .msg_namelen = address ? length : 0,
		.msg_iov = &part, .msg_iovlen = 1,
	};

	if (may_wait(fd, flags))
		return call_result(settled(fd, send_all(fd, &message, flags)));
	return call_result(settled(fd, CALL_6(SYS_sendto, fd, bytes, size, flags, address,
					      length)));
}

static ssize_t hooked_send(int fd, const void *bytes, size_t size, int flags)
{
	return hooked_sendto(fd, bytes, size, flags, NULL, 0);
}

static ssize_t hooked_sendmsg(int fd, const struct msghdr *message, int flags)
{
	_Alignas(struct cmsghdr) char room[CREDENTIALS_CONTROL_MAX];
	struct iovec parts[IOV_MAX];
	struct msghdr own = *message;

	credentials_to_kernel(&own, room);
	if (!may_wait(fd, flags) || own.msg_iovlen > IOV_MAX)
		return call_result(settled(fd, CALL_3(SYS_sendmsg, fd, &own, flags)));
	memcpy(parts, own.msg_iov, own.msg_iovlen * sizeof(*parts));
	own.msg_iov = parts;
	return call_result(settled(fd, send_all(fd, &own, flags)));
}

static int hooked_sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags)
{
	unsigned int done = 0;

	if (!session_is_on())
		return (int)call_result(CALL_4(SYS_sendmmsg, fd, messages, count, flags));
	while (done < count) {
		ssize_t n = hooked_sendmsg(fd, &messages[done].msg_hdr, flags);

		if (n < 0)
			return done > 0 ? (int)done : -1;
		messages[done++].msg_len = (unsigned int)n;
	}
	return (int)done;
}

/* ---- connecting ---- */

/* There is room for it. */
static long connect_now(int fd, const struct sockaddr *address, socklen_t length)
{
	bool has_port = ports_own(fd) != 0;
	long r = CALL_3(SYS_connect, fd, address, length);

	if (!has_port && (r == 0 || r == -EINPROGRESS))
		ports_connected(fd, address, length);
	if (r == 0 || r == -EINPROGRESS)
		tcp_settle_connection(fd, address, length);
	return r;
}

static long connect_later(int fd, const struct sockaddr *address, socklen_t length)
{
	bool has_port = ports_own(fd) != 0;
	long flags = descriptors_begin_try(fd), r = CALL_3(SYS_connect, fd, address, length);

	descriptors_end_try(fd, flags);
	if (!has_port && r == -EINPROGRESS)
		ports_connected(fd, address, length);
	if (r == -EINPROGRESS)
		tcp_remember(fd, address, length);
	return r;
}

/* SO_SNDTIMEO ends the wait, not the connection. */
static long wait_for_room(int fd, const struct sockaddr *address, socklen_t length)
{
	int64_t start = lockstep->now, deadline = descriptors_deadline(fd, POLLOUT);

	for (unsigned int i = 1; i <= TCP_TRIES + 1; i++) {
		int64_t next = start + tcp_delay_of(i);
		enum turn_end end = turn_wait(LOCKSTEP_DESCRIPTOR, (uint64_t)fd,
					      next < deadline ? next : deadline);

		pthread_testcancel();
		if (end == TURN_INTERRUPTED || end == TURN_RESTARTS)
			return -EINTR;
		if (lockstep->now >= deadline)
			return connect_later(fd, address, length);
		if (i <= TCP_TRIES && tcp_listener_has_room(address, length))
			return connect_now(fd, address, length);
	}
	return -ETIMEDOUT;
}

/* Where the backlog is full it is tried again, and given up with -ETIMEDOUT after 127 s. */
static long connect_by_tcp(int fd, const struct sockaddr *address, socklen_t length)
{
	long flags = CALL_2(SYS_fcntl, fd, F_GETFL);
	struct sockaddr_storage room;

	if (flags < 0 || !tcp_is(fd))
		return CALL_3(SYS_connect, fd, address, length);
	address = ports_to_kernel(address, length, &room);
	if (tcp_listener_has_room(address, length))
		return connect_now(fd, address, length);
	return flags & O_NONBLOCK ? connect_later(fd, address, length) :
				    wait_for_room(fd, address, length);
}

/*
 * To a program of this machine that has not accepted those before. Where somebody beyond the
 * session has to answer, that is waited for in real time.
 */
static int hooked_connect(int fd, const struct sockaddr *address, socklen_t length)
{
	int64_t deadline;
	long r;

	if (session_is_on() && length >= sizeof(address->sa_family) &&
	    (address->sa_family == AF_INET || address->sa_family == AF_INET6))
		return (int)call_result(connect_by_tcp(fd, address, length));
	if (!may_wait(fd, 0) || length < sizeof(address->sa_family) ||
	    address->sa_family != AF_UNIX)
		return (int)call_result(CALL_3(SYS_connect, fd, address, length));
	deadline = descriptors_deadline(fd, POLLOUT);
	descriptors_begin_tries();
	do {
		long flags;

		pthread_testcancel();
		flags = descriptors_begin_try(fd);
		r = CALL_3(SYS_connect, fd, address, length);
		descriptors_end_try(fd, flags);
	} while (r == -EAGAIN && (r = descriptors_await_try_until(fd, deadline)) == 0);
	return (int)call_result(r);
}

const struct hook sockets_hooks[] = {
	{ "connect", hooked_connect },
	{ "send", hooked_send },
	{ "sendto", hooked_sendto },
	{ "sendmsg", hooked_sendmsg },
	{ "recv", hooked_recv },
	{ "recvfrom", hooked_recvfrom },
	{ "recvmsg", hooked_recvmsg },
	{ "recvmmsg", hooked_recvmmsg },
	{ "sendmmsg", hooked_sendmmsg },
	{ "accept", hooked_accept },
	{ "accept4", hooked_accept4 },
	{ "bind", hooked_bind },
	{ "listen", hooked_listen },
	{ "getsockname", hooked_getsockname },
	{ "getpeername", hooked_getpeername },
	{ NULL, NULL },
};

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-transfers.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-changes.h"
#include "lib/stand-in/call-messages.h"
#include "lib/stand-in/call-past.h"
#include "lib/stand-in/call-transfers.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-socket.h"
#include "lib/stand-in/foreign-umad.h"

enum {
	AT_ONCE = 4096,		/* what a pipe takes whole, pipe(7): PIPE_BUF */
	COPY_MAX = 1 << 20,
	READ_MAX = 1 << 16,
	PARTS_MAX = 1024,	/* UIO_MAXIOV */
};

/* ---- reading ---- */

/* SO_RCVTIMEO or SO_SNDTIMEO in ms; -1: none. */
static int timeout_of(int fd, int option)
{
	struct timeval timeout = { .tv_sec = 0 };
	socklen_t size = sizeof(timeout);

	if (getsockopt(fd, SOL_SOCKET, option, &timeout, &size) < 0 ||
	    (timeout.tv_sec == 0 && timeout.tv_usec == 0))
		return -1;
	return (int)(timeout.tv_sec * 1000 + (timeout.tv_usec + 999) / 1000);
}

/* These take nothing, and leave nothing behind; they are no looks of the program's. */
static bool socket_refuses(const struct foreign_descriptor *descriptor, short events, int flags)
{
	char byte;
	long n = -EAGAIN;

	if (events & POLLIN)
		n = CALL_6(SYS_recvfrom, descriptor->fd, &byte, 1,
			   (flags & MSG_OOB) | MSG_PEEK | MSG_DONTWAIT, NULL, NULL);
	else if (descriptor->is_stream)
		n = CALL_6(SYS_sendto, descriptor->fd, &byte, 0, MSG_DONTWAIT | MSG_NOSIGNAL,
			   NULL, 0);
	return n < 0 && n != -EAGAIN;
}

/* Does the kernel refuse the call, or answer it, though there is nothing to be had? */
static bool answers_at_once(const struct foreign_descriptor *descriptor, short events, int flags)
{
	const struct timespec at_once = { .tv_sec = 0 };
	struct pollfd at = { .fd = descriptor->fd, .events = events };

	if (CALL_5(SYS_ppoll, &at, 1, &at_once, NULL, 0) > 0)
		return false;
	if (descriptor->is_socket)
		return socket_refuses(descriptor, events, flags) ||
		       (flags & MSG_ERRQUEUE && descriptor->has_errors);
	return (CALL_2(SYS_fcntl, descriptor->fd, F_GETFL) & O_ACCMODE) ==
	       (events & POLLIN ? O_WRONLY : O_RDONLY);
}

/*
 * Until the descriptor is ready; then the kernel makes the call, which does not wait. One that may
 * not wait is a look. The fabric's server answers a call of libibumad's while time stands still: a
 * wait in the session would let others in, or not, as quick as the server is. 'flags' are those of
 * recv(2) and send(2). Takes the descriptor.
 */
static long wait_for(struct foreign_descriptor *descriptor, short events, int flags)
{
	struct pollfd at = { .fd = descriptor->fd, .events = events };
	int ret, timeout = 0;

	if (descriptor->fd < 0 || descriptor->is_server ||
	    answers_at_once(descriptor, events, flags)) {
		foreign_descriptor_put(descriptor);
		umadrig_session_transfers();
		return CALL_GOES_ON;
	}
	if (events & POLLOUT)
		call_changes_write(descriptor);
	if (!(flags & MSG_DONTWAIT) && !descriptor->never_waits)
		timeout = timeout_of(descriptor->fd, events & POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO);
	ret = poll(&at, 1, timeout);
	foreign_descriptor_put(descriptor);
	if (ret > 0)
		umadrig_session_transfers();
	if (ret < 0 && errno == EINTR)
		return CALL_RESTARTS;
	if (ret == 0 && timeout > 0)
		return -EAGAIN;
	return CALL_GOES_ON;
}

static long read_here(struct foreign_descriptor *descriptor, const struct iovec *parts,
		      size_t count)
{
	static __thread uint8_t bytes[READ_MAX];
	size_t size = foreign_memory_room(parts, count, READ_MAX);
	ssize_t n = read(descriptor->fd, bytes, size);

	foreign_descriptor_put(descriptor);
	if (n > 0 && foreign_memory_put_parts(parts, count, bytes, (size_t)n) < 0)
		return -EFAULT;
	return foreign_call_restarting(n);
}

/* The same of readv(2). What is wrong with its parts the kernel knows. */
static long read_parts_here(struct foreign_descriptor *descriptor)
{
	struct iovec parts[PARTS_MAX];
	uint64_t count = foreign_argument(2);

	if (count <= PARTS_MAX &&
	    foreign_memory_get(foreign_argument(1), parts, count * sizeof(*parts)) == 0)
		return read_here(descriptor, parts, (size_t)count);
	foreign_descriptor_put(descriptor);
	return CALL_GOES_ON;
}

/* On what this process makes the calls on for it 'receive' does. Takes the descriptor. */
static long receive_by(long (*receive)(int fd), struct foreign_descriptor *descriptor, int flags)
{
	if (descriptor->umad < 0)
		return wait_for(descriptor, POLLIN, flags);
	foreign_descriptor_put(descriptor);
	return receive(descriptor->umad);
}

/* Of nothing, or of less than there can be: the library knows whether that is refused. */
static bool is_read_here(const struct foreign_descriptor *descriptor, size_t size)
{
	return descriptor->is_read_here || size == 0 ||
	       (descriptor->is_anonymous && size < sizeof(struct signalfd_siginfo) &&
		size != sizeof(uint64_t));
}

long call_transfers_read(void)
{
	const struct iovec part = { (void *)(uintptr_t)foreign_argument(1),
				    (size_t)foreign_argument(2) };
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad < 0)
		return is_read_here(&descriptor, part.iov_len) ?
		       read_here(&descriptor, &part, 1) : wait_for(&descriptor, POLLIN, 0);
	foreign_descriptor_put(&descriptor);
	return foreign_umad_read(descriptor.umad);
}

/* The same of readv(2). */
static bool asks_for_nothing(void)
{
	struct iovec parts[PARTS_MAX];
	uint64_t count = foreign_argument(2);

	return count <= PARTS_MAX &&
	       foreign_memory_get(foreign_argument(1), parts, count * sizeof(*parts)) == 0 &&
	       foreign_memory_room(parts, (size_t)count, 1) == 0;
}

long call_transfers_readv(void)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad < 0 && (descriptor.is_read_here || asks_for_nothing()))
		return read_parts_here(&descriptor);
	return receive_by(foreign_umad_readv, &descriptor, 0);
}

static long answer_here(struct foreign_descriptor *descriptor, long ret)
{
	foreign_descriptor_put(descriptor);
	if (ret > 0)
		umadrig_session_transfers();
	return ret;
}

long call_transfers_recv(void)
{
	int flags = (int)foreign_argument(3);
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad < 0 && call_messages_wait_for_all(&descriptor, flags))
		return answer_here(&descriptor, call_messages_receive_all(&descriptor));
	return receive_by(foreign_socket_receive, &descriptor, flags);
}

long call_transfers_recvmsg(void)
{
	int flags = (int)foreign_argument(2);
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad < 0 && call_messages_come_here(&descriptor, flags))
		return answer_here(&descriptor, call_messages_receive(&descriptor));
	return receive_by(foreign_socket_receive_message, &descriptor, flags);
}

/* ---- writing ---- */

/* The kernel raises SIGPIPE in the process that writes, which is this one. */
static long answer_write(long ret, int flags)
{
	if (ret < 0 && errno == EPIPE && !(flags & MSG_NOSIGNAL))
		CALL_3(SYS_tgkill, foreign.pid, foreign_self->tid, SIGPIPE);
	return foreign_call_restarting(ret);
}

/* What a call writes, from 'from' on, COPY_MAX bytes at most. Their number, or -EFAULT for none. */
static long gather(const struct iovec *parts, size_t count, size_t from, uint8_t *bytes)
{
	size_t at = 0;

	for (size_t i = 0; i < count && at < COPY_MAX; i++) {
		uint64_t base = (uint64_t)(uintptr_t)parts[i].iov_base;
		size_t left = parts[i].iov_len, skipped = left < from ? left : from;

		from -= skipped;
		left -= skipped;
		if (left > COPY_MAX - at)
			left = COPY_MAX - at;
		if (left > 0 && foreign_memory_get(base + skipped, bytes + at, left) < 0)
			return at > 0 ? (long)at : -EFAULT;
		at += left;
	}
	return (long)at;
}

/* A socket raises no SIGPIPE here. */
static long write_piece(const struct foreign_descriptor *descriptor, const uint8_t *bytes,
			size_t size, int flags)
{
	return descriptor->is_socket ? send(descriptor->fd, bytes, size, flags | MSG_NOSIGNAL) :
				       write(descriptor->fd, bytes, size);
}

/* In the foreign program's place: what has no room at once waits for that as ours would. */
static long write_in_place(const struct foreign_descriptor *descriptor, const struct iovec *parts,
			   size_t count, int flags)
{
	size_t total = foreign_memory_room(parts, count, SIZE_MAX), done = 0;
	uint8_t *bytes = malloc(COPY_MAX);
	long size, ret;

	if (!bytes) {
		errno = ENOMEM;
		return -1;
	}
	do {
		size = gather(parts, count, done, bytes);
		errno = EFAULT;
		ret = size < 0 ? -1 : write_piece(descriptor, bytes, (size_t)size, flags);
		if (ret > 0)
			done += (size_t)ret;
	} while (ret > 0 && ret == size && done < total);
	free(bytes);
	return done > 0 ? (long)done : ret;
}

/*
 * Only a stream may have room for a part, and TCP's bytes have to have arrived (lockstep/tcp.h).
 * 'has_more': the call has more than bytes. Takes the descriptor.
 */
static long write_parts(struct foreign_descriptor *descriptor, const struct iovec *parts,
			size_t count, int flags, bool has_more)
{
	size_t size = foreign_memory_room(parts, count, SIZE_MAX);
	bool may_be_cut = descriptor->is_stream && !descriptor->never_waits && size > AT_ONCE;
	long ret;

	if (size == 0 && !descriptor->is_socket) {
		foreign_descriptor_put(descriptor);
		return CALL_GOES_ON;
	}
	if (descriptor->fd < 0 || has_more ||
	    !(descriptor->is_tcp || descriptor->is_anonymous || may_be_cut))
		return wait_for(descriptor, POLLOUT, flags);
	ret = write_in_place(descriptor, parts, count, flags);
	foreign_descriptor_put(descriptor);
	return answer_write(ret, flags);
}

static long write_one(int flags, bool has_more)
{
	const struct iovec part = { (void *)(uintptr_t)foreign_argument(1),
				    (size_t)foreign_argument(2) };
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad < 0)
		return write_parts(&descriptor, &part, 1, flags, has_more);
	foreign_descriptor_put(&descriptor);
	return foreign_umad_write(descriptor.umad);
}

long call_transfers_write(void)
{
	return write_one(0, false);
}

static long write_many(uint64_t at, uint64_t count, int flags, bool has_more)
{
	struct foreign_descriptor descriptor;
	struct iovec parts[PARTS_MAX];

	if (count > PARTS_MAX || foreign_memory_get(at, parts, count * sizeof(*parts)) < 0)
		return CALL_GOES_ON;	/* the kernel knows what is wrong with it */
	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	return write_parts(&descriptor, parts, (size_t)count, flags, has_more);
}

long call_transfers_writev(void)
{
	return write_many(foreign_argument(1), foreign_argument(2), 0, false);
}

long call_transfers_send(void)
{
	return write_one((int)foreign_argument(3), foreign_argument(4) != 0);
}

/* One with credentials is sent here. */
static long send_message(const struct msghdr *message, int flags)
{
	struct foreign_descriptor descriptor;
	long n;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	n = call_messages_send(&descriptor, message, flags);
	foreign_descriptor_put(&descriptor);
	return n == CALL_GOES_ON ? n : answer_write(n, flags);
}

long call_transfers_sendmsg(void)
{
	int own = foreign_descriptor_own(), flags = (int)foreign_argument(2);
	struct msghdr message;
	long ret;

	if (own >= 0)
		return foreign_socket_refuse_send(own);
	if (foreign_memory_get(foreign_argument(1), &message, sizeof(message)) < 0)
		return CALL_GOES_ON;
	ret = message.msg_controllen ? send_message(&message, flags) : CALL_GOES_ON;
	if (ret != CALL_GOES_ON)
		return ret;
	return write_many((uint64_t)(uintptr_t)message.msg_iov, message.msg_iovlen,
			  flags, message.msg_name || message.msg_controllen);
}

/* ---- many at once ---- */

/* (Without MSG_WAITFORONE the kernel would wait for more of them, in real time.) */
long call_transfers_recvmmsg(void)
{
	unsigned int flags = (unsigned int)foreign_argument(3);
	struct foreign_descriptor descriptor;

	if (!(flags & (MSG_WAITFORONE | MSG_DONTWAIT)) && foreign_argument(2) > 1)
		return call_past_go_on();
	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	return receive_by(foreign_socket_receive_messages, &descriptor, (int)flags);
}

long call_transfers_sendmmsg(void)
{
	int own = foreign_descriptor_own();
	struct foreign_descriptor descriptor;

	if (own >= 0)
		return foreign_socket_refuse_send(own);
	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	return wait_for(&descriptor, POLLOUT, (int)foreign_argument(3));
}

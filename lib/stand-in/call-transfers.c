/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-transfers.h. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/stand-in/call-changes.h"
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

/*
 * Until the descriptor is ready; then the kernel makes the call, which does not wait. One that may
 * not wait is a look. The fabric's server answers a call of libibumad's while time stands still: a
 * wait in the session would let others in, or not, as quick as the server is. Takes the descriptor.
 */
static void wait_for(struct foreign_descriptor *descriptor, short events, bool never_waits)
{
	struct pollfd at = { .fd = descriptor->fd, .events = events };
	int ret, timeout = 0;

	if (descriptor->fd < 0 || descriptor->is_server) {
		foreign_descriptor_put(descriptor);
		foreign_call_go_on();
		return;
	}
	if (events & POLLOUT)
		call_changes_write(descriptor);
	if (!never_waits && !descriptor->never_waits)
		timeout = timeout_of(descriptor->fd, events & POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO);
	ret = poll(&at, 1, timeout);
	foreign_descriptor_put(descriptor);
	if (ret < 0 && errno == EINTR)
		foreign_call_answer(CALL_RESTARTS);
	else if (ret == 0 && timeout > 0)
		foreign_call_answer(-EAGAIN);
	else
		foreign_call_go_on();
}

static void read_here(struct foreign_descriptor *descriptor)
{
	static __thread uint8_t bytes[READ_MAX];
	size_t size = foreign_argument(2) < READ_MAX ? (size_t)foreign_argument(2) : READ_MAX;
	ssize_t n = read(descriptor->fd, bytes, size);
	int err = errno;

	foreign_descriptor_put(descriptor);
	if (n > 0 && foreign_memory_put(foreign_argument(1), bytes, (size_t)n) < 0)
		foreign_call_answer(-EFAULT);
	else if (n < 0 && err == EINTR)
		foreign_call_answer(CALL_RESTARTS);
	else
		foreign_call_answer(n < 0 ? -err : n);
}

void call_transfers_read(void)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad >= 0) {
		foreign_descriptor_put(&descriptor);
		foreign_umad_read(descriptor.umad);
	} else if (descriptor.fd >= 0 && descriptor.is_read_here) {
		read_here(&descriptor);
	} else {
		wait_for(&descriptor, POLLIN, false);
	}
}

void call_transfers_readv(void)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad >= 0) {
		foreign_descriptor_put(&descriptor);
		foreign_umad_readv(descriptor.umad);
	} else {
		wait_for(&descriptor, POLLIN, false);
	}
}

/* On what this process makes the call on for it 'receive' does. */
static void receive_by(void (*receive)(int fd), bool never_waits)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad >= 0) {
		foreign_descriptor_put(&descriptor);
		receive(descriptor.umad);
	} else {
		wait_for(&descriptor, POLLIN, never_waits);
	}
}

void call_transfers_recv(void)
{
	receive_by(foreign_socket_receive, foreign_argument(3) & MSG_DONTWAIT);
}

void call_transfers_recvmsg(void)
{
	receive_by(foreign_socket_receive_message, foreign_argument(2) & MSG_DONTWAIT);
}

/* ---- writing ---- */

/* The kernel raises SIGPIPE in the process that writes, which is this one. */
static void answer_write(long ret)
{
	int err = errno;

	if (ret < 0 && err == EPIPE)
		CALL_3(SYS_tgkill, foreign.pid, foreign_self->tid, SIGPIPE);
	if (ret < 0 && err == EINTR)
		foreign_call_answer(CALL_RESTARTS);
	else
		foreign_call_answer(ret < 0 ? -err : ret);
}

/* All that a call writes, in one piece, of COPY_MAX bytes at most. NULL: there is no memory. */
static uint8_t *gather(const struct iovec *parts, size_t count, size_t *ret_size)
{
	uint8_t *bytes;
	size_t size = 0, at = 0;

	for (size_t i = 0; i < count; i++)
		size += parts[i].iov_len < COPY_MAX ? parts[i].iov_len : COPY_MAX;
	if (size > COPY_MAX)
		size = COPY_MAX;
	bytes = malloc(size ? size : 1);
	for (size_t i = 0; bytes && i < count && at < size; i++) {
		size_t part = parts[i].iov_len < size - at ? parts[i].iov_len : size - at;

		if (foreign_memory_get((uint64_t)(uintptr_t)parts[i].iov_base, bytes + at,
				       part) < 0)
			break;
		at += part;
	}
	*ret_size = at;
	return bytes;
}

/* In the foreign program's place: what has no room at once waits for that as ours would. */
static long write_in_place(const struct foreign_descriptor *descriptor, const struct iovec *parts,
			   size_t count, int flags)
{
	size_t size;
	uint8_t *bytes = gather(parts, count, &size);
	long ret;

	if (!bytes) {
		errno = ENOMEM;
		return -1;
	}
	if (size == 0 && count > 0 && parts[0].iov_len > 0) {
		free(bytes);
		errno = EFAULT;
		return -1;
	}
	if (descriptor->is_tcp)
		ret = send(descriptor->fd, bytes, size, flags | MSG_NOSIGNAL);
	else
		ret = write(descriptor->fd, bytes, size);
	free(bytes);
	return ret;
}

static size_t total_of(const struct iovec *parts, size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += parts[i].iov_len;
	return size;
}

/*
 * Only a stream may have room for a part, and TCP's bytes have to have arrived (lockstep/tcp.h).
 * 'has_more': the call has more than bytes. Takes the descriptor.
 */
static void write_parts(struct foreign_descriptor *descriptor, const struct iovec *parts,
			size_t count, int flags, bool has_more)
{
	bool may_be_cut = descriptor->is_stream && !descriptor->never_waits &&
			  total_of(parts, count) > AT_ONCE;
	long ret;

	if (descriptor->fd < 0 || has_more || !(descriptor->is_tcp || may_be_cut)) {
		wait_for(descriptor, POLLOUT, flags & MSG_DONTWAIT);
		return;
	}
	ret = write_in_place(descriptor, parts, count, flags);
	foreign_descriptor_put(descriptor);
	answer_write(ret);
}

static void write_one(int flags, bool has_more)
{
	const struct iovec part = { (void *)(uintptr_t)foreign_argument(1),
				    (size_t)foreign_argument(2) };
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad >= 0) {
		foreign_descriptor_put(&descriptor);
		foreign_umad_write(descriptor.umad);
	} else {
		write_parts(&descriptor, &part, 1, flags, has_more);
	}
}

void call_transfers_write(void)
{
	write_one(0, false);
}

static void write_many(uint64_t at, uint64_t count, int flags, bool has_more)
{
	struct foreign_descriptor descriptor;
	struct iovec parts[PARTS_MAX];

	if (count > PARTS_MAX || foreign_memory_get(at, parts, count * sizeof(*parts)) < 0) {
		foreign_call_go_on();	/* the kernel knows what is wrong with it */
		return;
	}
	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	write_parts(&descriptor, parts, (size_t)count, flags, has_more);
}

void call_transfers_writev(void)
{
	write_many(foreign_argument(1), foreign_argument(2), 0, false);
}

void call_transfers_send(void)
{
	write_one((int)foreign_argument(3), foreign_argument(4) != 0);
}

/* Is it one on which this process makes the calls? Then nothing can be sent, and it is answered. */
static bool is_refused(void)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	foreign_descriptor_put(&descriptor);
	if (descriptor.umad >= 0)
		foreign_socket_refuse_send(descriptor.umad);
	return descriptor.umad >= 0;
}

void call_transfers_sendmsg(void)
{
	struct msghdr message;

	if (is_refused())
		return;
	if (foreign_memory_get(foreign_argument(1), &message, sizeof(message)) < 0)
		foreign_call_go_on();
	else
		write_many((uint64_t)(uintptr_t)message.msg_iov, message.msg_iovlen,
			   (int)foreign_argument(2), message.msg_name || message.msg_controllen);
}

/* ---- many at once ---- */

/* (Without MSG_WAITFORONE the kernel would wait for more of them, in real time.) */
void call_transfers_recvmmsg(void)
{
	unsigned int flags = (unsigned int)foreign_argument(3);

	if (flags & (MSG_WAITFORONE | MSG_DONTWAIT) || foreign_argument(2) <= 1)
		receive_by(foreign_socket_receive_messages, flags & MSG_DONTWAIT);
	else
		call_past_go_on();
}

static void wait_to_write(unsigned int argument, bool never_waits)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(argument), &descriptor);
	wait_for(&descriptor, POLLOUT, never_waits);
}

void call_transfers_sendmmsg(void)
{
	if (!is_refused())
		wait_to_write(0, foreign_argument(3) & MSG_DONTWAIT);
}

/* The other end is a file. */
void call_transfers_sendfile(void)
{
	wait_to_write(0, false);
}

/* First for what it reads from; what has come by then stays there. */
void call_transfers_splice(void)
{
	struct foreign_descriptor from;
	struct pollfd at = { .events = POLLIN };
	int ret = 0;

	foreign_descriptor_get((int)foreign_argument(0), &from);
	at.fd = from.fd;
	if (from.fd >= 0)
		ret = poll(&at, 1, from.never_waits ? 0 : -1);
	foreign_descriptor_put(&from);
	if (ret < 0 && errno == EINTR)
		foreign_call_answer(CALL_RESTARTS);
	else
		wait_to_write(2, false);
}

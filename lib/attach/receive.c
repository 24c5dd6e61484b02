/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * receive.c: see lib/attach/receive.h. It does not allocate memory.
 */
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/attach/call.h"
#include "lib/attach/attach-handle.h"
#include "lib/attach/mailbox.h"
#include "lib/attach/receive.h"
#include "lib/attach/ring.h"
#include "lib/attach/spin.h"
#include "lib/base/monotonic.h"
#include "lib/base/wire.h"

/* Only the handle of an agent that does RMPP can have messages too large for a common buffer. */
static atomic_bool may_be_large;

/* Statistics of the calling thread's waits for MADs. */
static __thread struct {
	unsigned int in_row;	/* how often in a row it has had to wait */
	struct attach_spin spin, soon;
} waits __attribute__((tls_model("initial-exec")));

void attach_receive_large(void)
{
	atomic_store(&may_be_large, true);
}

/* Puts a message that turned out to be too large back to the head of the file's queue. */
static void put_back(uint64_t token, const void *bytes, size_t size, int memfd,
		     size_t memfd_size)
{
	struct attach_exchange exchange = {
		.call = {
			.op = ATTACH_PUT_BACK, .handle = token, .argument = (uint32_t)memfd_size,
		},
		.data = bytes,
		.size = memfd >= 0 ? 0 : size,
		.fd = memfd,
	};

	attach_call(&exchange);
}

/* The memfd is ours alone now, and so is its offset. */
static long read_memfd(int memfd, uint8_t *to, size_t size)
{
	size_t done = 0;

	if (lseek(memfd, 0, SEEK_SET) < 0)
		return -EIO;
	while (done < size) {
		ssize_t n = read(memfd, to + done, size - done);

		if (n == 0 || (n < 0 && errno != EINTR))
			return -EIO;
		done += n > 0 ? (size_t)n : 0;
	}
	return (long)done;
}

static long socket_error(long n)
{
	switch (-n) {
	case ENOTSOCK:
		return -EBADF;
	case ECONNRESET:
		return -EIO;
	default:
		return n;
	}
}

/* Reads a large message whose record has been taken off the socket. */
static long take_large(int memfd, const struct attach_record *record, uint8_t *umad,
		       size_t size)
{
	off_t whole = lseek(memfd, 0, SEEK_END);
	long n = -EIO;

	if (whole >= 0 && (size_t)whole <= size) {
		n = read_memfd(memfd, umad, (size_t)whole);
	} else if (whole >= 0) {
		put_back(record->handle, NULL, 0, memfd, (size_t)whole);
		if (size >= ATTACH_HEAD_SIZE)
			memcpy(umad, record->bytes, ATTACH_HEAD_SIZE);
		n = size >= ATTACH_HEAD_SIZE ? -ENOSPC : -EINVAL;
	}
	close(memfd);
	return n;
}

/* Hands out a plain message that has come: as attach_recv(). */
static long give(int fd, const struct attach_record *record, uint8_t *umad, size_t size)
{
	if (record->size > size) {
		put_back(record->handle, record->bytes, record->size, -1, 0);
		return -EINVAL;
	}
	copy_bytes(umad, record->bytes, record->size);
	attach_handle_told(fd, record->handle);
	return (long)record->size;
}

/* Takes the next message, which most likely fits: as attach_recv(). */
static long take(int fd, uint8_t *umad, size_t size)
{
	struct attach_record record;
	int memfd = -1, flags = 0;
	long n;

	n = attach_receive(fd, &record, sizeof(record), MSG_DONTWAIT, &memfd, &flags);
	if (n < 0)
		return socket_error(n);
	if (memfd >= 0)
		return take_large(memfd, &record, umad, size);
	if (n < (long)sizeof(record) || record.size > ATTACH_HEAD_SIZE || record.is_large) {
		attach_ring_check();	/* the device or the server is gone */
		return -EIO;
	}
	return give(fd, &record, umad, size);
}

/*
 * Looks whether the next message fits, and leaves it if not. Returns 0, or what attach_recv() then
 * returns.
 */
static long look(int fd, uint8_t *umad, size_t size)
{
	struct attach_record record;
	struct ib_user_mad header;
	ssize_t n = recv(fd, &record, sizeof(record), MSG_PEEK | MSG_DONTWAIT);

	if (n < 0)
		return socket_error(-errno);
	if (n < (ssize_t)sizeof(record))
		return -EIO;
	if (!record.is_large)
		return record.size > size ? -EINVAL : 0;
	if (size < ATTACH_HEAD_SIZE)
		return -EINVAL;
	memcpy(&header, record.bytes, sizeof(header));
	if (header.length <= size)
		return 0;
	memcpy(umad, record.bytes, ATTACH_HEAD_SIZE);
	return -ENOSPC;
}

/* A wait that a signal handler has interrupted or left must not keep what comes. */
static void leave_mailbox(void)
{
	struct attach_record record;

	if (attach_mailbox_leave(&record))
		put_back(record.handle, record.bytes, record.size, -1, 0);
}

static long receive(int fd, void *umad, size_t size)
{
	long n;

	if (size < ATTACH_HEADER_SIZE)
		return -EINVAL;
	if (size < ATTACH_HEAD_SIZE || atomic_load_explicit(&may_be_large, memory_order_relaxed)) {
		n = look(fd, umad, size);
		if (n < 0)
			return n;
	}
	return take(fd, umad, size);
}

long attach_recv(int fd, void *umad, size_t size)
{
	long n;

	leave_mailbox();
	n = receive(fd, umad, size);
	if (n == -EAGAIN)
		attach_ring_flush();
	return n;
}

/* ---- waiting ---- */

static int poll_one(int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int n = poll(&pfd, 1, timeout_ms);

	if (n < 0)
		n = -errno;
	return n > 0 ? pfd.revents : n;
}

int attach_poll(int fd, int timeout_ms)
{
	struct attach_wait wait;
	int n;

	leave_mailbox();
	attach_ring_wait_begins(0, &wait);
	n = poll_one(fd, timeout_ms);
	attach_ring_wait_over(&wait);
	return n;
}

/* Looks again for a moment, if that has been worthwhile so far. */
static long spin(int fd, void *umad, size_t size)
{
	enum { SPIN_NS = 100000, PAUSES = 16 };
	int64_t from_ns;
	long n;

	if (!attach_spin_may(&waits.spin))
		return -EAGAIN;
	from_ns = monotonic_ns();
	do {
		for (unsigned int i = 0; i < PAUSES; i++)
			attach_pause();
		n = receive(fd, umad, size);
	} while (n == -EAGAIN && monotonic_ns() - from_ns < SPIN_NS);
	attach_spin_done(&waits.spin, n != -EAGAIN);
	return n;
}

/* Looks into the socket, and notes when it is empty. */
static long look_for_mailbox(int fd, void *umad, size_t size, const struct attach_page *page,
			     uint64_t token)
{
	uint32_t written = attach_mailbox_written(page);
	long n = receive(fd, umad, size);

	if (n == -EAGAIN)
		attach_mailbox_saw_empty(token, written);
	return n;
}

/* Waits at the mailbox of a handle, for a moment. -EAGAIN: poll the socket. */
static long wait_in_mailbox(int fd, void *umad, size_t size, const struct attach_wait *wait,
			    uint64_t token, int *timeout_ms)
{
	enum { TRIES = 3 };
	struct attach_record record;

	for (unsigned int i = 0; i < TRIES; i++) {
		long n = attach_mailbox_wait(wait->page, token, wait->serial,
					     wait->is_elsewhere ? &waits.spin : NULL, timeout_ms,
					     &record);

		if (n == 0)
			return give(fd, &record, umad, size);
		if (n == -ESTALE)
			n = look_for_mailbox(fd, umad, size, wait->page, token);
		else if (n == -EAGAIN)
			return n;
		if (n != -EAGAIN)
			return n;
	}
	return -EAGAIN;
}

/*
 * Waits once, after nothing was found. As attach_recv_wait(), and -EAGAIN or -EINTR if the wait is
 * to go on.
 */
static long wait_and_receive(int fd, void *umad, size_t size, int timeout_ms)
{
	uint64_t token = size < ATTACH_HEAD_SIZE ? 0 : attach_handle_to_wait(fd);
	struct attach_wait wait;
	int events = 0;
	long n = -EAGAIN;

	attach_ring_wait_begins(token, &wait);
	if (wait.page)
		n = wait_in_mailbox(fd, umad, size, &wait, token, &timeout_ms);
	else if (wait.is_elsewhere)
		n = spin(fd, umad, size);
	if (n == -EAGAIN)
		events = poll_one(fd, timeout_ms);
	attach_ring_wait_over(&wait);
	if (n == -ERESTART)
		return -EAGAIN;		/* the caller knows how much time is left */
	if (n != -EAGAIN || events < 0)
		return n != -EAGAIN ? n : events;
	if (events == 0)
		return -ETIMEDOUT;
	return events & POLLNVAL ? -EBADF : attach_recv(fd, umad, size);
}

/* Looks into the mailbox for a moment; into the socket first, if that may not be empty. */
static long look_in_mailbox(int fd, void *umad, size_t size, const struct attach_wait *wait,
			    uint64_t token)
{
	enum { TRIES = 2 };
	struct attach_record record;
	long n = -EAGAIN;

	for (unsigned int i = 0; i < TRIES && n == -EAGAIN; i++) {
		n = attach_mailbox_look(wait->page, token, wait->serial, &waits.soon, &record);
		if (n == 0)
			return give(fd, &record, umad, size);
		if (n != -ESTALE)
			break;
		n = look_for_mailbox(fd, umad, size, wait->page, token);
	}
	return n;
}

long attach_recv_soon(int fd, void *umad, size_t size)
{
	bool looks = size >= ATTACH_HEAD_SIZE && attach_spin_may(&waits.soon);
	uint64_t token = looks ? attach_handle_to_wait(fd) : 0;
	struct attach_wait wait;
	long n;

	if (!token)
		return attach_recv(fd, umad, size);
	leave_mailbox();
	attach_ring_wait_begins(token, &wait);
	if (wait.page && wait.is_elsewhere)
		n = look_in_mailbox(fd, umad, size, &wait, token);
	else
		n = receive(fd, umad, size);
	attach_ring_wait_over(&wait);
	return n;
}

/* Looks whether something is there, unless that was hardly ever so. -EAGAIN: nothing was seen. */
static long look_before_wait(int fd, void *umad, size_t size)
{
	enum { WAITS_FIRST = 4, LOOKS_AGAIN = 16 };
	bool looks = waits.in_row < WAITS_FIRST || waits.in_row % LOOKS_AGAIN == 0;
	long n = -EAGAIN;

	leave_mailbox();
	if (looks)
		n = receive(fd, umad, size);
	waits.in_row = n == -EAGAIN ? waits.in_row + 1 : 0;
	return n;
}

/*
 * Looks first or waits first, whichever has taken fewer system calls so far: a program with many
 * outstanding requests finds an answer, one that sends a request and waits does not.
 */
long attach_recv_wait(int fd, void *umad, size_t size, int timeout_ms)
{
	long n = look_before_wait(fd, umad, size);
	int64_t until_ns;

	if (n != -EAGAIN)
		return n;
	until_ns = monotonic_deadline_ns(timeout_ms);
	for (;;) {
		n = wait_and_receive(fd, umad, size, timeout_ms);
		if (n != -EAGAIN && (n != -EINTR || timeout_ms < 0))
			return n;
		if (!monotonic_goes_on(&timeout_ms, until_ns))
			return -ETIMEDOUT;
		n = look_before_wait(fd, umad, size);
		if (n != -EAGAIN)
			return n;
	}
}

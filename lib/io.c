/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * io.c: opens and closes ports, sends and receives.
 *
 * Sends and receives do not allocate memory. A send is one system call, a receive two (wait and
 * read).
 */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "lib/backend-list.h"
#include "lib/debug.h"
#include "lib/dump.h"
#include "lib/fail.h"
#include "lib/handle-table.h"
#include "lib/raw-call.h"
#include "lib/base/monotonic.h"
#include "lib/select.h"

enum {
	HEADER_SIZE = 64,	/* in the program's buffers */
	OLD_HEADER_SIZE = 56,	/* of a file without ENABLE_PKEY: no pkey_index */
};

/* The result for a bad handle: -EINVAL, with the errno that the system call would have set. */
static int bad_handle(void)
{
	errno = EBADF;
	return -EINVAL;
}

/* The errors that open documents; everything else is -EIO, and errno says why. */
static int open_result(int r)
{
	errno = -r;
	return r == -EINVAL || r == -EOPNOTSUPP || r == -ENOMEM ? r : -EIO;
}

static int open_port(const char *ca_name, int portnum, bool smi_only)
{
	const struct umad_backend *backend = umad_backend_get();
	size_t header_size = HEADER_SIZE;
	struct umad_choice choice;
	int fd, r;

	if (!backend)
		return -errno;
	r = umad_choose_port(backend, ca_name, portnum, smi_only, &choice);
	if (r < 0)
		return umad_fail(r);
	fd = backend->open(choice.ca_name, choice.portnum, &header_size);
	umad_trace("%s port %u: %d", choice.ca_name, choice.portnum, fd);
	if (fd < 0)
		return open_result(fd);
	r = umad_handle_add(fd, header_size);
	if (r < 0) {
		backend->close(fd);
		return open_result(r);
	}
	umad_raw_opened(fd);
	return fd;
}

int umad_open_port(const char *ca_name, int portnum)
{
	return open_port(ca_name, portnum, false);
}

int umad_open_smi_port(const char *ca_name, int portnum)
{
	return open_port(ca_name, portnum, true);
}

int umad_close_port(int portid)
{
	const struct umad_backend *backend = umad_backend_get();

	/*
	 * Unlike other calls, this does not check whether the number is in use again: a second
	 * close would likely close another file.
	 */
	if (!backend || !umad_handle_close(portid))
		return bad_handle();
	umad_trace("fd %d", portid);
	return backend->close(portid) == -EBADF ? bad_handle() : 0;
}

int umad_get_fd(int portid)
{
	return umad_fd_is_bad(umad_backend_get(), portid) ? bad_handle() : portid;
}

/*
 * Sends with the 56-byte header: for the time of the call it is moved next to the MAD, over the
 * P_Key index that the kernel does not have, so that one write takes both.
 */
__attribute__((noinline)) static long send_old(const struct umad_backend *backend, int fd,
					       uint8_t *umad, size_t size)
{
	const size_t shift = HEADER_SIZE - OLD_HEADER_SIZE;
	uint8_t saved[HEADER_SIZE];
	long n;

	memcpy(saved, umad, HEADER_SIZE);
	memmove(umad + shift, umad, OLD_HEADER_SIZE);
	n = backend->send(fd, umad + shift, size - shift);
	memcpy(umad, saved, HEADER_SIZE);
	return n < 0 ? n : n + (long)shift;
}

/* What umad_send() returns on failure, with errno; 'n': the backend's result. */
__attribute__((noinline)) static int send_result(const struct umad_backend *backend, int portid,
						 int agentid, long n)
{
	if (n == -EBADF)
		return bad_handle();
	if (n == -EDEADLK)
		return umad_fail(-EDEADLK);
	/*
	 * For an agent that is not registered Linux returns EIO, older versions EINVAL. What was
	 * registered is not known of a copy whose number was closed through us.
	 */
	if ((n >= 0 || n == -EIO || n == -EINVAL) && !umad_fd_is_bad(backend, portid) &&
	    !umad_handle_may_have_agent(portid, (uint32_t)agentid))
		return umad_fail(-EINVAL);
	errno = n < 0 ? (int)-n : EIO;
	return -EIO;
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	const struct umad_backend *backend = umad_backend_get();
	size_t header_size = umad_fd_io_header_size(backend, portid);
	struct ib_user_mad *mad = umad;
	size_t size;
	long n;

	if (header_size == 0)
		return bad_handle();
	if (!umad || length < 0)
		return umad_fd_is_bad(backend, portid) ? bad_handle() : umad_fail(-EINVAL);
	mad->agent_id = (uint32_t)agentid;
	mad->timeout_ms = (uint32_t)timeout_ms;
	mad->retries = (uint32_t)retries;
	if (umad_debug_level() > 1)
		umad_dump_header(mad);
	size = HEADER_SIZE + (size_t)length;
	if (header_size == OLD_HEADER_SIZE)
		n = send_old(backend, portid, umad, size);
	else
		n = backend->send(portid, umad, size);
	umad_trace("fd %d agent %d length %d: %ld", portid, agentid, length, n);
	if (n != (long)size)
		return send_result(backend, portid, agentid, n);
	errno = 0;	/* may be set by an earlier, interrupted write */
	return 0;
}

/* Receives with the 56-byte header, and converts it to the 64-byte one if anything came. */
static long recv_old(const struct umad_backend *backend, int fd, uint8_t *umad, size_t size)
{
	const size_t shift = HEADER_SIZE - OLD_HEADER_SIZE;
	struct ib_user_mad *mad = (struct ib_user_mad *)umad;
	long n;

	n = backend->recv(fd, umad + shift, size - shift);
	if (n < OLD_HEADER_SIZE && n != -ENOSPC)
		return n;
	memmove(umad, umad + shift, OLD_HEADER_SIZE);
	memset(umad + OLD_HEADER_SIZE, 0, shift);
	/* 'length' counts the header; in a timed-out send it is as the sender wrote it. */
	if (mad->status == 0)
		mad->length += (uint32_t)shift;
	return n < 0 ? n : n + (long)shift;
}

/*
 * Waits like the backend's poll. If a signal interrupts a finite wait, the wait goes on to its end;
 * an endless one returns -EINTR, because the signal may mean that the program is to stop.
 */
static int wait_readable(const struct umad_backend *backend, int fd, int64_t until_ns,
			 int timeout_ms)
{
	int r;

	while ((r = backend->poll(fd, timeout_ms)) == -EINTR && timeout_ms >= 0)
		timeout_ms = timeout_ms > 0 ? monotonic_left_ms(until_ns) : 0;
	return r;
}

int umad_poll(int portid, int timeout_ms)
{
	const struct umad_backend *backend = umad_backend_get();
	int r;

	if (umad_fd_is_bad(backend, portid))
		return bad_handle();
	r = wait_readable(backend, portid, monotonic_deadline_ns(timeout_ms), timeout_ms);
	umad_trace("fd %d timeout %d ms: %d", portid, timeout_ms, r);
	if (r > 0)
		return r & POLLNVAL ? bad_handle() : 0;
	if (r == 0)
		return umad_fail(-ETIMEDOUT);
	if (r == -EBADF)
		return bad_handle();
	errno = -r;
	return r == -EDEADLK ? r : -EIO;
}

/* Reads one message: its size with the header, or a negative errno. */
static long read_message(const struct umad_backend *backend, int fd, void *umad, size_t size)
{
	if (umad_handle_header_size(fd) == OLD_HEADER_SIZE)
		return recv_old(backend, fd, umad, size);
	return backend->recv(fd, umad, size);
}

/*
 * Waits, if a timeout is given, and reads: as struct umad_backend's recv_wait, of a backend that
 * has none.
 */
__attribute__((noinline)) static long poll_and_read(const struct umad_backend *backend, int fd,
						    void *umad, size_t size, int timeout_ms)
{
	int64_t until_ns = monotonic_deadline_ns(timeout_ms);
	int r;
	long n;

	if (timeout_ms == 0)
		return read_message(backend, fd, umad, size);
	for (;;) {
		r = wait_readable(backend, fd, until_ns, timeout_ms);
		if (r <= 0)
			return r < 0 ? r : -ETIMEDOUT;
		if (r & POLLNVAL)
			return -EBADF;
		n = read_message(backend, fd, umad, size);
		/* Another thread was faster, or a signal came: wait for the rest of the time. */
		if (n != -EAGAIN && (n != -EINTR || timeout_ms < 0))
			return n;
		if (!monotonic_goes_on(&timeout_ms, until_ns))
			return -ETIMEDOUT;
	}
}

/* What umad_recv() returns on failure, with errno; '*length' if the kernel gave the size needed. */
__attribute__((noinline)) static int recv_result(long n, const struct ib_user_mad *mad,
						 int *length)
{
	/* Less than a header is no message: its agent would be what the buffer held before. */
	if (n >= 0)
		n = -EIO;
	if (n == -EBADF)
		return bad_handle();
	errno = (int)-n;
	switch (-n) {
	case ENOSPC:
		/* The header was copied: opensm and saquery grow their buffer by this. */
		*length = (int)(mad->length - HEADER_SIZE);
		return -ENOSPC;
	case EAGAIN:
	case EDEADLK:
	case EINVAL:
	case ETIMEDOUT:
		return (int)n;
	default:
		return -EIO;
	}
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	const struct umad_backend *backend = umad_backend_get();
	size_t size;
	long n;

	if (!umad || !length || *length < 0)
		return umad_fail(-EINVAL);
	if (umad_fd_io_header_size(backend, portid) == 0)
		return bad_handle();
	size = HEADER_SIZE + (size_t)*length;
	if (timeout_ms != 0 && backend->recv_wait)
		n = backend->recv_wait(portid, umad, size, timeout_ms);
	else
		n = poll_and_read(backend, portid, umad, size, timeout_ms);
	umad_trace("fd %d room %d: %ld", portid, *length, n);
	if (n < HEADER_SIZE)
		return recv_result(n, umad, length);
	errno = 0;
	*length = (int)(n - HEADER_SIZE);
	return (int)((struct ib_user_mad *)umad)->agent_id;
}

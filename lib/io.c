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
static long send_old(const struct umad_backend *backend, int fd, uint8_t *umad, size_t size)
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

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	const struct umad_backend *backend = umad_backend_get();
	size_t header_size = umad_fd_header_size(backend, portid);
	struct ib_user_mad *mad = umad;
	size_t size;
	long n;

	errno = 0;
	if (header_size == 0)
		return bad_handle();
	if (!umad || length < 0)
		return umad_fail(-EINVAL);
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
	if (n == (long)size) {
		errno = 0;	/* may be set by an earlier, interrupted write */
		return 0;
	}
	if (n == -EBADF)
		return bad_handle();
	if (n == -EDEADLK)
		return umad_fail(-EDEADLK);
	errno = n < 0 ? (int)-n : EIO;
	/* For an agent that is not registered Linux returns EIO, older versions EINVAL. */
	if ((errno == EIO || errno == EINVAL) &&
	    !umad_handle_may_have_agent(portid, (uint32_t)agentid))
		return umad_fail(-EINVAL);
	return -EIO;
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

/* When a wait of 'timeout_ms' ends; without meaning if it is endless or 0. */
static int64_t deadline_ns(int timeout_ms)
{
	return timeout_ms > 0 ? monotonic_ns() + (int64_t)timeout_ms * 1000000 : 0;
}

/* The time left until then, rounded up so that no wait is too short. */
static int left_ms(int64_t until_ns)
{
	int64_t left_ns = until_ns - monotonic_ns();

	return left_ns > 0 ? (int)((left_ns + 999999) / 1000000) : 0;
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
		timeout_ms = timeout_ms > 0 ? left_ms(until_ns) : 0;
	return r;
}

int umad_poll(int portid, int timeout_ms)
{
	const struct umad_backend *backend = umad_backend_get();
	int r;

	if (umad_fd_is_bad(backend, portid))
		return bad_handle();
	r = wait_readable(backend, portid, deadline_ns(timeout_ms), timeout_ms);
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

/* Waits, if a timeout is given, and reads: as read_message(), or -ETIMEDOUT. */
static long receive(const struct umad_backend *backend, int fd, void *umad, size_t size,
		    int64_t until_ns, int timeout_ms)
{
	int r;

	if (timeout_ms == 0)
		return read_message(backend, fd, umad, size);
	if (backend->recv_wait)
		return backend->recv_wait(fd, umad, size, timeout_ms);
	r = wait_readable(backend, fd, until_ns, timeout_ms);
	if (r <= 0)
		return r < 0 ? r : -ETIMEDOUT;
	return r & POLLNVAL ? -EBADF : read_message(backend, fd, umad, size);
}

/* What umad_recv() returns on failure, with errno; '*length' if the kernel gave the size needed. */
static int recv_result(long n, const struct ib_user_mad *mad, int *length)
{
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
	int64_t until_ns;
	long n;

	errno = 0;
	if (!umad || !length || *length < 0)
		return umad_fail(-EINVAL);
	if (umad_fd_is_bad(backend, portid))
		return bad_handle();
	until_ns = deadline_ns(timeout_ms);
	for (;;) {
		n = receive(backend, portid, umad, HEADER_SIZE + (size_t)*length, until_ns,
			    timeout_ms);
		/* Another thread was faster, or a signal came: wait for the rest of the time. */
		if (timeout_ms == 0 || (n != -EAGAIN && (n != -EINTR || timeout_ms < 0)))
			break;
		if (timeout_ms > 0) {
			timeout_ms = left_ms(until_ns);
			if (timeout_ms == 0)
				return umad_fail(-ETIMEDOUT);
		}
	}
	umad_trace("fd %d room %d: %ld", portid, *length, n);
	/* Less than a header is no message: its agent would be what the buffer held before. */
	if (n >= 0 && n < HEADER_SIZE)
		n = -EIO;
	if (n < 0)
		return recv_result(n, umad, length);
	errno = 0;
	*length = (int)(n - HEADER_SIZE);
	return (int)((struct ib_user_mad *)umad)->agent_id;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Reading, writing and waiting for what is to be read: see handle.h. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>

#include "lib/base/user-header.h"
#include "sim/fabric/entry.h"
#include "sim/host/handle.h"
#include "sim/host/handle-enter.h"

/* ---- without waiting ---- */

/* Not inlined, so that what nobody looks at needs no buffer on the stack. */
__attribute__((noinline)) void handle_show_observer(const struct handle *handle,
						    enum file_event_kind kind,
						    const void *umad, size_t size)
{
	struct umadrig_fabric *fabric = handle->fabric;

	fabric->observer->file(fabric, &(struct file_event){
		.kind = kind, .file = handle, .end = handle->end, .umad = umad, .size = size,
	});
}

long handle_send(int fd, const void *umad, size_t size)
{
	struct handle *handle;
	long ret = handle_enter_by(fd, fabric_enter_quick, &handle);

	if (ret < 0)
		return ret;
	clock_thread_enter(handle->fabric->clock);
	ret = kmod_file_write(handle->file, umad, size);
	handle_show(handle, FILE_WRITTEN, umad, ret);
	fabric_leave(handle->fabric);
	return ret;
}

long handle_recv(int fd, void *umad, size_t size)
{
	struct handle *handle;
	long ret = handle_enter_by(fd, fabric_enter_quick, &handle);

	if (ret < 0)
		return ret;
	clock_thread_enter(handle->fabric->clock);
	clock_settle(handle->fabric->clock);
	ret = kmod_file_read(handle->file, umad, size);
	handle_show(handle, FILE_READ, umad, ret);
	fabric_leave(handle->fabric);
	return ret;
}

/* ---- waiting ---- */

/* The poll events of a handle: only IN or ERR, because only those are waited for. */
static int events_now(const struct handle *handle)
{
	return (int)kmod_file_poll(handle->file) & (POLLIN | POLLRDNORM | POLLERR);
}

static int64_t deadline_of(const struct umadrig_fabric *fabric, int timeout_ms)
{
	return timeout_ms < 0 ? TIME_NEVER : fabric->queue.now_ns + timeout_ms * NS_PER_MS;
}

static int poll_virtual(struct umadrig_fabric *fabric, struct handle *handle, int64_t deadline_ns)
{
	uint64_t id = handle->id;
	int ret, fd = handle->fd;

	clock_thread_enter(fabric->clock);
	clock_settle(fabric->clock);
	for (;;) {
		ret = events_now(handle);
		if (ret || fabric->queue.now_ns >= deadline_ns)
			return ret;
		ret = clock_wait(fabric->clock, handle, deadline_ns);
		if (ret < 0)
			return ret;
		/*
		 * A MAD that comes exactly at the deadline is in time, so look again; and since the
		 * wakeup other threads had the lock: they may have read it, or even closed the
		 * handle.
		 */
		if (!handle_is_current(fd, id, handle, fabric))
			return -EBADF;
	}
}

/* Milliseconds until 'deadline_ns' for poll(2), rounded up: never too early. */
static int remaining_ms(const struct umadrig_fabric *fabric, int64_t deadline_ns)
{
	int64_t left_ns = deadline_ns - fabric->queue.now_ns;

	if (deadline_ns == TIME_NEVER)
		return -1;
	return left_ns <= 0 ? 0 : (int)((left_ns + NS_PER_MS - 1) / NS_PER_MS);
}

static void poller_left(void *data)
{
	struct handle *handle = data;

	handle->pollers--;
	if (handle->closing)
		clock_poller_left(handle->fabric->clock);
}

/* The thread was cancelled in poll(2): removes it from the pollers that a close waits for. */
static void poller_cancelled(void *data)
{
	struct handle *handle = data;
	struct umadrig_fabric *fabric = handle->fabric;

	if (fabric_enter(fabric) < 0)
		return;
	poller_left(handle);
	fabric_leave(fabric);
}

/* Like poll(2) it is interrupted by signals, and is a cancellation point. */
static int poll_unlocked(struct umadrig_fabric *fabric, struct handle *handle,
			 struct pollfd *pollfd, int timeout_ms)
{
	int ret;

	handle->pollers++;
	fabric_leave(fabric);
	pthread_cleanup_push(poller_cancelled, handle);
	ret = poll(pollfd, 1, timeout_ms);
	if (ret < 0)
		ret = -errno;
	pthread_cleanup_pop(0);
	fabric_enter(fabric);
	poller_left(handle);
	return ret;
}

/* The lock is released during poll(2). */
static int poll_real(struct umadrig_fabric *fabric, struct handle *handle, int64_t deadline_ns)
{
	for (;;) {
		struct pollfd pollfd = { .fd = handle->own_fd, .events = POLLIN };
		int left_ms = remaining_ms(fabric, deadline_ns);
		int ret = events_now(handle);

		if (ret || left_ms == 0)
			return ret;
		ret = poll_unlocked(fabric, handle, &pollfd, left_ms);
		if (handle->closing || (ret > 0 && (pollfd.revents & POLLNVAL)))
			return -EBADF;
		if (ret < 0)
			return ret;
	}
}

/* As handle_poll(), with the fabric entered; if the result is > 0, the handle is still open. */
static int wait_entered(struct umadrig_fabric *fabric, struct handle *handle, int64_t deadline_ns)
{
	return clock_is_virtual(fabric->clock) ? poll_virtual(fabric, handle, deadline_ns) :
					  poll_real(fabric, handle, deadline_ns);
}

int handle_poll(int fd, int timeout_ms)
{
	struct handle *handle;
	struct umadrig_fabric *fabric;
	int ret = handle_enter_by(fd, fabric_enter_quick, &handle);

	if (ret < 0)
		return ret;
	fabric = handle->fabric;
	ret = wait_entered(fabric, handle, deadline_of(fabric, timeout_ms));
	fabric_leave(fabric);
	return ret;
}

/*
 * A MAD that came and was read in the same call is no news to the only thread of a process: no
 * other thread waits, and the descriptor stays as it is.
 */
static void settle_alone(struct umadrig_fabric *fabric, struct handle *handle)
{
	if (!clock_is_alone(fabric->clock) || fabric->handles_changed != handle ||
	    handle->next_changed || handle->settle || handle->fd_readable ||
	    kmod_file_readable(handle->file))
		return;
	fabric->handles_changed = NULL;
	handle->changed = false;
	clock_note_nothing(fabric->clock);
}

/* Not inlined, so that a MAD that is there saves no registers. */
__attribute__((noinline)) static long wait_and_read(struct handle *handle, void *umad, size_t size,
						    int timeout_ms)
{
	struct umadrig_fabric *fabric = handle->fabric;
	int64_t deadline_ns = deadline_of(fabric, timeout_ms);
	long n;

	do {
		n = wait_entered(fabric, handle, deadline_ns);
		if (n > 0)
			n = kmod_file_read(handle->file, umad, size);
		else if (n == 0)
			return -ETIMEDOUT;
	} while (n == -EAGAIN || (n == -EINTR && timeout_ms > 0));
	return n;
}

/*
 * Virtual clock: reads what is there at this instant. -EAGAIN: nothing is, or the buffer has no
 * room for a header, which is an error only once something has come.
 */
static long read_due(struct handle *handle, void *umad, size_t size)
{
	struct clock *clock = handle->fabric->clock;

	if (!clock_is_virtual(clock) || size < USER_HEADER_SIZE)
		return -EAGAIN;
	clock_thread_enter(clock);
	clock_settle(clock);
	return kmod_file_read(handle->file, umad, size);
}

long handle_recv_wait(int fd, void *umad, size_t size, int timeout_ms)
{
	struct handle *handle;
	struct umadrig_fabric *fabric;
	long ret = handle_enter_by(fd, fabric_enter_quick, &handle);

	if (ret < 0)
		return ret;
	fabric = handle->fabric;
	ret = read_due(handle, umad, size);
	if (ret == -EAGAIN)
		ret = wait_and_read(handle, umad, size, timeout_ms);
	handle_show(handle, FILE_READ, umad, ret);
	settle_alone(fabric, handle);
	fabric_leave(fabric);
	return ret;
}

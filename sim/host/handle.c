/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Handles: opened, closed, and as readable as their files are: see handle.h. */
#include "sim/host/handle.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/fabric/entry.h"
#include "sim/host/eventfd-id.h"
#include "sim/host/handle-index.h"

enum { OWN_FD_FIRST = 256 };

/* ---- opening and closing ---- */

/*
 * A program that closes its descriptor with close(2) may get the number again for a file of its
 * own, and we must never write to that. The number is not among the low ones if there is room.
 */
static int dup_own(int fd)
{
	int own_fd = fcntl(fd, F_DUPFD_CLOEXEC, OWN_FD_FIRST);

	if (own_fd < 0 && errno == EINVAL)
		own_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return own_fd < 0 ? -errno : own_fd;
}

static void unlink_handle(struct handle *handle)
{
	struct umadrig_fabric *fabric = handle->fabric;

	for (struct handle **at = &fabric->handles; *at; at = &(*at)->next) {
		if (*at == handle) {
			*at = handle->next;
			break;
		}
	}
	for (struct handle **at = &fabric->handles_changed; *at; at = &(*at)->next_changed) {
		if (*at == handle) {
			*at = handle->next_changed;
			break;
		}
	}
}

/* Releases everything except the program's own descriptor. */
static void release(struct handle *handle)
{
	handle_show_closed(handle);
	kmod_file_close(handle->file);
	unlink_handle(handle);
	__atomic_store_n(&handle->id, 0, __ATOMIC_RELEASE);
	if (handle->own_fd >= 0)
		close(handle->own_fd);
	handle_index_give_back(handle);
}

/*
 * Does the program have a descriptor of the handle, now that one is closed? If not, our own may be
 * closed, too.
 */
static bool has_copy(struct handle *handle)
{
	int copy;

	if (handle->id == 0 || (handle->pollers == 0 && eventfd_close(&handle->own_fd)))
		return false;
	copy = eventfd_find(handle->id, handle->own_fd);
	if (copy >= 0 && handle->own_fd < 0)
		handle->own_fd = dup_own(copy);
	return copy >= 0 && handle->own_fd >= 0;
}

/*
 * 'fd' is new, so the handle that the table has under its number was closed with close(2): closes
 * it as the kernel does, if that was its last descriptor.
 */
static void forget_closed(struct umadrig_fabric *fabric, int fd)
{
	struct handle *handle = handle_index_get(fd);

	/* A handle of another fabric is left to that fabric's end: we do not have its lock. */
	if (!handle || handle->fabric != fabric || handle->closing)
		return;
	handle_index_clear(fd);
	handle->fd = -1;
	if (!has_copy(handle))
		release(handle);
}

int handle_open(struct umadrig_fabric *fabric, const struct end_port *end, struct kmod_port *port,
		struct handle **ret_handle)
{
	struct handle *handle;
	int ret, fd, own_fd;

	fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	own_fd = dup_own(fd);
	handle = own_fd < 0 ? NULL : handle_index_new(fd);
	if (!handle) {
		ret = own_fd < 0 ? own_fd : -EMFILE;
		goto close_fds;
	}
	forget_closed(fabric, fd);
	*handle = (struct handle){ .fd = fd, .own_fd = own_fd, .end = end };
	__atomic_store_n(&handle->fabric, fabric, __ATOMIC_RELEASE);
	__atomic_store_n(&handle->id, eventfd_id(fd), __ATOMIC_RELEASE);
	ret = kmod_file_open(port, handle, &handle->file);
	if (ret < 0) {
		__atomic_store_n(&handle->id, 0, __ATOMIC_RELEASE);
		handle_index_give_back(handle);
		goto close_fds;
	}
	handle->next = fabric->handles;
	fabric->handles = handle;
	handle_index_publish(handle);
	*ret_handle = handle;
	fabric_say_opened(fabric);
	return fd;

close_fds:
	if (own_fd >= 0)
		close(own_fd);
	close(fd);
	return ret;
}

void handle_forget(struct handle *handle)
{
	unlink_handle(handle);
}

static void fd_set_readable(struct handle *handle, bool readable)
{
	uint64_t count = 1;

	if (handle->fd_readable == readable)
		return;
	/*
	 * Through syscall(2) they are no cancellation points, as read(2) and write(2) would be.
	 * They fail only if the program has read the descriptor behind our back.
	 */
	syscall(readable ? SYS_write : SYS_read, handle->own_fd, &count, sizeof(count));
	handle->fd_readable = readable;
}

/*
 * A forked child closes what it inherited: the descriptor is its own, the file is its parent's.
 * False: it is no child, or not a handle.
 */
static bool close_in_child(int fd)
{
	struct handle *handle = handle_index_get(fd);
	bool is_copy = !handle;
	uint64_t id;

	if (is_copy)
		handle = handle_index_find_copied(fd, &id);
	if (!handle || !fabric_is_forked(handle->fabric))
		return false;
	if (!is_copy) {
		handle_index_clear(fd);
		close(handle->own_fd);
	}
	close(fd);
	return true;
}

int handle_close(int fd)
{
	struct umadrig_fabric *fabric;
	struct handle *handle;
	int ret;

	if (close_in_child(fd))
		return 0;
	ret = handle_enter(fd, &handle);
	if (ret < 0)
		return ret;
	fabric = handle->fabric;
	if (handle->fd == fd) {
		handle_index_clear(fd);
		handle->fd = -1;
	}
	close(fd);
	if (has_copy(handle)) {
		fabric_leave(fabric);
		return 0;
	}
	handle->closing = true;
	clock_wake(fabric->clock, handle, -EBADF);
	clock_wake(fabric->clock, fabric, 1);
	if (handle->pollers > 0) {
		fd_set_readable(handle, true);
		clock_await_pollers(fabric->clock, &handle->pollers);
	}
	release(handle);
	fabric_leave(fabric);
	return 0;
}

void handles_close_all(struct umadrig_fabric *fabric)
{
	while (fabric->handles) {
		struct handle *handle = fabric->handles;

		if (handle_index_get(handle->fd) == handle) {
			handle_index_clear(handle->fd);
			close(handle->fd);
		}
		release(handle);
	}
}

/* ---- readability ---- */

void handles_wake(struct umadrig_fabric *fabric)
{
	for (struct handle *handle = fabric->handles_changed; handle;
	     handle = handle->next_changed) {
		if (kmod_file_readable(handle->file)) {
			clock_wake(fabric->clock, handle, 1);
			if (fabric->any_waits > 0)
				clock_wake(fabric->clock, fabric, 1);
		}
	}
}

void handles_settle(struct umadrig_fabric *fabric)
{
	/* (A clock that is being made also settles, and finds nothing.) */
	if (fabric->handles_changed && clock_is_waited_for(fabric->clock))
		handles_wake(fabric);
	while (fabric->handles_changed) {
		struct handle *handle = fabric->handles_changed;

		fabric->handles_changed = handle->next_changed;
		handle->changed = false;
		if (handle->settle)
			handle->settle(handle);
		else
			fd_set_readable(handle, kmod_file_readable(handle->file));
	}
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handles: see handle.h.
 *
 * A descriptor leads to its handle through a table of tables, so that looking one up is two loads
 * and takes no lock. Handles are never freed, only reused: a thread that looks one up while another
 * thread closes it reads a handle that is not the descriptor's any more, sees that under the lock,
 * and returns -EBADF.
 */
#include "sim/host/handle.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/user-header.h"
#include "sim/fabric/entry.h"
#include "sim/host/eventfd-id.h"

enum {
	OWN_FD_FIRST = 256,
	CHUNK = 1024,
	CHUNK_COUNT = 1024,		/* descriptors up to a million: Linux's own default limit */
};

static struct handle **chunks[CHUNK_COUNT];
static struct handle *unused;

/* All handles that were ever made; only added to. */
struct made_handle {
	struct handle handle;
	struct made_handle *next;
};
static struct made_handle *made;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

/* The place of 'fd' in the table, which does not move. NULL: 'fd' has never had a handle. */
static struct handle **table_place(int fd)
{
	unsigned int number = (unsigned int)fd;
	struct handle **chunk;

	if (number >= CHUNK * CHUNK_COUNT)
		return NULL;
	chunk = __atomic_load_n(&chunks[number / CHUNK], __ATOMIC_ACQUIRE);
	return chunk ? &chunk[number % CHUNK] : NULL;
}

static struct handle *table_get(int fd)
{
	struct handle **place = table_place(fd);

	return place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : NULL;
}

static void table_clear(int fd)
{
	__atomic_store_n(&chunks[fd / CHUNK][fd % CHUNK], NULL, __ATOMIC_RELEASE);
}

static struct handle *make(void)
{
	struct made_handle *new = g_new0(struct made_handle, 1);

	new->next = made;
	__atomic_store_n(&made, new, __ATOMIC_RELEASE);
	return &new->handle;
}

/* A handle for 'fd', entered in the table when table_publish() is called. */
static struct handle *table_new(int fd)
{
	struct handle *handle = NULL;

	if (fd >= CHUNK * CHUNK_COUNT)
		return NULL;
	pthread_mutex_lock(&table_lock);
	if (!chunks[fd / CHUNK])
		__atomic_store_n(&chunks[fd / CHUNK], g_new0(struct handle *, CHUNK),
				 __ATOMIC_RELEASE);
	handle = unused;
	if (handle)
		unused = handle->next;
	else
		handle = make();
	pthread_mutex_unlock(&table_lock);
	return handle;
}

/* The handle of which a descriptor is a copy, with the id of both. NULL: none. */
static struct handle *find_copied(int fd, uint64_t *ret_id)
{
	uint64_t id = eventfd_id(fd);
	struct made_handle *at = id ? __atomic_load_n(&made, __ATOMIC_ACQUIRE) : NULL;

	while (at && __atomic_load_n(&at->handle.id, __ATOMIC_ACQUIRE) != id)
		at = at->next;
	*ret_id = id;
	return at ? &at->handle : NULL;
}

static void table_publish(struct handle *handle)
{
	__atomic_store_n(&chunks[handle->fd / CHUNK][handle->fd % CHUNK], handle,
			 __ATOMIC_RELEASE);
}

static void table_give_back(struct handle *handle)
{
	pthread_mutex_lock(&table_lock);
	handle->next = unused;
	unused = handle;
	pthread_mutex_unlock(&table_lock);
}

/* ---- opening, finding, closing ---- */

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
	table_give_back(handle);
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
	struct handle *handle = table_get(fd);

	/* A handle of another fabric is left to that fabric's end: we do not have its lock. */
	if (!handle || handle->fabric != fabric || handle->closing)
		return;
	table_clear(fd);
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
	handle = own_fd < 0 ? NULL : table_new(fd);
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
		table_give_back(handle);
		goto close_fds;
	}
	handle->next = fabric->handles;
	fabric->handles = handle;
	table_publish(handle);
	*ret_handle = handle;
	fabric_say_opened(fabric);
	return fd;

close_fds:
	if (own_fd >= 0)
		close(own_fd);
	close(fd);
	return ret;
}

/* Is 'handle' (still) the handle of its descriptor, at 'place'? With the lock of 'fabric' held. */
static bool is_at(struct handle **place, const struct handle *handle,
		  const struct umadrig_fabric *fabric)
{
	return __atomic_load_n(place, __ATOMIC_ACQUIRE) == handle && handle->fabric == fabric &&
	       !handle->closing;
}

/* Is it (still) the handle with this id? With the lock of 'fabric' held. */
static bool is_of(uint64_t id, const struct handle *handle, const struct umadrig_fabric *fabric)
{
	return handle->id == id && handle->fabric == fabric && !handle->closing;
}

/* Has it not been closed since it had this descriptor and id? */
static bool is_current(int fd, uint64_t id, const struct handle *handle,
		       const struct umadrig_fabric *fabric)
{
	struct handle **place = table_place(fd);

	return id ? is_of(id, handle, fabric) : place && is_at(place, handle, fabric);
}

/* As enter(), for a descriptor that is none of the table. */
static int enter_copy(int fd, int (*enter_fabric)(struct umadrig_fabric *),
		      struct handle **ret_handle)
{
	struct umadrig_fabric *fabric;
	struct handle *handle;
	uint64_t id;
	int ret;

	handle = find_copied(fd, &id);
	if (!handle)
		return -EBADF;
	fabric = __atomic_load_n(&handle->fabric, __ATOMIC_ACQUIRE);
	ret = enter_fabric(fabric);
	if (ret < 0)
		return ret;
	if (!is_of(id, handle, fabric)) {
		fabric_leave(fabric);
		return -EBADF;
	}
	*ret_handle = handle;
	return 0;
}

/*
 * The same, as a number: no address of a variable is taken where every MAD passes, which would cost
 * a check of the stack.
 */
__attribute__((noinline))
static intptr_t enter_copied(int fd, int (*enter_fabric)(struct umadrig_fabric *))
{
	struct handle *handle;
	int ret = enter_copy(fd, enter_fabric, &handle);

	return ret < 0 ? ret : (intptr_t)handle;
}

/* Inlined, so that 'enter_fabric' is too and the handle stays in a register. */
__attribute__((always_inline))
static inline int enter(int fd, int (*enter_fabric)(struct umadrig_fabric *),
			struct handle **ret_handle)
{
	struct handle **place = table_place(fd);
	struct handle *handle = place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : NULL;
	struct umadrig_fabric *fabric;
	int ret;

	if (!handle) {
		intptr_t copied = enter_copied(fd, enter_fabric);

		*ret_handle = (struct handle *)copied;
		return copied < 0 ? (int)copied : 0;
	}
	fabric = __atomic_load_n(&handle->fabric, __ATOMIC_ACQUIRE);
	ret = enter_fabric(fabric);
	if (ret < 0)
		return ret;
	if (!is_at(place, handle, fabric)) {
		fabric_leave(fabric);
		return -EBADF;
	}
	*ret_handle = handle;
	return 0;
}

int handle_enter(int fd, struct handle **ret_handle)
{
	return enter(fd, fabric_enter, ret_handle);
}

int handle_enter_surely(int fd, struct handle **ret_handle)
{
	struct handle *handle = table_get(fd);

	/* Without ids there is only the table. */
	if (handle && __atomic_load_n(&handle->id, __ATOMIC_ACQUIRE) == 0)
		return handle_enter(fd, ret_handle);
	return enter_copy(fd, fabric_enter, ret_handle);
}

struct handle *handle_find(const struct umadrig_fabric *fabric, int fd)
{
	struct handle *handle = table_get(fd);
	uint64_t id;

	if (!handle)
		handle = find_copied(fd, &id);
	return handle && handle->fabric == fabric && !handle->closing ? handle : NULL;
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
	struct handle *handle = table_get(fd);
	bool is_copy = !handle;
	uint64_t id;

	if (is_copy)
		handle = find_copied(fd, &id);
	if (!handle || !fabric_is_forked(handle->fabric))
		return false;
	if (!is_copy) {
		table_clear(fd);
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
		table_clear(fd);
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

		if (table_get(handle->fd) == handle) {
			table_clear(handle->fd);
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

/* ---- sending and receiving ---- */

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
	long ret = enter(fd, fabric_enter_quick, &handle);

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
	long ret = enter(fd, fabric_enter_quick, &handle);

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
		if (!is_current(fd, id, handle, fabric))
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
	int ret = enter(fd, fabric_enter_quick, &handle);

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
	long ret = enter(fd, fabric_enter_quick, &handle);

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

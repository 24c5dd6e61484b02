/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handles: open umad files of programs, as real file descriptors.
 *
 * The descriptor is an eventfd, readable exactly while a receive would not return -EAGAIN. Its
 * state is settled when a public call leaves the fabric, and only if it has to change: a MAD that
 * comes and is received in one call needs no system call.
 *
 * A copy of the descriptor (dup, or by a message) is known by its eventfd, which takes some system
 * calls. The file closes when handle_close() has been called for one of its descriptors and this
 * process has no other. (What a forked child has does not count: it could not use it.)
 */
#ifndef UMADRIG_SIM_HOST_HANDLE_H
#define UMADRIG_SIM_HOST_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/user-header.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/observer.h"
#include "sim/time/clock.h"

struct end_port;
struct kmod_file;
struct kmod_port;

struct handle {
	int fd;				/* the program's; -1: it has only copies left */
	int own_fd;			/* the same eventfd, ours (see dup_own); -1: closed */
	uint64_t id;			/* eventfd_id() of both; 0: unknown */
	/* Settles the handle, lock held; NULL: settled by a descriptor of this process. */
	void (*settle)(struct handle *handle);
	/* As kmod_ops.send_over; may be NULL. */
	void (*send_over)(struct handle *handle, uint64_t tid, uint8_t mgmt_class);
	struct umadrig_fabric *fabric;
	struct kmod_file *file;
	const struct end_port *end;	/* whose file it is */
	struct handle *next;		/* fabric->handles, or the free ones */
	struct handle *next_changed;	/* fabric->handles_changed */
	bool changed;
	bool fd_readable;		/* the present state of the descriptor */
	bool closing;
	unsigned int pollers;		/* threads in poll(2) on it, without the lock */
};

/* As handle_show() below, for the fabric's observer, which there is. */
void handle_show_observer(const struct handle *handle, enum file_event_kind kind,
			  const void *umad, size_t size);

/*
 * To be called when 'n' bytes at 'umad' have been written or read: what looks on is told (0 or
 * less: it is not). Lock held.
 */
static inline void handle_show(const struct handle *handle, enum file_event_kind kind,
			       const void *umad, long n)
{
	if (handle->fabric->observer && n >= USER_HEADER_SIZE + MAD_HDR_SIZE)
		handle_show_observer(handle, kind, umad, (size_t)n);
}

/* The same when it is closed. */
static inline void handle_show_closed(const struct handle *handle)
{
	if (handle->fabric->observer)
		handle_show_observer(handle, FILE_CLOSED, NULL, 0);
}

/* Opens a umad file on the port of a kernel. The descriptor, or -errno. Lock held. */
int handle_open(struct umadrig_fabric *fabric, const struct end_port *end, struct kmod_port *port,
		struct handle **ret_handle);

/*
 * The handle of a descriptor, with its fabric entered; the caller calls fabric_leave(). -EBADF: it
 * is not one of ours; -EIO: in a forked child.
 */
int handle_enter(int fd, struct handle **ret_handle);
/*
 * The same, where the number may be another file's by now: the program may have closed it with
 * close(2). Takes system calls.
 */
int handle_enter_surely(int fd, struct handle **ret_handle);

/* The handle of a descriptor, if it is one of 'fabric'; else NULL. Lock held. */
struct handle *handle_find(const struct umadrig_fabric *fabric, int fd);

/*
 * Closes the descriptor, and the file with the last one: 0, or -EBADF. Threads that wait on the
 * file then get -EBADF. Lock free.
 */
int handle_close(int fd);

/* As kmod_file_write() and kmod_file_read(), or as handle_enter(). Lock free. */
long handle_send(int fd, const void *umad, size_t size);
long handle_recv(int fd, void *umad, size_t size);

/* Waits until it is readable: revents, 0 at the timeout (negative: never), -errno. Lock free. */
int handle_poll(int fd, int timeout_ms);

/*
 * The same, and reads in the same call (as kmod_file_read()): the descriptor does not become
 * readable for a MAD that is fetched at once. -ETIMEDOUT: nothing came. Lock free.
 */
long handle_recv_wait(int fd, void *umad, size_t size, int timeout_ms);

/* Forgets a handle with a settle() of its own: that is not called any more. Lock held. */
void handle_forget(struct handle *handle);

/* To be called when the file's readability may have changed (kmod_ops.wake). */
static inline void handle_changed(struct handle *handle)
{
	struct umadrig_fabric *fabric = handle->fabric;

	if (handle->changed)
		return;
	handle->changed = true;
	handle->next_changed = fabric->handles_changed;
	fabric->handles_changed = handle;
	clock_note(fabric->clock);
}

/* Makes descriptors readable as their files are, and wakes the threads that wait. */
void handles_settle(struct umadrig_fabric *fabric);
/* Only wakes the threads that wait. */
void handles_wake(struct umadrig_fabric *fabric);

/* The invariants of the fabric's handles: lib/base/invariant.h. Lock held. */
const char *handles_check(const struct umadrig_fabric *fabric);

/*
 * Closes the handles that the program left open when the fabric ends. No thread waits; lock free.
 */
void handles_close_all(struct umadrig_fabric *fabric);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handles: what a program holds of an open umad file, a real file descriptor.
 *
 * It is an eventfd, readable exactly while a receive would not say -EAGAIN. Its state is settled
 * when a public call leaves the fabric, and only where it differs from what it should be: a send
 * and a receive that find their MAD in one go make no system call.
 */
#ifndef UMADRIG_SIM_HOST_HANDLE_H
#define UMADRIG_SIM_HOST_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kmod_file;
struct kmod_port;
struct umadrig_fabric;

struct handle {
	int fd;				/* the program's */
	int own_fd;			/* the same eventfd, ours (see dup_own) */
	/* What settles it instead of a descriptor of this process, lock held; NULL: that does. */
	void (*settle)(struct handle *handle);
	/* As kmod_ops.send_over; NULL: nobody wants to know. */
	void (*send_over)(struct handle *handle, uint64_t tid, uint8_t mgmt_class);
	struct umadrig_fabric *fabric;
	struct kmod_file *file;
	struct handle *next;		/* fabric->handles, or the free ones */
	struct handle *next_changed;	/* fabric->handles_changed */
	bool changed;
	bool fd_readable;		/* what the descriptor says now */
	bool closing;
	unsigned int pollers;		/* threads in poll(2) on it, without the lock */
};

/* Opens a umad file on the port of a kernel. The descriptor, or -errno. Lock held. */
int handle_open(struct umadrig_fabric *fabric, struct kmod_port *port,
		struct handle **ret_handle);

/*
 * The handle of a descriptor, its fabric entered; the caller calls fabric_leave(). -EBADF: it is
 * none of ours; -EIO: forked.
 */
int handle_enter(int fd, struct handle **ret_handle);

/* Closes: 0, or -EBADF. Whoever waits on it gets -EBADF. Lock free. */
int handle_close(int fd);

/* As kmod_file_write() and kmod_file_read(), or as handle_enter(). Lock free. */
long handle_send(int fd, const void *umad, size_t size);
long handle_recv(int fd, void *umad, size_t size);

/* Waits until it is readable: revents, 0 at the timeout (negative: never), -errno. Lock free. */
int handle_poll(int fd, int timeout_ms);

/*
 * The same, and reads in the same call (as kmod_file_read()): the descriptor is never told of a MAD
 * that is fetched at once. -ETIMEDOUT: nothing came. Lock free.
 */
long handle_recv_wait(int fd, void *umad, size_t size, int timeout_ms);

/* A handle with a settle() of its own goes away: nobody calls it any more. Lock held. */
void handle_forget(struct handle *handle);

/* The file's readability may have changed (kmod_ops.wake). */
void handle_changed(void *handle);

/* Makes descriptors say what their files say, and wakes the threads that wait. */
void handles_settle(struct umadrig_fabric *fabric);
/* Only wakes the threads that wait. */
void handles_wake(struct umadrig_fabric *fabric);

/* The fabric ends: handles that the program left open are closed. Nobody waits; lock free. */
void handles_close_all(struct umadrig_fabric *fabric);

#endif

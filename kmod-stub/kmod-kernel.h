/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A kernel behind /dev/infiniband/umadN, as a table of its operations: what a host has a pointer
 * to. kmod-stub fills one with its own functions; there may be others, also in one fabric.
 *
 * Nobody calls these operations by the table: kmod-stub/kmod.h has a function for each, which says
 * what it does, and finds the table of the object that it is given. For that, the struct kmod_host,
 * kmod_port, kmod_file and kmod_message of every kernel begin with a pointer to its table; what
 * else they have is the kernel's own. A port takes the pointer from its host, a file from its port,
 * a message from its file. So an object is never passed to another kernel than its own.
 *
 * All operations must be there, and none is called with NULL for its first argument.
 */
#ifndef UMADRIG_KMOD_STUB_KMOD_KERNEL_H
#define UMADRIG_KMOD_STUB_KMOD_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/kmod-profile.h"

struct kmod_file;
struct kmod_host;
struct kmod_loan;
struct kmod_message;
struct kmod_ops;
struct kmod_port;
struct kmod_port_attr;
struct kmod_usage;
struct packet;

/* What nothing promises, and is otherwise on another machine. All zero: as on most. */
struct kmod_variant {
	/*
	 * A seed for the order of what several processors would do at once; 0: each to its end, one
	 * by one.
	 */
	uint64_t schedule;
};

struct kmod_kernel {
	const char *name;	/* "kmod-stub" */

	/* 'kernel': the table that the call came by, for the host to begin with. */
	struct kmod_host *(*host_new)(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				      void *ctx, enum kmod_profile profile, uint32_t first_hi_tid);
	void (*host_free)(struct kmod_host *host);
	void (*host_trim)(struct kmod_host *host);
	const char *(*host_check)(const struct kmod_host *host, size_t *work);

	struct kmod_port *(*port_new)(struct kmod_host *host, const struct kmod_port_attr *attr,
				      void *wire, const char *name);
	void (*port_remove)(struct kmod_port *port);
	void (*port_receive)(struct kmod_port *port, struct packet *packet);
	bool (*port_takes)(const struct kmod_port *port, const uint8_t *mad);
	unsigned int (*port_expire)(struct kmod_port *port, uint64_t tid, uint8_t mgmt_class);
	const char *(*port_check)(const struct kmod_port *port, size_t *work);

	int (*file_open)(struct kmod_port *port, void *owner, struct kmod_file **ret_file);
	void (*file_close)(struct kmod_file *file);
	void (*file_set_usage)(struct kmod_file *file, struct kmod_usage *usage);
	int (*file_ioctl)(struct kmod_file *file, unsigned long request, void *arg);
	long (*file_write)(struct kmod_file *file, const void *buf, size_t count);
	/* One that copies the bytes releases the loan before it returns. */
	long (*file_write_lent)(struct kmod_file *file, const void *buf, size_t count,
				struct kmod_loan *loan);
	long (*file_read)(struct kmod_file *file, void *buf, size_t count);
	unsigned int (*file_poll)(const struct kmod_file *file);
	bool (*file_readable)(const struct kmod_file *file);

	struct kmod_message *(*file_take)(struct kmod_file *file);
	size_t (*message_read)(struct kmod_message *message, void *buf, size_t count);
	void (*message_free)(struct kmod_message *message);

	int (*issm_open)(struct kmod_port *port);
	void (*issm_close)(struct kmod_port *port);

	void (*host_vary)(struct kmod_host *host, const struct kmod_variant *variant);
};

/* The kernel that 'object' begins with, which is a host, port, file or message. */
static inline const struct kmod_kernel *kmod_kernel_of(const void *object)
{
	return *(const struct kmod_kernel *const *)object;
}

#endif

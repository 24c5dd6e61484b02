/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A kernel in a shared object: what a file that kmod-stub/linux/build makes has for those who load
 * it, and what it needs of them. The file exports one symbol, 'umadrig_kernel'.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_KERNEL_FILE_H
#define UMADRIG_KMOD_STUB_LINUX_KERNEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kmod_host;
struct kmod_kernel;
struct kmod_port;
struct packet;
struct packet_addr;
struct packet_pool;

enum { KERNEL_CALLS_MAX = 8 };	/* at once */

/*
 * Changes with what both sides mean by these structs and those of kmod-stub/kmod.h. What they look
 * like is KERNEL_FILE_LAYOUT (kernel-layout.h), which changes by itself.
 */
enum { KERNEL_FILE_ABI = 6 };
#define KERNEL_FILE_SYMBOL "umadrig_kernel"

/* Levels of the log, as in syslog. */
enum kernel_log {
	KERNEL_LOG_FAULT = 2,	/* a check of the shim has found a fault of the kernel's: a leak */
	KERNEL_LOG_ERR = 3,	/* the kernel's own: pr_err(), dev_err() */
	KERNEL_LOG_WARNING = 4,
	KERNEL_LOG_NOTICE = 5,
	KERNEL_LOG_INFO = 6,
};

/* What the file needs of its process. All must be there. */
struct kernel_services {
	/* The functions of kmod-stub/packet.h: packets are made by the process, and by it alone. */
	struct packet *(*packet_make)(struct packet_pool *pool);
	void (*packet_build)(struct packet *packet, const struct packet_addr *addr);

	/*
	 * A line of the kernel's log, without a newline. 'host': the name of the one that it comes
	 * from; NULL: it is of none, or that has no name. A fabric's lock may be held.
	 */
	void (*log)(int level, const char *host, const char *text);
	/* The kernel cannot go on. Does not return. */
	void (*abort)(const char *text);
};

/*
 * What a thread does: it calls operations of files of one host, through kmod-stub/kmod.h. Or its
 * port receives a packet, kmod_port_receive(), as the adapter's interrupt has it.
 */
struct kernel_call {
	void (*run)(void *ctx);
	void *ctx;
};

struct kernel_file {
	/* KERNEL_FILE_ABI and KERNEL_FILE_LAYOUT: a file of others is refused */
	uint32_t abi, layout;
	const char *release;		/* "6.1.192" */
	const char *identity;		/* of the sources and of the shim, in hex; "...+sanitize" */
	const char *options;		/* "sanitize coverage", or "" */
	const struct kmod_kernel *kernel;	/* its name is "linux-6.1.192" */

	/*
	 * Once, before the first host: the modules' begin. 'services' stays the caller's and is
	 * used as long as the file is loaded. 0 or -errno.
	 */
	int (*begin)(const struct kernel_services *services);

	/*
	 * Reads what /sys/class/infiniband_mad has: "abi_version" of 'port' NULL, "umad/ibdev" and
	 * "issm/port" of a port, whatever number the kernel has given to these devices. Returns the
	 * length, at most 'size' - 1, and ends it with a zero. -ENOENT: there is no such attribute.
	 */
	long (*attribute)(const struct kmod_port *port, const char *name, char *buf, size_t size);

	/*
	 * Of the allocations that the kernel makes from now on the 'number'th fails, and only that;
	 * 0: none. Its place is written to 'ret_place' then, "mad.c:597, in function()", which has
	 * 'size' bytes and stays the caller's.
	 */
	void (*fail_allocation)(unsigned long number, char *ret_place, size_t size);
	/* How many there have been since then. */
	unsigned long (*count_allocations)(void);

	/*
	 * Calls of several threads at once: with a schedule (struct kmod_variant) they change as
	 * all else does that is due at the host; without one they come one by one. A port's
	 * receptions wait for each other, and for completions of its sends. 0 when all have
	 * returned, or -E2BIG, and none is made: there are more than KERNEL_CALLS_MAX. As in
	 * Linux, no file is closed while another call is in it; nor is one opened here, or a
	 * device removed.
	 */
	int (*at_once)(struct kmod_host *host, const struct kernel_call *calls,
		       unsigned int count);
};

extern const struct kernel_file umadrig_kernel;

#endif

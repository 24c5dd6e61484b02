/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The backend: what libibumad needs from what carries its MADs.
 *
 * Three instances: ib_umad (the kernel's character device and sysfs), sim (a fabric inside this
 * process, loaded from libumadrig), attach (a fabric in a server). UMAD_BACKEND chooses.
 *
 * Rules for every instance
 *  - Results are 0 or a count, failures a negative errno; outputs are untouched on failure.
 *    libibumad's own conventions are made of that at its surface (lib/io.c, lib/agent.c
 *    and the other files of its calls), not here.
 *  - The handle is a real file descriptor that the program may hand to poll, select or epoll.
 *  - send, recv, poll and register never allocate in lib.
 *  - Every function may be called from any thread; no lock of lib is held during the call.
 *  - Data cross in the kernel's own layout: the 64-byte struct ib_user_mad, followed by the MAD.
 */
#ifndef UMADRIG_LIB_BACKEND_H
#define UMADRIG_LIB_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/port-attr.h"

/* Changes whenever a struct below does. libumadrig's door refuses a caller with another one. */
#define UMAD_BACKEND_ABI 4

#define UMAD_BACKEND_NAME_SIZE 64

/* One channel adapter (or switch, or router): what /sys/class/infiniband/NAME says. Host order. */
struct umad_backend_ca {
	char name[UMAD_BACKEND_NAME_SIZE];
	unsigned int node_type;		/* 1 CA, 2 switch, 3 router, as sysfs numbers them */
	char fw_ver[UMAD_BACKEND_NAME_SIZE];	/* "" where there is none, as all the strings */
	char hw_rev[UMAD_BACKEND_NAME_SIZE];
	char hca_type[UMAD_BACKEND_NAME_SIZE];
	uint64_t node_guid;
	uint64_t sys_image_guid;
	unsigned int *port_nums;	/* malloc'd, ascending; umad_backend_ca_release() frees */
	size_t port_count;		/* a CA's usually start at 1, a switch has just 0 */
};

/* One port. */
struct umad_backend_port {
	struct port_attr attr;
	uint16_t *pkeys;		/* malloc'd; umad_backend_port_release() frees it */
	size_t pkey_count;
};

/* A registration, as both REGISTER_AGENT (request 1) and REGISTER_AGENT2 (request 2) take it. */
struct umad_backend_reg {
	unsigned int request;		/* 1 or 2: which of the two ioctls */
	unsigned int qpn;		/* 0 SMI, 1 GSI */
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint8_t rmpp_version;
	uint32_t flags;			/* request 2 only; on -EINVAL holds what is supported */
	uint32_t oui;			/* 24 bits, host order; checked for more by request 2 */
	uint64_t method_mask[2];	/* bit m % 64 of word m / 64: wants method m */
	uint32_t id;			/* out: the agent's id, 0..31 */
};

struct umad_backend {
	unsigned int abi;		/* UMAD_BACKEND_ABI */
	const char *name;		/* "ib_umad", "sim", ... */

	/*
	 * Gets ready. 'spec' is what follows "NAME:" in UMAD_BACKEND ("" where nothing does).
	 * Called once, before anything else, at the first call that needs a backend. On failure a
	 * message for the user is in 'reterr' (at most 'reterr_size' bytes, terminated); may be
	 * NULL: ready.
	 */
	int (*start)(const char *spec, char *reterr, size_t reterr_size);

	/*
	 * A line for stderr that says what is being simulated, or NULL where this is the real
	 * thing. The string stays valid. May be NULL: no banner.
	 */
	const char *(*banner)(void);

	/*
	 * From now on the calling thread looks up and opens the devices of host 'host' (NULL: the
	 * one it began with); what is open stays where it is. -ENOENT: no such host, nothing
	 * changes. May be NULL: there is one host alone.
	 */
	int (*host_enter)(const char *host);

	/*
	 * Names of all CAs, in the order in which the backend finds them (lib sorts).
	 * '*ret_names' is a malloc'd array of '*ret_count' names that the caller frees; both are
	 * 0 where there are none. -ENOENT: there is no such subsystem at all; other errno: it
	 * could not be read.
	 */
	int (*list_cas)(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count);

	/* Reads one CA. -ENOENT: no such CA. umad_backend_ca_release() frees what came. */
	int (*get_ca)(const char *ca_name, struct umad_backend_ca *ret);

	/* Reads port 'portnum' of a CA, the 'parts' asked for. -ENOENT: no such port. */
	int (*get_port)(const char *ca_name, unsigned int portnum, unsigned int parts,
			struct umad_backend_port *ret);

	/* Path of the port's issm device into 'path'. -EINVAL: none; -ENAMETOOLONG: too short. */
	int (*issm_path)(const char *ca_name, unsigned int portnum, char *path, size_t size);

	/*
	 * Opens a port's umad file, non-blocking, close-on-exec, with 64-byte headers where the
	 * kernel can. Returns the descriptor. -EINVAL: the port has no umad device; -EOPNOTSUPP:
	 * no ib_umad or one of another ABI; other: why open(2) failed. '*ret_header_size': 64, or
	 * 56 on a kernel without ENABLE_PKEY.
	 */
	int (*open)(const char *ca_name, unsigned int portnum, size_t *ret_header_size);

	/*
	 * Closes; the handle's agents die with it. Wakes whoever waits in recv or poll on it, where
	 * the backend can: a poll(2) of the kernel goes on.
	 */
	int (*close)(int fd);

	/* Registers an agent: 0 and reg->id, or what the kernel's ioctl would have for errno. */
	int (*register_agent)(int fd, struct umad_backend_reg *reg);
	int (*unregister_agent)(int fd, uint32_t id);

	/*
	 * write(2) of header and MAD: 'size' when it was taken, else -errno as the kernel's. This,
	 * recv, poll and recv_wait may be called by a signal's handler: -EDEADLK where the call
	 * that it interrupts must end first.
	 */
	long (*send)(int fd, const void *umad, size_t size);

	/*
	 * read(2), never waiting: the number of bytes, or -errno as the kernel's: -EAGAIN nothing
	 * there; -ENOSPC header and first 256 bytes were copied, ib_user_mad.length says the need.
	 */
	long (*recv)(int fd, void *umad, size_t size);

	/*
	 * Waits until recv would not say -EAGAIN: revents (> 0), 0 after 'timeout_ms' (negative:
	 * for ever), or -errno: -EINTR; -EDEADLK virtual clock, nothing can happen any more.
	 */
	int (*poll)(int fd, int timeout_ms);

	/*
	 * Waits as poll does and receives as recv does, in one call: what recv returns
	 * (-EAGAIN: the caller is to see how much time is left, and to ask again), -ETIMEDOUT
	 * where poll returns 0, or poll's errno. May be NULL: poll, then recv. (Where both are
	 * plain calls in memory this spares the descriptor of being made readable and unreadable
	 * again, and another thread cannot come in between.)
	 */
	long (*recv_wait)(int fd, void *umad, size_t size, int timeout_ms);
};

/* Frees what get_ca and get_port filled in, and forgets it. */
void umad_backend_ca_release(struct umad_backend_ca *ca);
void umad_backend_port_release(struct umad_backend_port *port);

/* The door of libumadrig: the sim backend, or NULL with errno EPROTO where 'abi' is not its own. */
typedef const struct umad_backend *umadrig_backend_fn(unsigned int abi);
#define UMADRIG_DOOR "umadrig_backend"

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The backend: the interface between libibumad and what carries its MADs.
 *
 * There are three instances: ib_umad (the kernel's character device and sysfs), sim (a fabric
 * inside this process, loaded from libumadrig), attach (a fabric in a server). UMAD_BACKEND
 * chooses.
 *
 * Rules for every instance
 *  - Results are 0 or a count, failures a negative errno; outputs are untouched on failure.
 * They are converted into libibumad's own conventions at its surface (lib/io.c, lib/agent.c and the
 * other files of its calls), not here.
 *  - The handle is a real file descriptor that the program may hand to poll, select or epoll.
 *  - send, recv, poll and register never allocate in lib.
 *  - Every function may be called from any thread; no lock of lib is held during the call.
 *  - Data cross in the kernel's own layout: the 64-byte struct ib_user_mad, followed by the MAD.
 */
#ifndef UMADRIG_LIB_BACKEND_H
#define UMADRIG_LIB_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/port-attr.h"

/* Changes whenever a struct below does. libumadrig's door refuses a caller with another one. */
#define UMAD_BACKEND_ABI 12

#define UMAD_BACKEND_NAME_SIZE 64

/*
 * One channel adapter (or switch, or router): the contents of /sys/class/infiniband/NAME. In host
 * byte order.
 */
struct umad_backend_ca {
	char name[UMAD_BACKEND_NAME_SIZE];
	unsigned int node_type;		/* 1 CA, 2 switch, 3 router, as sysfs numbers them */
	char fw_ver[UMAD_BACKEND_NAME_SIZE];	/* "": none, as for all strings */
	char hw_rev[UMAD_BACKEND_NAME_SIZE];
	char hca_type[UMAD_BACKEND_NAME_SIZE];
	uint64_t node_guid;
	uint64_t sys_image_guid;
	unsigned int *port_nums;	/* malloc'd, ascending; umad_backend_ca_release() frees */
	size_t port_count;		/* usually from 1 on a CA; only 0 on a switch */
};

/* One port. */
struct umad_backend_port {
	struct port_attr attr;
	uint16_t *pkeys;		/* malloc'd; umad_backend_port_release() frees it */
	size_t pkey_count;
};

/*
 * Which of the ioctls (linux-mad A.3, A.4); the protocol of lib/attach has the same numbers.
 * ENABLE_PKEY has nothing but its result: open has made it already, and it fails once an agent was
 * registered.
 */
enum umad_backend_request {
	UMAD_BACKEND_REGISTER_AGENT = 1,
	UMAD_BACKEND_REGISTER_AGENT2 = 2,
	UMAD_BACKEND_ENABLE_PKEY = 3,
};

/* A registration. */
struct umad_backend_reg {
	enum umad_backend_request request;
	unsigned int qpn;		/* 0 SMI, 1 GSI */
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint8_t rmpp_version;
	uint32_t flags;			/* REGISTER_AGENT2 only; on -EINVAL: what is supported */
	uint32_t oui;			/* 24 bits, host order; REGISTER_AGENT2 checks */
	uint64_t method_mask[2];	/* bit m % 64 of word m / 64: wants method m */
	uint32_t id;			/* out: the agent's id, 0..31 */
};

/* What a program does with the messages of its host's kernel. */
enum umad_backend_log {
	UMAD_BACKEND_LOG_OPEN = 1,	/* a descriptor, which is read from the oldest one on */
	UMAD_BACKEND_LOG_LIST,		/* as lines, the latest since they were cleared */
	UMAD_BACKEND_LOG_CLEAR,
	/* Of such a descriptor: a record; to the first one, the first since, and behind the last */
	UMAD_BACKEND_LOG_READ,
	UMAD_BACKEND_LOG_FIRST,
	UMAD_BACKEND_LOG_DATA,
	UMAD_BACKEND_LOG_END,
};
#define UMAD_BACKEND_LOG_IS_OF_FILE(action) ((action) >= UMAD_BACKEND_LOG_READ)

/* What a program does with a netlink socket of uevents. */
enum umad_backend_uevent_action {
	UMAD_BACKEND_UEVENT_OPEN = 1,	/* flags: SOCK_RAW or SOCK_DGRAM */
	UMAD_BACKEND_UEVENT_BIND,	/* process, number, groups: as of bind(2) */
	UMAD_BACKEND_UEVENT_CONNECT,	/* the same; number and groups 0: to the kernel */
	UMAD_BACKEND_UEVENT_NAME,	/* struct umad_backend_uevent_name */
	UMAD_BACKEND_UEVENT_RECEIVE,	/* flags 1: it stays; struct umad_backend_uevent_message */
	UMAD_BACKEND_UEVENT_SET,	/* level, option, and the value */
	UMAD_BACKEND_UEVENT_GET,	/* level, option; the value: an int, or what is wider */
};

struct umad_backend_uevent {
	uint32_t action;		/* enum umad_backend_uevent_action */
	uint32_t flags;
	uint32_t process;		/* the calling process's number */
	uint32_t number, groups;	/* struct sockaddr_nl: nl_pid, nl_groups */
	int32_t level, option;		/* as of setsockopt(2) */
	uint32_t size;			/* bytes of the value */
};

struct umad_backend_uevent_name {
	uint32_t number, groups;
	uint32_t peer_number, peer_groups;
};

struct umad_backend_uevent_message {
	uint32_t number, groups;	/* whose it is */
	uint32_t has_group_part;	/* 1: NETLINK_PKTINFO is set */
	uint32_t is_at_end;		/* 1: nothing is left, but the socket still has a byte */
};

/* Bytes of a message, at most, and of a value. */
enum { UMAD_BACKEND_UEVENT_MAX = 4096, UMAD_BACKEND_UEVENT_VALUE_MAX = 32704 };

struct umad_backend {
	unsigned int abi;		/* UMAD_BACKEND_ABI */
	const char *name;		/* "ib_umad", "sim", ... */

	/*
	 * Do send, recv, poll and recv_wait return -EBADF for every descriptor that is not, or no
	 * longer, an open handle of 64-byte headers? Then nobody looks at it before, unless numbers
	 * are known to be closed.
	 */
	bool finds_handles;

	/*
	 * Starts the backend. 'spec' is what follows "NAME:" in UMAD_BACKEND (or ""). Called once,
	 * before anything else, at the first call that needs a backend. On failure a message for
	 * the user is in 'reterr' (at most 'reterr_size' bytes, terminated). May be NULL: nothing
	 * to start.
	 */
	int (*start)(const char *spec, char *reterr, size_t reterr_size);

	/*
	 * A line for stderr that says what is being simulated, or NULL if nothing is. The string
	 * stays valid. May be NULL: no banner.
	 */
	const char *(*banner)(void);

	/*
	 * Lets the calling thread look up and open the devices of host 'host' (NULL: the one that
	 * it began with); open handles stay where they are. -ENOENT: no such host, nothing changes.
	 * May be NULL: there is only one host.
	 */
	int (*host_enter)(const char *host);

	/*
	 * Names of all CAs, in the order in which the backend finds them (lib sorts). '*ret_names'
	 * is a malloc'd array of '*ret_count' names that the caller frees; both are 0 if there are
	 * none. -ENOENT: there is no such subsystem at all; other errno: it could not be read.
	 */
	int (*list_cas)(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count);

	/* Reads one CA. -ENOENT: no such CA. umad_backend_ca_release() frees the result. */
	int (*get_ca)(const char *ca_name, struct umad_backend_ca *ret);

	/* Reads port 'portnum' of a CA, the requested 'parts'. -ENOENT: no such port. */
	int (*get_port)(const char *ca_name, unsigned int portnum, unsigned int parts,
			struct umad_backend_port *ret);

	/* Path of the port's issm device into 'path'. -EINVAL: none; -ENAMETOOLONG: too short. */
	int (*issm_path)(const char *ca_name, unsigned int portnum, char *path, size_t size);

	/*
	 * An issm path has been opened or closed: what is shown in /sys follows before this
	 * returns. May be NULL: nothing has to be told.
	 */
	void (*issm_changed)(void);

	/*
	 * Path of a directory with what /sys has of the calling thread's host into 'path', for
	 * programs that do not see it in /sys. -EEXIST: they do; -EOPNOTSUPP: they are not to;
	 * -ENAMETOOLONG: too short; others: it cannot be had. May be NULL: as -EOPNOTSUPP.
	 */
	int (*sysfs)(char *path, size_t size);

	/*
	 * Messages of the kernel of the calling thread's host, for programs that no file shows them
	 * to. LIST and READ put up to 'size' bytes at 'text', and return how many; OPEN returns a
	 * descriptor, non-blocking, close-on-exec, that poll(2) finds readable while there is a
	 * message. READ: -EAGAIN: there is none; -EPIPE: some were not read before they were
	 * forgotten; -EINVAL: it is longer, and skipped; -EBADF: 'fd' is no such descriptor.
	 * -EOPNOTSUPP: they are not to; may be NULL: the same.
	 */
	long (*kernel_log)(enum umad_backend_log action, int fd, void *text, size_t size);

	/*
	 * Netlink sockets of uevents of the calling thread's host, for programs that cannot have
	 * the kernel's. OPEN returns a descriptor, non-blocking, close-on-exec, that poll(2) finds
	 * readable while RECEIVE would not return -EAGAIN. 'fd' is such a descriptor, otherwise
	 * -EBADF; 'value' has call->size bytes, at most UMAD_BACKEND_UEVENT_VALUE_MAX. What is
	 * asked for is in 'reply', of 'room' bytes, of which the rest is cut off; the result is how
	 * much there is, without the struct in front of a message. Others: 0, or -errno as the
	 * kernel's sockets have it. -EOPNOTSUPP: they are not to; may be NULL: the same.
	 */
	long (*uevent)(const struct umad_backend_uevent *call, int fd, const void *value,
		       void *reply, size_t room);

	/*
	 * Opens a port's umad file, non-blocking, close-on-exec, with 64-byte headers if the kernel
	 * has them. Returns the descriptor. -EINVAL: the port has no umad device; -EOPNOTSUPP: no
	 * ib_umad or one of another ABI; other: why open(2) failed. '*ret_header_size': 64, or 56
	 * on a kernel without ENABLE_PKEY.
	 */
	int (*open)(const char *ca_name, unsigned int portnum, size_t *ret_header_size);

	/*
	 * Closes; the handle's agents die with it. Wakes threads that wait in recv or poll on it,
	 * if the backend can: a poll(2) of the kernel goes on.
	 */
	int (*close)(int fd);

	/* Registers an agent: 0 and reg->id, or the negative errno of the kernel's ioctl. */
	int (*register_agent)(int fd, struct umad_backend_reg *reg);
	int (*unregister_agent)(int fd, uint32_t id);

	/*
	 * write(2) of header and MAD: 'size' when it was accepted, else -errno as the kernel's.
	 * This, recv, poll and recv_wait may be called by a signal handler: -EDEADLK if the call
	 * that it interrupts must end first.
	 */
	long (*send)(int fd, const void *umad, size_t size);

	/*
	 * read(2), which never waits: the number of bytes, or -errno as the kernel's: -EAGAIN
	 * nothing to read; -ENOSPC header and first 256 bytes were copied, ib_user_mad.length is
	 * the size needed.
	 */
	long (*recv)(int fd, void *umad, size_t size);

	/*
	 * Waits until recv would not return -EAGAIN: revents (> 0), 0 after 'timeout_ms' (negative:
	 * for ever), or -errno: -EINTR; -EDEADLK virtual clock, nothing can happen any more.
	 */
	int (*poll)(int fd, int timeout_ms);

	/*
	 * Waits like poll and receives like recv, in one call; 'timeout_ms' is not 0. Returns what
	 * recv returns but -EAGAIN, -ETIMEDOUT where poll returns 0, or poll's errno: where another
	 * thread was faster, or a signal has interrupted a finite wait, it goes on to its end. May
	 * be NULL: poll, then recv. (If both are plain function calls, this avoids making the
	 * descriptor readable and unreadable again, and another thread cannot get in between.)
	 */
	long (*recv_wait)(int fd, void *umad, size_t size, int timeout_ms);

	/*
	 * As recv, but may look for some microseconds whether the answer comes to what was just
	 * sent, where that has been worthwhile. May be NULL: recv.
	 */
	long (*recv_soon)(int fd, void *umad, size_t size);

	/*
	 * Waits like poll for any of several handles. '*timeout_ms' is what is left then.
	 * -EOPNOTSUPP: poll(2) of the descriptors does just that; -EXDEV: they are not all handles
	 * of one fabric. May be NULL: as -EOPNOTSUPP.
	 */
	int (*poll_any)(const int *fds, size_t count, int *timeout_ms);
};

/* Frees what get_ca and get_port filled in, and forgets it. */
void umad_backend_ca_release(struct umad_backend_ca *ca);
void umad_backend_port_release(struct umad_backend_port *port);

/* The door of libumadrig: the sim backend, or NULL with errno EPROTO if 'abi' is not its own. */
typedef const struct umad_backend *umadrig_backend_fn(unsigned int abi);
#define UMADRIG_DOOR "umadrig_backend"

#endif

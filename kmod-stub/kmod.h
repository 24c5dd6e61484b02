/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * kmod-stub: what the Linux kernel does behind /dev/infiniband/umadN and issmN.
 *
 * Above are umad files, which are opened, driven by ioctl, write, read and poll, and closed. Below
 * are whole packets, down to the wire and up from it. In between are agents, dispatch, timeouts and
 * retries, directed routes, and messages in segments (RMPP). kmod-stub knows nothing of switches,
 * topologies, files on disk, threads or sockets; time, the wire and the HCA's own answers come
 * through struct kmod_ops.
 *
 * Linux 6.1 is the reference (doc/linux-mad.md); where the InfiniBand specification says otherwise
 * the comment names both.
 *
 * A kernel is a table of operations (kmod-stub/kmod-kernel.h), and each host has one: 'kmod_stub',
 * which is made of this room's own functions, or another. The functions here find the kernel of an
 * object in the object. What their comments say holds for kmod_stub and is asked of all others.
 *
 *   struct kmod_host    one running kernel: the agent numbering (hi_tid) of all its devices
 *   struct kmod_port    one end port: its agents' method tables, its outstanding sends, its issm
 *   struct kmod_file    one open of umadN: 32 agent slots, a receive queue, outstanding writes
 *
 * Functions return 0 or a negative errno. Nothing here is thread-safe: the caller holds the
 * fabric's lock. No function waits.
 */
#ifndef UMADRIG_KMOD_STUB_KMOD_H
#define UMADRIG_KMOD_STUB_KMOD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/event.h"
#include "kmod-stub/kmod-kernel.h"
#include "kmod-stub/kmod-profile.h"
#include "kmod-stub/packet.h"

/* What process_mad did, as the bits of enum ib_mad_result. */
enum kmod_mad_result {
	KMOD_MAD_FAILURE = 0,
	KMOD_MAD_SUCCESS = 1,
	KMOD_MAD_REPLY = 2,
	KMOD_MAD_CONSUMED = 4,
};

/*
 * What the wire knows about an end port. The wire owns it and keeps it up to date (its SMA writes
 * it).
 */
struct kmod_port_attr {
	bool has_smi;			/* QP0: InfiniBand ports have it, RoCE ports do not */
	bool no_gsi;			/* no QP1: Linux's devices of the type SMI */
	bool is_switch;			/* port 0 of a switch */
	bool link_is_ethernet;
	uint8_t port_num;		/* own number; on a switch 0 */
	uint8_t port_count;		/* of the node (for the directed-route rules of a switch) */
	uint16_t lid;			/* base LID, 0 while there is none */
	uint8_t lmc;
	const uint16_t *pkeys;		/* host order */
	size_t pkey_count;
	const uint8_t (*gids)[16];	/* as on the wire; an unused entry is all zero */
	size_t gid_count;
};

/* The source of a MAD, as process_mad and the receiving side see it. */
struct kmod_source {
	uint16_t slid;
	uint32_t src_qp;
	uint8_t sl;
	uint8_t path_bits;
	uint16_t pkey_index;
	bool has_grh;
};

/* Linux's limits of send_queue_size and recv_queue_size. */
enum { KMOD_QUEUE_MIN = 64, KMOD_QUEUE_MAX = 8192 };

/*
 * The operations that the creator provides. 'ctx' is the host's (kmod_host_new); 'wire' the port's
 * (kmod_port_new). None may call back into kmod-stub for the same host before it has returned.
 */
struct kmod_ops {
	/* The time now. */
	int64_t (*now_ns)(void *ctx);

	/* Arms (or re-arms) 'event', whose fire and kind are set, for 'at_ns' >= now. */
	void (*arm)(void *ctx, struct event *event, int64_t at_ns);
	/* Disarms; does nothing if it is not armed. */
	void (*disarm)(void *ctx, struct event *event);

	/*
	 * Sends the packet down to the wire, and takes its ownership. It leaves now; the send
	 * completion comes at the same instant (kmod-stub arms that itself), whatever becomes of
	 * the packet.
	 */
	void (*transmit)(void *ctx, void *wire, struct packet *packet);

	/*
	 * Gives the device driver the first look at a received MAD (IBA: SMA, PMA). 'in' has 256
	 * bytes; an answer of 256 bytes goes to 'out' with KMOD_MAD_REPLY. Returns bits of enum
	 * kmod_mad_result. NULL: the driver handles nothing, and directed routes to the node itself
	 * go to the wire as well.
	 */
	unsigned int (*process_mad)(void *ctx, void *wire, const struct kmod_source *source,
				    const uint8_t *in, uint8_t *out);

	/* Sets or clears IsSM in the port's CapabilityMask. 0 or -errno. */
	int (*set_is_sm)(void *ctx, void *wire, bool is_sm);

	/*
	 * The file's queue has become non-empty, or empty, or the device was removed: threads that
	 * wait on the file's owner must look again. Called each time; it must be cheap.
	 */
	void (*wake)(void *ctx, void *owner);

	/*
	 * A send of the file is no longer outstanding, so that another one with its TID (as sent)
	 * and class is not a duplicate. May be NULL.
	 */
	void (*send_over)(void *ctx, void *owner, uint64_t tid, uint8_t mgmt_class);

	/*
	 * The name of the host, and that of the port's device, as long as both live: a kernel says
	 * in its log and in attributes of devices where it is. Either may be NULL.
	 */
	const char *(*host_name)(void *ctx);
	const char *(*device_name)(void *ctx, void *wire);

	/*
	 * How many sends and receives a QP has room for, as the parameters send_queue_size and
	 * recv_queue_size of Linux's ib_mad say, from KMOD_QUEUE_MIN to KMOD_QUEUE_MAX; 0: as they
	 * are by themselves, 128 and 512. For the ports that come.
	 */
	unsigned int send_queue_size, recv_queue_size;

	/* The pool that packets come from and go back to. */
	struct packet_pool *pool;

	/*
	 * One terse line per transition of a state machine, or NULL: no traces. The line has no
	 * newline; 'who' is the name that was given to kmod_port_new.
	 */
	void (*trace)(void *ctx, const char *who, const char *format, va_list args);

	/*
	 * A received or sent packet ends here; the reason is text for a capture's comment ("no
	 * agent for class 0x04 method 0x12"). The packet is still whole. May be NULL.
	 */
	void (*drop)(void *ctx, void *wire, const struct packet *packet, const char *why);
};

/* The kernel that this room is. */
extern const struct kmod_kernel kmod_stub;

/* ---- host ---- */

/*
 * A host on 'kernel', with no devices. 'ops' and 'ctx' stay the caller's and must outlive it.
 * 'first_hi_tid': the first agent number allocated, at least 1 (real kernels use some before the
 * first user registers; linux-mad B.1).
 */
static inline struct kmod_host *kmod_host_new(const struct kmod_kernel *kernel,
					      const struct kmod_ops *ops, void *ctx,
					      enum kmod_profile profile, uint32_t first_hi_tid)
{
	return kernel->host_new(kernel, ops, ctx, profile, first_hi_tid);
}

/*
 * Chooses what may be otherwise on another machine, before the host has a port. kmod_stub has no
 * such things: it does one thing at a time.
 */
static inline void kmod_host_vary(struct kmod_host *host, const struct kmod_variant *variant)
{
	kmod_kernel_of(host)->host_vary(host, variant);
}

/* All its ports must be gone. NULL is allowed. */
static inline void kmod_host_free(struct kmod_host *host)
{
	if (host)
		kmod_kernel_of(host)->host_free(host);
}

/* Frees the memory that the host keeps for future sends and messages. */
static inline void kmod_host_trim(struct kmod_host *host)
{
	kmod_kernel_of(host)->host_trim(host);
}

/*
 * The first of its invariants that is broken, or NULL (lib/base/invariant.h); of a host, also those
 * of its agents, their sends and messages in segments; of a port, also those of its queues. '*work'
 * grows by how many things were looked at.
 */
static inline const char *kmod_host_check(const struct kmod_host *host, size_t *work)
{
	return kmod_kernel_of(host)->host_check(host, work);
}

static inline const char *kmod_port_check(const struct kmod_port *port, size_t *work)
{
	return kmod_kernel_of(port)->port_check(port, work);
}

/* ---- port ---- */

/*
 * Makes a port of the host. 'attr' is the wire's and stays readable; 'wire' is passed to the ops;
 * 'name' ("H1[1]", copied) is for traces.
 */
static inline struct kmod_port *kmod_port_new(struct kmod_host *host,
					      const struct kmod_port_attr *attr, void *wire,
					      const char *name)
{
	return kmod_kernel_of(host)->port_new(host, attr, wire, name);
}

/*
 * Removes the device: all its files are dead from now on (linux-mad A.8), and have no agents.
 * The port itself lives until the last file is closed. NULL is allowed.
 */
static inline void kmod_port_remove(struct kmod_port *port)
{
	if (port)
		kmod_kernel_of(port)->port_remove(port);
}

/*
 * Takes a packet that has arrived at this port's QP0 or QP1; its ownership passes to the port. The
 * HCA's own checks (CRC, DLID, P_Key, Q_Key, link state) have been made. On a switch (port 0) the
 * wire carries directed-route SMPs from port to port itself, with their hop pointers and return
 * paths: only SMPs that end here are passed up, with the port of arrival in the return path.
 */
static inline void kmod_port_receive(struct kmod_port *port, struct packet *packet)
{
	kmod_kernel_of(port)->port_receive(port, packet);
}

/*
 * Has a program an agent at this port for the request 'mad' (256 bytes)? Of responses it is not
 * asked: false.
 */
static inline bool kmod_port_takes(const struct kmod_port *port, const uint8_t *mad)
{
	return kmod_kernel_of(port)->port_takes(port, mad);
}

/*
 * Ends the requests with this TID and class that wait at this port for an answer, as if their time
 * and all retries were over: each is reported with ETIMEDOUT now. Linux has no such function; it is
 * for a creator that knows that no answer will come. Returns how many there were.
 */
static inline unsigned int kmod_port_expire(struct kmod_port *port, uint64_t tid,
					    uint8_t mgmt_class)
{
	return kmod_kernel_of(port)->port_expire(port, tid, mgmt_class);
}

/* ---- umad file ---- */

/*
 * Opens umadN of the port. 'owner' is passed to ops->wake. -ENXIO: the device was removed. The file
 * starts with 56-byte headers, as in the kernel.
 */
static inline int kmod_file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file)
{
	return kmod_kernel_of(port)->file_open(port, owner, ret_file);
}

/* Closes: unread packets are freed, agents unregistered, sends end silently. NULL is allowed. */
static inline void kmod_file_close(struct kmod_file *file)
{
	if (file)
		kmod_kernel_of(file)->file_close(file);
}

/*
 * Memory, in bytes, that files hold for a program, and its limits. Linux has no such limits; a
 * program on a simulator must not use up the memory of all others.
 */
struct kmod_usage {
	size_t sending, sending_max;	/* of outstanding sends; above it a write is -ENOMEM */
	size_t received, received_max;	/* queued for read; above it a MAD is dropped */
	size_t peak;			/* the most that either has been */
};

/*
 * Counts the memory of 'file', which has sent and received nothing yet. Many files may share
 * 'usage', which stays the caller's and outlives them and their sends.
 */
static inline void kmod_file_set_usage(struct kmod_file *file, struct kmod_usage *usage)
{
	kmod_kernel_of(file)->file_set_usage(file, usage);
}

/*
 * ioctl(2) with the kernel's four requests (0xC01C1B01, 0x40041B02, 0x00001B03, 0xC0281B04) and
 * their structs, in the caller's own memory. Any other: -ENOTTY. NULL 'arg' of a request that needs
 * it: -EFAULT. Checks and errnos in the order of linux-mad A.3, A.4, B.1.
 */
static inline int kmod_file_ioctl(struct kmod_file *file, unsigned long request, void *arg)
{
	return kmod_kernel_of(file)->file_ioctl(file, request, arg);
}

/*
 * write(2): 'count' or -errno, in the order of linux-mad A.5. An Active MAD of an agent with
 * rmpp_version 1 and without USER_RMPP may have any size: it is sent in segments.
 */
static inline long kmod_file_write(struct kmod_file *file, const void *buf, size_t count)
{
	return kmod_kernel_of(file)->file_write(file, buf, count);
}

/* Memory that its owner lends; embedded in the owner's struct. */
struct kmod_loan {
	void (*release)(struct kmod_loan *loan);
};

/*
 * The same for bytes that do not change until 'loan' (NULL: as above) is released, which happens
 * once, perhaps before this returns: a message of segments is sent out of them, without a copy.
 */
static inline long kmod_file_write_lent(struct kmod_file *file, const void *buf, size_t count,
					struct kmod_loan *loan)
{
	return kmod_kernel_of(file)->file_write_lent(file, buf, count, loan);
}

/* read(2) with O_NONBLOCK: the number of bytes or -errno (linux-mad A.7). */
static inline long kmod_file_read(struct kmod_file *file, void *buf, size_t count)
{
	return kmod_kernel_of(file)->file_read(file, buf, count);
}

/* A message that has left its file's queue, to be read in pieces. */
struct kmod_message;

/*
 * Takes the MAD that a read would return next; the file outlives it. NULL: there is none, it is the
 * report of a send, or there is no memory.
 */
static inline struct kmod_message *kmod_file_take(struct kmod_file *file)
{
	return kmod_kernel_of(file)->file_take(file);
}

/*
 * The next 'count' bytes of what a read would have returned, header first; fewer at the end. The
 * memory of what has been read is free.
 */
static inline size_t kmod_message_read(struct kmod_message *message, void *buf, size_t count)
{
	return kmod_kernel_of(message)->message_read(message, buf, count);
}

/* Frees it, and what has not been read. NULL is allowed. */
static inline void kmod_message_free(struct kmod_message *message)
{
	if (message)
		kmod_kernel_of(message)->message_free(message);
}

/* poll(2): the revents of now: POLLOUT|POLLWRNORM always, POLLIN|POLLRDNORM, or POLLERR alone. */
static inline unsigned int kmod_file_poll(const struct kmod_file *file)
{
	return kmod_kernel_of(file)->file_poll(file);
}

/* Would a read of enough bytes return something other than -EAGAIN? (Readable, or dead.) */
static inline bool kmod_file_readable(const struct kmod_file *file)
{
	return kmod_kernel_of(file)->file_readable(file);
}

/* ---- issm ---- */

/*
 * open(2) of issmN with O_NONBLOCK: -EAGAIN while it is open. Sets IsSM, and returns the error if
 * that fails. kmod_issm_close() clears it.
 */
static inline int kmod_issm_open(struct kmod_port *port)
{
	return kmod_kernel_of(port)->issm_open(port);
}

static inline void kmod_issm_close(struct kmod_port *port)
{
	kmod_kernel_of(port)->issm_close(port);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: what its files share.
 *
 *	transport	carries messages (umadrig_hca.h): hca-file.c, hca-virtio.c
 *	fabric		what is at the other end of one, with its HCAs and the questions that it
 *			owes an answer: hca-fabric.c
 *	hca		an ib_device: hca-device.c, its ports hca-port.c, its queues hca-queue.c,
 *			packets of its QPs hca-packet.c, of those for datagrams hca-datagram.c
 *	guest		/dev/umadrig_guest: hca-guest.c
 *
 * Locks, the outer ones first: a fabric's, an HCA's, a QP's, a CQ's, a transport's. All are taken
 * with interrupts off, as virtio's messages arrive in a hard interrupt.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_HCA_HCA_H
#define UMADRIG_KMOD_STUB_LINUX_HCA_HCA_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>

#include "umadrig_hca.h"

#define HCA_NAME "umadrig_hca"

struct hca_fabric;

/* ---- transports ---- */

/* A message that goes up. 'header' and what is behind it are little endian, as they go. */
struct hca_message {
	struct list_head entry;
	struct umadrig_hca_header header;
	u8 payload[];
};

struct hca_transport {
	/*
	 * Takes the message in every case. In any context, also with interrupts off. 0, -ENOBUFS
	 * (its queue is full) or -ENOTCONN (nobody is at the other end); both are counted.
	 */
	int (*send)(struct hca_fabric *fabric, struct hca_message *message);
	bool carries_guest;	/* messages of a guest, for /dev/umadrig_guest */
};

/* ---- a fabric ---- */

struct hca_fabric {
	const struct hca_transport *transport;
	spinlock_t lock;
	bool is_attached;
	struct hca *hcas[UMADRIG_HCA_HCAS_MAX];
	struct list_head queries;	/* struct hca_query: they wait for their replies */
	u32 last_query;
	struct list_head orders;	/* struct hca_order: ADD and REMOVE, in their order */
	u32 orders_waiting;
	struct work_struct work;	/* carries them out, as that may sleep */
	struct mutex changes;		/* HCAs come and go one at a time */
	atomic64_t up_dropped, down_dropped;
};

void hca_fabric_init(struct hca_fabric *fabric, const struct hca_transport *transport);
/* The other end is there: says HELLO for each HCA, then READY. May sleep. */
void hca_fabric_attach(struct hca_fabric *fabric);
/* It is gone: questions fail, ports go down. May sleep. */
void hca_fabric_detach(struct hca_fabric *fabric);
/* Removes all HCAs. The transport delivers nothing any more. May sleep. */
void hca_fabric_clear(struct hca_fabric *fabric);
/*
 * A message has come down; 'size' bytes of it are there. In any context. 0; -EINVAL: malformed;
 * -ENODEV: there is no such HCA or port; -ENOBUFS: the QP has no receive posted, or too much waits;
 * -ENOTCONN: the QP does not receive; -EACCES: the wrong P_Key or Q_Key; -ENOMEM.
 */
int hca_fabric_receive(struct hca_fabric *fabric, const struct umadrig_hca_header *header,
		       size_t size);
/* A message of 'type' with room for 'payload' bytes, zeros; NULL: no memory. */
struct hca_message *hca_message_new(u8 type, u8 hca, u8 port, size_t payload);
int hca_send(struct hca_fabric *fabric, struct hca_message *message);
/*
 * Asks what process_mad is to say, and waits for the answer: IB_MAD_RESULT_* bits, with 'out' set
 * where REPLY is among them. Fails at once while nobody is attached.
 */
int hca_fabric_ask(struct hca_fabric *fabric, u8 hca, u8 port, u8 flags, const struct ib_mad *in,
		   struct ib_mad *out);

/* ---- an HCA ---- */

struct hca_cq {
	struct ib_cq ib;
	spinlock_t lock;
	struct ib_wc *ring;
	u32 size, head, count;
	bool is_armed;
};

enum {
	HCA_WORK_MAX = 16384,		/* requests of a queue */
	HCA_SEND_PIECES_MAX = 32,
	HCA_RECEIVE_PIECES_MAX = 2,
	HCA_QPS_MAX = 1024,		/* of an HCA, beside QP0 and QP1 */
	HCA_MEMBERS_MAX = 4096,		/* of groups */
};

struct hca_receive {
	u64 id;
	struct {
		u64 address;	/* the kernel's: there is no DMA */
		u32 size;
	} pieces[HCA_RECEIVE_PIECES_MAX];
	u32 size;		/* of all pieces */
};

struct hca_qp {
	struct ib_qp ib;
	spinlock_t lock;
	struct hca_receive *ring;
	u32 size, head, count;
	u8 port;
	enum ib_qp_state state;	/* this and the next are written under the lock, and read without */
	u32 qkey;
	u16 pkey_index;		/* of a QP for datagrams; as the two above */
	u32 psn;		/* of its next datagram; under hca->lock */
	bool is_all_signaled, is_loop_blocked;
	struct ib_qp_cap cap;
};

/* A QP that is attached to a group. */
struct hca_member {
	struct list_head entry;
	struct hca_qp *qp;
	union ib_gid gid;
};

/* A datagram whose pieces have not all come. */
struct hca_datagram {
	struct umadrig_hca_header header;	/* of the first piece */
	u32 filled;				/* 0: there is none */
	u8 bytes[UMADRIG_HCA_GRH_SIZE + UMADRIG_HCA_DATAGRAM_MAX];
};

struct hca_ah {
	struct ib_ah ib;
	struct rdma_ah_attr attributes;
};

struct hca_pd {
	struct ib_pd ib;
};

struct hca_port {
	struct umadrig_hca_port attributes;	/* as they came */
	u32 capability;
	u16 pkeys[UMADRIG_HCA_PKEYS_MAX];
	__be64 guids[UMADRIG_HCA_GIDS_MAX];
	struct hca_qp *qps[2];
	u32 datagrams;			/* that were sent: each has a number for its pieces */
	struct hca_datagram *datagram;	/* NULL: none has come in pieces yet */
	u64 sent, received, no_buffer, no_qp, bad_pkey, bad_qkey, too_long;
};

struct hca {
	struct ib_device ib;
	struct hca_fabric *fabric;
	u8 number;
	bool is_ready;		/* it has said HELLO */
	spinlock_t lock;	/* of all below */
	struct umadrig_hca_description description;
	struct hca_port ports[UMADRIG_HCA_PORTS_MAX];
	struct list_head members;	/* struct hca_member */
	u32 member_count, qp_count;
	struct xarray qps;		/* those for datagrams, by number; has a lock of its own */
	u32 last_qp;
	refcount_t users;	/* who delivers into it */
	struct completion unused;
};

static inline struct hca *hca_of(struct ib_device *device)
{
	return container_of(device, struct hca, ib);
}

/* 'number' is one that ib_core has checked. */
static inline struct hca_port *hca_port_of(struct hca *hca, u32 number)
{
	return &hca->ports[number - 1];
}

static inline bool hca_has_port(const struct hca *hca, u32 number)
{
	return number >= 1 && number <= hca->description.ports;
}

/* What is wrong with a description, or 0. */
int hca_description_check(const struct umadrig_hca_description *description);
/* Registers an HCA; -errno. It is in fabric->hcas from before its registration on. */
int hca_add(struct hca_fabric *fabric, u8 number,
	    const struct umadrig_hca_description *description);
/* Takes it out of fabric->hcas, waits for those who deliver, and unregisters it. -ENODEV: none. */
int hca_remove(struct hca_fabric *fabric, u8 number);
/* To be put; NULL: there is none that has said HELLO. */
struct hca *hca_get(struct hca_fabric *fabric, u8 number);
void hca_put(struct hca *hca);
void hca_say_hello(struct hca_fabric *fabric, u8 number,
		   const struct umadrig_hca_description *description, int err);

/* ---- ports: hca-port.c ---- */

extern const struct ib_device_ops hca_port_operations;
void hca_port_init(struct hca *hca, u32 number);
/* What the messages PORT, PKEYS, GIDS and COUNTERS do; 'size' is the payload's. */
int hca_port_set(struct hca *hca, const struct umadrig_hca_header *header, size_t size);
int hca_port_set_pkeys(struct hca *hca, const struct umadrig_hca_header *header, size_t size);
int hca_port_set_gids(struct hca *hca, const struct umadrig_hca_header *header, size_t size);
int hca_port_count(struct hca *hca, const struct umadrig_hca_header *header);
/* The cable is out. */
void hca_port_down(struct hca *hca, u32 number);
/* Two P_Keys match if their low 15 bits do, and at least one is of a full member (C10-120). */
static inline bool hca_pkeys_match(u16 a, u16 b)
{
	return (a & 0x7fff) == (b & 0x7fff) && a & 0x7fff && (a | b) & 0x8000;
}

/* The index of a P_Key that lets a packet with 'pkey' in, or -1. Under hca->lock. */
int hca_port_find_pkey(const struct hca *hca, const struct hca_port *port, u16 pkey);

/* ---- queues: hca-queue.c, hca-packet.c, hca-datagram.c ---- */

extern const struct ib_device_ops hca_queue_operations;
extern const struct ib_device_ops hca_packet_operations;
extern const struct ib_device_ops hca_datagram_operations;
void hca_cq_push(struct ib_cq *cq, const struct ib_wc *wc);
static inline struct hca_qp *hca_qp_of(struct ib_qp *qp)
{
	return container_of(qp, struct hca_qp, ib);
}

static inline bool hca_qp_receives(const struct hca_qp *qp)
{
	enum ib_qp_state state = READ_ONCE(qp->state);

	return state == IB_QPS_RTR || state == IB_QPS_RTS || state == IB_QPS_SQE;
}
/* A packet from the fabric; as hca_fabric_receive(). */
int hca_packet_receive(struct hca *hca, const struct umadrig_hca_header *header, size_t size);
/* Fills in what a header says of a request's packet. Under hca->lock. */
void hca_packet_address(struct umadrig_hca_header *header, const struct hca *hca,
			const struct hca_port *port, const struct hca_qp *qp,
			const struct ib_ud_wr *work);
/* The GRH in front of 'size' bytes of payload, if the request's address has one: its length. */
size_t hca_packet_grh(u8 *to, const struct hca *hca, const struct hca_port *port,
		      const struct ib_ud_wr *work, size_t size);
/* Copies a request's bytes. */
void hca_packet_gather(u8 *to, const struct ib_send_wr *wr);
/*
 * Gives a packet, of which 'size' bytes are at 'payload' (with a GRH if the header says so), to the
 * QP: 0, -ENOBUFS or -EMSGSIZE. Under hca->lock.
 */
int hca_packet_deliver(struct hca *hca, struct hca_port *port, struct hca_qp *qp,
		       const struct umadrig_hca_header *header, const u8 *payload, size_t size,
		       u16 pkey_index);
/* Tells the fabric what a packet violates. */
void hca_packet_report(struct hca *hca, const struct umadrig_hca_header *packet, u32 what);

/* A number for a new QP for datagrams; -ENOMEM. May sleep. */
int hca_datagram_add(struct hca *hca, struct hca_qp *qp);
/* After it nothing is delivered to it. */
void hca_datagram_remove(struct hca *hca, struct hca_qp *qp);
/* Sends one of 'size' bytes; -ENOMEM. In any context. */
int hca_datagram_send(struct hca *hca, struct hca_qp *qp, const struct ib_ud_wr *work,
		      size_t size);
/* A datagram from the fabric, or a piece of one; as hca_fabric_receive(). */
int hca_datagram_receive(struct hca *hca, const struct umadrig_hca_header *header, size_t size);

/* ---- transports and the guest's file ---- */

int hca_file_init(void);
void hca_file_exit(void);
#if IS_REACHABLE(CONFIG_VIRTIO)
int hca_virtio_init(void);
void hca_virtio_exit(void);
#else
static inline int hca_virtio_init(void) { return 0; }
static inline void hca_virtio_exit(void) { }
#endif
/* One fabric at a time may have it; -EBUSY. */
int hca_guest_open(struct hca_fabric *fabric);
void hca_guest_close(struct hca_fabric *fabric);
/* A message for init. In any context. */
int hca_guest_receive(const struct umadrig_hca_header *header, size_t size);

/* Behind the header: a payload. */
static inline const void *hca_payload(const struct umadrig_hca_header *header)
{
	return header + 1;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fake's MAD layer: one agent a class, no retries, no segments.
 */
#ifndef UMADRIG_TESTS_KMOD_STUB_FAKE_TREE_INCLUDE_RDMA_IB_MAD_H
#define UMADRIG_TESTS_KMOD_STUB_FAKE_TREE_INCLUDE_RDMA_IB_MAD_H

#include <linux/list.h>
#include <rdma/ib_verbs.h>
#include <uapi/rdma/ib_user_mad.h>

enum { IB_MGMT_MAD_HDR = 24, FAKE_MAD_SIZE = 256 };
enum fake_capability { IB_PORT_SM = 2 };

struct ib_mad_hdr {
	u8 base_version;
	u8 mgmt_class;
	u8 class_version;
	u8 method;
	__be16 status;
	__be16 class_specific;
	__be64 tid;
	__be16 attr_id;
	__be16 resv;
	__be32 attr_mod;
};

struct ib_mad_agent;
struct ib_mad_send_buf;

struct ib_mad_send_wc {
	struct ib_mad_send_buf *send_buf;
	enum ib_wc_status status;
};

/* A received MAD: the buffer that it came in. */
struct ib_mad_recv_wc {
	struct list_head list;
	struct ib_cqe cqe;
	struct ib_wc *wc;
	struct ib_wc copy;
	int mad_len;
	struct ib_grh grh;
	struct ib_mad_hdr mad;
	u8 data[FAKE_MAD_SIZE - sizeof(struct ib_mad_hdr)];
};

typedef void (*ib_mad_send_handler)(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc);
typedef void (*ib_mad_recv_handler)(struct ib_mad_agent *agent, struct ib_mad_send_buf *send,
				    struct ib_mad_recv_wc *wc);

struct ib_mad_send_buf {
	struct list_head list;
	struct ib_cqe cqe;
	struct ib_ud_wr wr;
	struct ib_sge sge[2];
	void *mad;
	struct ib_mad_agent *mad_agent;
	struct ib_ah *ah;
	void *context[2];
	int hdr_len;
	int data_len;
	int timeout_ms;
	unsigned long until;
	u8 bytes[FAKE_MAD_SIZE];
};

struct fake_request {
	u8 mgmt_class;
};

struct ib_mad_agent {
	struct list_head list;
	struct ib_device *device;
	struct ib_qp *qp;
	u32 port_num;
	u32 hi_tid;
	u8 mgmt_class;
	u8 rmpp_version;
	void *context;
	ib_mad_send_handler send_handler;
	ib_mad_recv_handler recv_handler;
	struct fake_port *port;
	spinlock_t lock;
	struct list_head waiting;
	struct delayed_work timer;
	bool goes;
	refcount_t references;
	struct completion gone;
	/* As trace_ib_mad_create_agent() has it of mad.c's own struct. */
	struct {
		struct ib_device *device;
		u32 hi_tid;
		u8 rmpp_version;
	} agent;
};

struct ib_mad_agent *ib_register_mad_agent(struct ib_device *device, u32 port_num,
					   enum ib_qp_type type, struct fake_request *request,
					   u8 rmpp_version, ib_mad_send_handler send,
					   ib_mad_recv_handler recv, void *context, u32 flags);
void ib_unregister_mad_agent(struct ib_mad_agent *agent);
void ib_free_recv_mad(struct ib_mad_recv_wc *wc);
void ib_cancel_mad(struct ib_mad_send_buf *send);
int ib_response_mad(const struct ib_mad_hdr *hdr);

static inline int ib_mad_kernel_rmpp_agent(const struct ib_mad_agent *agent)
{
	return agent->rmpp_version;
}

/* Sends: 0, or -errno, and the buffer stays the caller's. */
int fake_send(struct ib_mad_send_buf *send);
/* rmpp.c's, smi.c's and agent.c's. */
unsigned int fake_segments(size_t size);
bool fake_is_smp(const struct ib_mad_hdr *hdr);
int fake_agent_open(struct ib_device *device);
void fake_agent_close(struct ib_device *device);

#endif

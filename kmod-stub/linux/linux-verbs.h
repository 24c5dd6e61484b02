/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A device's verbs, as far as MADs need them: what stands for <rdma/ib_verbs.h>, <rdma/ib_cache.h>,
 * <linux/dma-mapping.h> and the security hooks.
 *
 * A device has one port. Its two QPs send into ops->transmit and receive from kmod_port_receive();
 * the completion of a send comes at the same instant, in its order, that of a receive at once.
 *
 * Receive buffers are posted lazily: a queue holds one buffer, and has mad.c post another one when
 * a packet comes and there is none, up to the size that it was made with. A full queue costs half a
 * megabyte a port, and no packet ever waits in it.
 *
 * Left out: everything but UD sends and receives on QP0 and QP1; OPA; errors of the hardware. A DMA
 * address is the pointer.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_VERBS_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_VERBS_H

#include "kmod-stub/linux/linux-devices.h"
#include "kmod-stub/linux/linux-types.h"
#include "kmod-stub/linux/linux-work.h"

struct ib_cq;
struct ib_device;
struct ib_mad;
struct ib_wc;
struct kmod_port;

enum ib_qp_type {
	IB_QPT_SMI,
	IB_QPT_GSI,
	IB_QPT_RC,
};

enum ib_wc_status {
	IB_WC_SUCCESS,
	IB_WC_LOC_LEN_ERR,
	IB_WC_LOC_QP_OP_ERR,
	IB_WC_LOC_EEC_OP_ERR,
	IB_WC_LOC_PROT_ERR,
	IB_WC_WR_FLUSH_ERR,
	IB_WC_MW_BIND_ERR,
	IB_WC_BAD_RESP_ERR,
	IB_WC_LOC_ACCESS_ERR,
	IB_WC_REM_INV_REQ_ERR,
	IB_WC_REM_ACCESS_ERR,
	IB_WC_REM_OP_ERR,
	IB_WC_RETRY_EXC_ERR,
	IB_WC_RNR_RETRY_EXC_ERR,
	IB_WC_LOC_RDD_VIOL_ERR,
	IB_WC_REM_INV_RD_REQ_ERR,
	IB_WC_REM_ABORT_ERR,
	IB_WC_INV_EECN_ERR,
	IB_WC_INV_EEC_STATE_ERR,
	IB_WC_FATAL_ERR,
	IB_WC_RESP_TIMEOUT_ERR,
	IB_WC_GENERAL_ERR,
};

enum ib_wc_opcode {
	IB_WC_SEND = 0,
	IB_WC_RECV = 128,
};

enum ib_wc_flags { IB_WC_GRH = 1 };
enum ib_ah_flags { IB_AH_GRH = 1 };

enum ib_mad_result {
	IB_MAD_RESULT_FAILURE = 0,
	IB_MAD_RESULT_SUCCESS = 1,
	IB_MAD_RESULT_REPLY = 2,
	IB_MAD_RESULT_CONSUMED = 4,
};

enum ib_wr_opcode { IB_WR_SEND = 2 };
enum ib_send_flags { IB_SEND_SIGNALED = 2 };
enum ib_sig_type { IB_SIGNAL_ALL_WR, IB_SIGNAL_REQ_WR };
enum ib_poll_context { IB_POLL_DIRECT, IB_POLL_SOFTIRQ, IB_POLL_WORKQUEUE,
		       IB_POLL_UNBOUND_WORKQUEUE };
enum ib_cq_notify_flags { IB_CQ_SOLICITED = 1, IB_CQ_NEXT_COMP = 2 };
enum ib_qp_state { IB_QPS_RESET, IB_QPS_INIT, IB_QPS_RTR, IB_QPS_RTS, IB_QPS_SQD, IB_QPS_SQE,
		   IB_QPS_ERR };
enum ib_qp_attr_mask {
	IB_QP_STATE = 1,
	IB_QP_CUR_STATE = 1 << 1,
	IB_QP_PKEY_INDEX = 1 << 4,
	IB_QP_QKEY = 1 << 6,
	IB_QP_SQ_PSN = 1 << 16,
};
enum dma_data_direction { DMA_BIDIRECTIONAL, DMA_TO_DEVICE, DMA_FROM_DEVICE };

#define RDMA_MAX_PORTS 255

union ib_gid {
	u8 raw[16];
	struct {
		__be64 subnet_prefix;
		__be64 interface_id;
	} global;
};

struct ib_grh {
	__be32 version_tclass_flow;
	__be16 paylen;
	u8 next_hdr;
	u8 hop_limit;
	union ib_gid sgid;
	union ib_gid dgid;
};

struct ib_pd {
	struct ib_device *device;
	u32 local_dma_lkey;
};

struct ib_cqe {
	void (*done)(struct ib_cq *cq, struct ib_wc *wc);
};

struct ib_cq {
	struct ib_device *device;
	void *cq_context;
};

struct ib_wc {
	struct ib_cqe *wr_cqe;
	enum ib_wc_status status;
	enum ib_wc_opcode opcode;
	u32 vendor_err;
	u32 byte_len;
	struct ib_qp *qp;
	u32 src_qp;
	u32 slid;
	int wc_flags;
	u16 pkey_index;
	u8 sl;
	u8 dlid_path_bits;
	u32 port_num;
};

struct ib_sge {
	u64 addr;
	u32 length;
	u32 lkey;
};

struct ib_send_wr {
	struct ib_send_wr *next;
	struct ib_cqe *wr_cqe;
	struct ib_sge *sg_list;
	int num_sge;
	enum ib_wr_opcode opcode;
	int send_flags;
};

struct ib_ah;

struct ib_ud_wr {
	struct ib_send_wr wr;
	struct ib_ah *ah;
	u32 remote_qpn;
	u32 remote_qkey;
	u16 pkey_index;
	u32 port_num;
};

struct ib_recv_wr {
	struct ib_recv_wr *next;
	struct ib_cqe *wr_cqe;
	struct ib_sge *sg_list;
	int num_sge;
};

struct ib_event {
	int event;
};

struct ib_qp_cap {
	u32 max_send_wr;
	u32 max_recv_wr;
	u32 max_send_sge;
	u32 max_recv_sge;
};

struct ib_qp_init_attr {
	void (*event_handler)(struct ib_event *event, void *context);
	void *qp_context;
	struct ib_cq *send_cq;
	struct ib_cq *recv_cq;
	struct ib_qp_cap cap;
	enum ib_sig_type sq_sig_type;
	enum ib_qp_type qp_type;
	u32 port_num;
};

struct ib_qp_attr {
	enum ib_qp_state qp_state;
	enum ib_qp_state cur_qp_state;
	u32 qkey;
	u32 sq_psn;
	u16 pkey_index;
};

/* A buffer that waits for a packet. */
struct linux_recv {
	u64 addr;
	u32 length;
	struct ib_cqe *cqe;
};

struct ib_qp {
	struct ib_device *device;
	struct ib_pd *pd;
	u32 qp_num;
	enum ib_qp_type qp_type;
	void *qp_context;
	struct ib_cq *send_cq, *recv_cq;
	struct ib_qp_cap cap;
	u32 psn;
	unsigned int sends;		/* whose completions are to come */
	/* Posted buffers, a ring: a power of two of places, grown as needed. */
	struct linux_recv *recvs;
	unsigned int recv_places, recv_first, recv_count;
};

struct ib_port_modify {
	u32 set_port_cap_mask;
	u32 clr_port_cap_mask;
	u8 init_type;
};

/* IB_PORT_SM of the headers of the tree. */
#define LINUX_PORT_IS_SM (1u << 1)

struct ib_device_ops {
	int (*process_mad)(struct ib_device *device, int flags, u32 port, const struct ib_wc *wc,
			   const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
			   size_t *out_size, u16 *out_pkey_index);
};

enum { LINUX_CLIENTS_MAX = 8 };

struct ib_device {
	struct device dev;
	struct ib_device_ops ops;
	int phys_port_cnt;
	u32 port_num;			/* the one that it has; of a switch 0 */
	struct kmod_port *port;
	struct ib_qp *qps[2];
	void *client_data[LINUX_CLIENTS_MAX];
	bool client_added[LINUX_CLIENTS_MAX];
};

struct ib_client_nl_info {
	struct sk_buff *nl_msg;
	struct device *cdev;
	u32 port;
	u64 abi;
};

struct ib_client {
	const char *name;
	int (*add)(struct ib_device *device);
	void (*remove)(struct ib_device *device, void *data);
	int (*get_nl_info)(struct ib_device *device, void *data, struct ib_client_nl_info *info);
};

int ib_register_client(struct ib_client *client);
void ib_unregister_client(struct ib_client *client);
void ib_set_client_data(struct ib_device *device, struct ib_client *client, void *data);

/* The clients see a device come, in their order, and go, in the other one. */
void linux_clients_add(struct ib_device *device);
void linux_clients_remove(struct ib_device *device);

bool linux_has_qp(const struct ib_device *device, unsigned int qpn);
bool linux_is_switch(const struct ib_device *device);

#define rdma_cap_ib_mad(device, port) true
#define rdma_cap_ib_smi(device, port) linux_has_qp(device, 0)
#define rdma_cap_ib_cm(device, port) linux_has_qp(device, 1)
#define rdma_cap_ib_switch(device) linux_is_switch(device)
#define rdma_cap_opa_mad(device, port) false
#define rdma_max_mad_size(device, port) 256
#define rdma_start_port(device) ((device)->port_num)
#define rdma_end_port(device) ((device)->port_num)
#define rdma_is_port_valid(device, port) ((port) == (device)->port_num)
#define rdma_for_each_port(device, port) \
	for ((port) = rdma_start_port(device); (port) <= rdma_end_port(device); (port)++)
#define rdma_dev_access_netns(device, net) true
#define ib_mad_agent_security_setup(agent, type) 0
#define ib_mad_agent_security_cleanup(agent) do { } while (0)
#define ib_mad_enforce_security(agent, pkey_index) 0

#define ib_dma_map_single(device, pointer, size, direction) ((u64)(uintptr_t)(pointer))
#define ib_dma_mapping_error(device, addr) 0
#define ib_dma_unmap_single(device, addr, size, direction) ((void)(addr))

struct ib_pd *linux_pd_new(struct ib_device *device, struct linux_place place);
struct ib_cq *linux_cq_new(struct ib_device *device, void *context, struct linux_place place);
struct ib_qp *linux_qp_new(struct ib_pd *pd, const struct ib_qp_init_attr *attr,
			   struct linux_place place);
#define ib_alloc_pd(device, flags) linux_pd_new(device, LINUX_HERE)
#define ib_dealloc_pd(pd) kfree(pd)
#define ib_alloc_cq(device, context, size, vector, poll) \
	linux_cq_new(device, context, LINUX_HERE)
void linux_cq_free(struct ib_cq *cq, const char *file, int line);
#define ib_free_cq(cq) linux_cq_free(cq, __FILE__, __LINE__)
#define ib_req_notify_cq(cq, flags) 0
#define ib_create_qp(pd, attr) linux_qp_new(pd, attr, LINUX_HERE)
int ib_destroy_qp(struct ib_qp *qp);
int ib_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask);
int ib_modify_port(struct ib_device *device, u32 port, int mask, struct ib_port_modify *modify);
int ib_post_send(struct ib_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int ib_post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
int ib_find_pkey(struct ib_device *device, u32 port, u16 pkey, u16 *ret_index);

#endif

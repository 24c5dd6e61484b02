/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Addresses: what stands for the address handles, GIDs and LIDs of <rdma/ib_verbs.h> and
 * <rdma/ib_cache.h>.
 *
 * Left out: RoCE's resolution: a port of Ethernet takes what has a GRH to a GID of its table, and
 * nothing else. OPA's long LIDs.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_ADDRESSES_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_ADDRESSES_H

#include "kmod-stub/linux/linux-types.h"
#include "kmod-stub/linux/linux-verbs.h"

#define IB_LID_PERMISSIVE cpu_to_be16(0xffff)

struct ib_global_route {
	union ib_gid dgid;
	u32 flow_label;
	u8 sgid_index;
	u8 hop_limit;
	u8 traffic_class;
};

enum rdma_ah_attr_type { RDMA_AH_ATTR_TYPE_IB = 1, RDMA_AH_ATTR_TYPE_ROCE };

struct rdma_ah_attr {
	struct ib_global_route grh;
	u32 dlid;
	u32 port_num;
	u8 sl;
	u8 path_bits;
	u8 ah_flags;
	enum rdma_ah_attr_type type;
};

struct ib_ah {
	struct ib_device *device;
	struct rdma_ah_attr attr;
};

#define rdma_ah_get_ah_flags(attr) ((attr)->ah_flags)
#define rdma_ah_get_dlid(attr) ((attr)->dlid)
#define rdma_ah_get_sl(attr) ((attr)->sl)
#define rdma_ah_get_path_bits(attr) ((attr)->path_bits)
#define rdma_ah_read_grh(attr) ((const struct ib_global_route *)&(attr)->grh)
#define rdma_ah_set_dlid(attr, value) ((void)((attr)->dlid = (value)))
#define rdma_ah_set_sl(attr, value) ((void)((attr)->sl = (value)))
#define rdma_ah_set_path_bits(attr, value) ((void)((attr)->path_bits = (value)))
#define rdma_ah_set_port_num(attr, value) ((void)((attr)->port_num = (value)))
#define rdma_ah_set_dgid_raw(attr, gid) memcpy((attr)->grh.dgid.raw, gid, 16)
#define rdma_destroy_ah_attr(attr) ((void)(attr))
#define ib_lid_be16(lid) cpu_to_be16((u16)(lid))
#define ib_lid_cpu16(lid) ((u16)(lid))

static inline void rdma_ah_set_grh(struct rdma_ah_attr *attr, const union ib_gid *dgid,
				   u32 flow_label, u8 sgid_index, u8 hop_limit, u8 traffic_class)
{
	attr->ah_flags = IB_AH_GRH;
	if (dgid)
		attr->grh.dgid = *dgid;
	attr->grh.flow_label = flow_label;
	attr->grh.sgid_index = sgid_index;
	attr->grh.hop_limit = hop_limit;
	attr->grh.traffic_class = traffic_class;
}

enum rdma_ah_attr_type rdma_ah_find_type(const struct ib_device *device, u32 port);

/* An address of a program's. -EINVAL: not one of this port; -ENODATA: no such GID. */
struct ib_ah *linux_user_ah_new(struct ib_pd *pd, const struct rdma_ah_attr *attr,
				struct linux_place place);
/* Back to where a packet came from. */
struct ib_ah *linux_reply_ah_new(struct ib_pd *pd, const struct ib_wc *wc,
				 const struct ib_grh *grh, u32 port, struct linux_place place);
#define rdma_create_user_ah(pd, attr, udata) linux_user_ah_new(pd, attr, LINUX_HERE)
#define ib_create_ah_from_wc(pd, wc, grh, port) \
	linux_reply_ah_new(pd, wc, grh, port, LINUX_HERE)
#define RDMA_DESTROY_AH_SLEEPABLE 1
#define rdma_destroy_ah(ah, flags) do { \
	if ((flags) & RDMA_DESTROY_AH_SLEEPABLE) \
		linux_may_sleep("rdma_destroy_ah", __FILE__, __LINE__); \
	kfree(ah); \
} while (0)

int rdma_query_ah(struct ib_ah *ah, struct rdma_ah_attr *attr);
int ib_init_ah_attr_from_wc(struct ib_device *device, u32 port, const struct ib_wc *wc,
			    const struct ib_grh *grh, struct rdma_ah_attr *attr);
int rdma_query_gid(struct ib_device *device, u32 port, int index, union ib_gid *gid);
int ib_get_cached_lmc(struct ib_device *device, u32 port, u8 *lmc);

#endif

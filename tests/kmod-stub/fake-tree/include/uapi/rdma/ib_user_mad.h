/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What programs see of the fake: the header of a MAD, and three ioctls of Linux's numbers.
 */
#ifndef UMADRIG_TESTS_KMOD_STUB_FAKE_TREE_INCLUDE_UAPI_RDMA_IB_USER_MAD_H
#define UMADRIG_TESTS_KMOD_STUB_FAKE_TREE_INCLUDE_UAPI_RDMA_IB_USER_MAD_H

#include <linux/types.h>
#include <linux/ioctl.h>
#include <rdma/hfi/hfi1_ioctl.h>

#define IB_USER_MAD_ABI_VERSION 5

struct ib_user_mad_hdr {
	__u32 id;
	__u32 status;
	__u32 timeout_ms;
	__u32 retries;
	__u32 length;
	__be32 qpn;
	__be32 qkey;
	__be16 lid;
	__u8 sl;
	__u8 rest[33];
};

enum {
	IB_USER_MAD_REGISTER = 0xc01c1b01,
	IB_USER_MAD_UNREGISTER = 0x40041b02,
	IB_USER_MAD_PKEY = 0x1b03,
};

#endif

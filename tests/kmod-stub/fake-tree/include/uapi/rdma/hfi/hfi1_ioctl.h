/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A header in a folder of its own, as those of Linux include one. */
#ifndef UMADRIG_TESTS_KMOD_STUB_FAKE_TREE_INCLUDE_UAPI_RDMA_HFI_HFI1_IOCTL_H
#define UMADRIG_TESTS_KMOD_STUB_FAKE_TREE_INCLUDE_UAPI_RDMA_HFI_HFI1_IOCTL_H

#endif

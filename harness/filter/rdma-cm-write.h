/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Commands of the communication manager for programs, /dev/infiniband/rdma_cm.
 */
#ifndef UMADRIG_HARNESS_FILTER_RDMA_CM_WRITE_H
#define UMADRIG_HARNESS_FILTER_RDMA_CM_WRITE_H

#include "harness/filter/uverbs-file.h"

/*
 * write(2) of 'size' bytes at 'at': the -errno of Linux's rdma_ucm for what is no command, and
 * -EOPNOTSUPP with one line for each that is one: connections need queue pairs.
 */
long rdma_cm_write(struct uverbs_file *file, const struct seccomp_notif *call, uint64_t at,
		   uint64_t size);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Answers of Linux's netlink for RDMA (<rdma/rdma_netlink.h>, NLDEV) to what only asks: devices,
 * ports, the system, character devices of verbs. All that would change something is refused.
 */
#ifndef UMADRIG_HARNESS_FILTER_RDMA_ANSWER_H
#define UMADRIG_HARNESS_FILTER_RDMA_ANSWER_H

#include <stddef.h>
#include <stdint.h>

/* Sends one message to the program; 'size' is a multiple of 4. */
typedef void rdma_reply_fn(void *context, const void *bytes, size_t size);

/*
 * Answers all messages in 'bytes' by what 'shown' says, a directory that stands for /sys
 * (host_view_values()). 'portid': the number of the program's socket.
 */
void rdma_answer(int shown, const uint8_t *bytes, size_t size, uint32_t portid,
		 rdma_reply_fn *reply, void *context);

#endif

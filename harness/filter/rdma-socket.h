/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Netlink sockets for RDMA of programs: what socket(2) gives them.
 *
 * It is a socket of NETLINK_USERSOCK at a high number, of which bind, getsockname, poll and all
 * that receives are the kernel's, with addresses of netlink. What is sent is trapped, and answered
 * by a socket of the supervisor's (harness/filter/rdma-answer.h). Nothing tells when a program
 * closes it.
 */
#ifndef UMADRIG_HARNESS_FILTER_RDMA_SOCKET_H
#define UMADRIG_HARNESS_FILTER_RDMA_SOCKET_H

#include "harness/filter/call-trap.h"
#include "harness/filter/supervisor.h"

struct rdma_sockets;

struct rdma_sockets *rdma_sockets_new(void);
/* NULL is allowed. */
void rdma_sockets_free(struct rdma_sockets *sockets);

/* socket(AF_NETLINK, ..., NETLINK_RDMA). Where none can be had: as on a host without RDMA. */
supervisor_call_fn rdma_on_socket;

/* Is it such a socket? Then the kernel goes on with all calls but those below. */
bool rdma_socket_is(struct supervisor *supervisor, pid_t tid, int fd);

/*
 * Takes what is sent, 'size' bytes at 'at', and answers it into the socket. 'size', or -errno:
 * -EMSGSIZE, more than RDMA_MESSAGE_MAX; -ENOTCONN, it has not been bound.
 */
long rdma_socket_send(struct supervisor *supervisor, const struct seccomp_notif *call, uint64_t at,
		      size_t size);
enum { RDMA_MESSAGE_MAX = 4096 };

#endif

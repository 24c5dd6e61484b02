/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Queues of errors, which recv(2) with MSG_ERRQUEUE reads and never waits for. */
#ifndef UMADRIG_LIB_LOCKSTEP_ERROR_QUEUE_H
#define UMADRIG_LIB_LOCKSTEP_ERROR_QUEUE_H

#include <stdbool.h>
#include <sys/socket.h>

/* Have sockets of that domain one? Others take no notice of the flag. */
static inline bool error_queue_is_of(int domain)
{
	return domain == AF_INET || domain == AF_INET6 || domain == AF_PACKET;
}

#endif

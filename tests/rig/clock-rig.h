/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads that wait in a fabric, for tests of its clock.
 */
#ifndef UMADRIG_TESTS_RIG_CLOCK_RIG_H
#define UMADRIG_TESTS_RIG_CLOCK_RIG_H

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

#include "tests/rig/rig.h"

enum { CLASS = 0x32, NODE_INFO = 0x0011, PORT_INFO = 0x0015, LONG_MS = 60000 };

/* Is the descriptor readable, as the program's own poll(2) sees it? */
static inline bool fd_readable(int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	return poll(&pollfd, 1, timeout_ms) == 1 && (pollfd.revents & POLLIN);
}

static const struct rig_get unanswered = { .mgmt_class = CLASS, .dlid = 99, .timeout_ms = 20 };
static const struct rig_get peer = {
	.mgmt_class = 0x81, .attr = NODE_INFO, .path = { 1, 1 }, .timeout_ms = LONG_MS,
};

struct worker {
	struct rig *rig;
	pthread_barrier_t *start;
	int fd;
	uint32_t agent;
	int rounds;
	int wait_ms;		/* umad_recv's timeout */
	int64_t done_ns;
	long ret;
};

static inline void *wait_long(void *data)
{
	struct worker *worker = data;
	uint8_t umad[RIG_UMAD];

	umadrig_thread_enter(worker->rig->fabric);
	pthread_barrier_wait(worker->start);
	worker->ret = worker->rig->backend->recv_wait(worker->fd, umad, sizeof(umad),
						      worker->wait_ms);
	worker->done_ns = umadrig_now(worker->rig->fabric);
	return NULL;
}

#endif

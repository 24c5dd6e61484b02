/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The invariants of a whole fabric, its kernels and handles: lib/base/invariant.h.
 */
#ifndef UMADRIG_SIM_HOST_FABRIC_CHECK_H
#define UMADRIG_SIM_HOST_FABRIC_CHECK_H

#include <stddef.h>

struct event_queue;
struct umadrig_fabric;

/* '*work' grows by how many things were looked at. Lock held. */
const char *fabric_check(const struct umadrig_fabric *fabric, size_t *work);

/* The 'check' of a fabric's event queue. */
size_t fabric_check_event(struct event_queue *queue);

#endif

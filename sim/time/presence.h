/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Presence: which threads take part in the virtual time of which fabrics. A thread that ends leaves
 * all of them.
 */
#ifndef UMADRIG_SIM_TIME_PRESENCE_H
#define UMADRIG_SIM_TIME_PRESENCE_H

#include "sim/fabric/fabric.h"

/*
 * Notes that the calling thread is there; true if it was not before. Cheap when it was. Lock
 * held.
 */
bool presence_enter(struct umadrig_fabric *fabric);

/* Notes that the calling thread is no longer there; true if it was. Lock held. */
bool presence_leave(struct umadrig_fabric *fabric);

/* A fabric has come to be. Its lock is free. */
void presence_fabric_made(struct umadrig_fabric *fabric);

/* The fabric is going to be freed: threads that are still there leave it no more. Lock free. */
void presence_fabric_gone(struct umadrig_fabric *fabric);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Requests that time out at once, because no answer to them will come (unmatched=timeout).
 */
#ifndef UMADRIG_SIM_RUN_REPLAY_EXPIRY_H
#define UMADRIG_SIM_RUN_REPLAY_EXPIRY_H

#include <stdint.h>

struct end_port;
struct packet;
struct umadrig_fabric;

/*
 * Has the request that leaves 'from' time out in 'delay_ns', when an answer would have come. The
 * packet stays the caller's. Lock held, here and below.
 */
void replay_expiry_add(struct end_port *from, const struct packet *request, int64_t delay_ns);

/* Forgets all that have not timed out yet. */
void replay_expiry_clear(struct umadrig_fabric *fabric);

#endif

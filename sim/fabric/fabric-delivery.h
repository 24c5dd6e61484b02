/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets on their way to their end: each is an event, at which it arrives (the fabric's 'arrive').
 */
#ifndef UMADRIG_SIM_FABRIC_FABRIC_DELIVERY_H
#define UMADRIG_SIM_FABRIC_FABRIC_DELIVERY_H

#include <stdint.h>

struct packet;
struct port;
struct umadrig_fabric;

/* The packet, which it takes, arrives at 'in' (an end port, or any port of a switch) at 'at_ns'. */
void delivery_arm(struct port *in, struct packet *packet, int64_t at_ns);

/* Frees the packets that are on their way, and the deliveries. */
void deliveries_clear(struct umadrig_fabric *fabric);

#endif

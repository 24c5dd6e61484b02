/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the way of a packet ends: what the HCA or switch checks, what a switch answers without a
 * kernel, and the door to the kernel.
 */
#ifndef UMADRIG_SIM_HOST_ARRIVAL_H
#define UMADRIG_SIM_HOST_ARRIVAL_H

struct packet;
struct port;

/*
 * A fabric_arrive_fn: the packet has come in by 'in' and is meant for the node, as its HCA or
 * switch sees it. Takes the packet. Lock held.
 */
void arrival_receive(struct port *in, struct packet *packet);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of a packet's way: the checks of the HCA or switch, the answers of a switch without a
 * kernel, and the door to the kernel.
 */
#ifndef UMADRIG_SIM_HOST_ARRIVAL_H
#define UMADRIG_SIM_HOST_ARRIVAL_H

struct packet;
struct port;

/*
 * A fabric_arrive_fn, for a packet that has come in by 'in' and that the node's HCA or switch takes
 * for its own. Takes ownership of the packet. Lock held.
 */
void arrival_receive(struct port *in, struct packet *packet);

#endif

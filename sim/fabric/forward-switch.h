/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a switch does with a packet: by which port it leaves.
 */
#ifndef UMADRIG_SIM_FABRIC_FORWARD_SWITCH_H
#define UMADRIG_SIM_FABRIC_FORWARD_SWITCH_H

#include "sim/fabric/drop.h"

/*
 * What a switch does with a packet that has come in by port 'ingress' (0: its own kernel or SMA
 * sends it): the number of the port it leaves by, 0: it is for the switch itself, or negative: it
 * dies there, and 'why' (at least DROP_WHY_SIZE) says of what. Headers, hop pointer and return
 * path are changed as IBA vol 1, 14.2.2 wants.
 */
int switch_decide(struct node *sw, unsigned int ingress, struct packet *packet, char *why);

/*
 * The ports (0: the switch itself) by which a packet to multicast LID 'dlid' that has come in by
 * port 'ingress' leaves, in 'ret_ports' (256 entries). Returns how many.
 */
unsigned int switch_multicast(const struct node *sw, unsigned int ingress, uint16_t dlid,
			      uint8_t *ret_ports);

#endif

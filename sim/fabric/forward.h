/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What forward.c keeps beyond a call. See sim/fabric/fabric.h for fabric_transmit() and fabric_deliver().
 */
#ifndef UMADRIG_SIM_FABRIC_FORWARD_H
#define UMADRIG_SIM_FABRIC_FORWARD_H

#include "sim/fabric/fabric.h"

/* Frees the packets that are on their way, and what they travelled in. */
void forward_clear(struct umadrig_fabric *fabric);

/*
 * The packet dies at 'port', and 'format' says why: for captures and traces, its name in front
 * where that tells something. Takes the packet.
 */
void forward_drop(struct port *port, struct packet *packet, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* A packet that a fault kept on the cable reaches its end, 'in', and goes on from there. */
void forward_resume(struct port *in, struct packet *packet);

/*
 * What a switch does with a packet that has come in by port 'ingress' (0: its own kernel or SMA
 * sends it): the number of the port it leaves by, 0: it is for the switch itself, or negative: it
 * dies there, and 'why' (at least FORWARD_WHY_SIZE) says of what. Headers, hop pointer and return
 * path are changed as IBA vol 1, 14.2.2 wants.
 */
enum { FORWARD_WHY_SIZE = 128 };
int switch_decide(struct node *sw, unsigned int ingress, struct packet *packet, char *why);

/*
 * The ports (0: the switch itself) by which a packet to multicast LID 'dlid' that has come in by
 * port 'ingress' leaves, in 'ret_ports' (256 entries). Returns how many.
 */
unsigned int switch_multicast(const struct node *sw, unsigned int ingress, uint16_t dlid,
			      uint8_t *ret_ports);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The way of a packet, from the port where it leaves to where it ends.
 */
#ifndef UMADRIG_SIM_FABRIC_FORWARD_H
#define UMADRIG_SIM_FABRIC_FORWARD_H

#include <stdint.h>

struct end_port;
struct packet;
struct port;
struct umadrig_fabric;

/*
 * A packet leaves 'port' (which takes its ownership): hop by hop to where it ends, one delivery
 * event there after the fabric's latency. Captured once at 'port'; where it dies on the way, once
 * more at the port where it died, with the cause.
 */
void fabric_transmit(struct port *port, struct packet *packet);

/*
 * A packet arrives at end port 'to' at this instant, whatever its addresses: what a script injects.
 * Recorded one latency earlier at 'from' (NULL: only taps of 'to' see it).
 */
void fabric_deliver(struct end_port *to, struct port *from, struct packet *packet);

/* The same 'delay_ns' from now: what a replayed capture answers. */
void fabric_deliver_later(struct end_port *to, struct port *from, struct packet *packet,
			  int64_t delay_ns);

/* Frees the packets that are on their way, and what they travelled in. */
void forward_clear(struct umadrig_fabric *fabric);

/*
 * A fault_resume_fn (sim/fabric/fault.h): a packet that a fault kept on the cable reaches its end,
 * 'in', and goes on from there.
 */
void forward_resume(struct port *in, struct packet *packet);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The way of a packet from the port that it leaves to its end.
 */
#ifndef UMADRIG_SIM_FABRIC_FORWARD_H
#define UMADRIG_SIM_FABRIC_FORWARD_H

#include <stdint.h>

struct end_port;
struct packet;
struct port;
struct umadrig_fabric;

/*
 * Sends a packet from 'port' (takes its ownership): hop by hop to its end, with one delivery event
 * there after the fabric's latency. It is captured once at 'port'; if it is dropped on the way,
 * once more at the port where that happens, with the reason.
 */
void fabric_transmit(struct port *port, struct packet *packet);

/*
 * Delivers a packet to end port 'to' at this instant, whatever its addresses, for scripts that
 * inject it. It is recorded one latency earlier at 'from' (NULL: only taps of 'to' see it).
 */
void fabric_deliver(struct end_port *to, struct port *from, struct packet *packet);

/* The same 'delay_ns' from now, for the answers of a replayed capture. */
void fabric_deliver_later(struct end_port *to, struct port *from, struct packet *packet,
			  int64_t delay_ns);

/*
 * A fault_resume_fn (sim/fabric/fault.h): a packet that a fault kept on the cable reaches its end,
 * 'in', and goes on from there.
 */
void forward_resume(struct port *in, struct packet *packet);

#endif

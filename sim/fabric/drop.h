/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The death of a packet on its way: counted, and recorded with its cause.
 */
#ifndef UMADRIG_SIM_FABRIC_DROP_H
#define UMADRIG_SIM_FABRIC_DROP_H

#include <glib.h>

struct packet;
struct port;

/* Room for the words that say why, without the name of a port. */
enum { DROP_WHY_SIZE = 128 };

/*
 * The packet dies at 'port', and 'format' says why: for captures and traces, its name in front
 * where that tells something. Takes the packet.
 */
void drop_packet(struct port *port, struct packet *packet, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

#endif

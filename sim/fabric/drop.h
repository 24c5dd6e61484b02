/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Dropping packets on their way: they are counted, and recorded with the reason.
 */
#ifndef UMADRIG_SIM_FABRIC_DROP_H
#define UMADRIG_SIM_FABRIC_DROP_H

#include <glib.h>

struct packet;
struct port;

/* Room for the reason, without the name of a port. */
enum { DROP_WHY_SIZE = 128 };

/*
 * Drops the packet at 'port' for the reason 'format', for captures and traces; that begins with the
 * port's name if it matters. Takes the packet.
 */
void drop_packet(struct port *port, struct packet *packet, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/*
 * A kernel drops the packet at 'port', where it has arrived: for captures alone, for the tap saw it
 * then. The packet stays the kernel's.
 */
void drop_note(struct port *port, const struct packet *packet, const char *why);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Dropping packets: see sim/fabric/drop.h.
 */
#include "sim/fabric/drop.h"

#include <stdarg.h>
#include <stdio.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/record.h"

void drop_packet(struct port *port, struct packet *packet, const char *format, ...)
{
	struct umadrig_fabric *fabric = port->node->fabric;

	fabric->dropped++;
	if (record_wanted(fabric)) {
		char why[DROP_WHY_SIZE + PORT_NAME_SIZE];
		va_list args;

		va_start(args, format);
		vsnprintf(why, sizeof(why), format, args);
		va_end(args);
		record_death(port, fabric->queue.now_ns, packet, why);
	}
	packet_free(&fabric->pool, packet);
}

void drop_note(struct port *port, const struct packet *packet, const char *why)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	struct packet copy;

	fabric->dropped++;
	if (!record_wanted(fabric))
		return;
	copy = *packet;
	record_death(port, fabric->queue.now_ns, &copy, why);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Partitions: see sim/fabric/partition.h.
 */
#include "sim/fabric/partition.h"

#include <glib.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"
#include "sim/fabric/trap.h"

enum { MEMBERSHIP = 0x8000 };

/* IBA vol 1, 10.9.1.2: the number 0 is no partition. */
static bool same_partition(uint16_t own, uint16_t p_key)
{
	return (own & ~MEMBERSHIP) && !((own ^ p_key) & ~MEMBERSHIP);
}

/* IBA vol 1, 10.9.3: equal except for the membership bit, and not both limited members. */
bool partition_has(const struct end_port *end, uint16_t p_key)
{
	for (size_t i = 0; i < end->attr.pkey_count; i++) {
		uint16_t own = end->attr.pkeys[i];

		if (same_partition(own, p_key) && ((own | p_key) & MEMBERSHIP))
			return true;
	}
	return false;
}

uint16_t *partition_table(struct port *port)
{
	if (!port->pkeys) {
		port->pkeys = g_new0(uint16_t, PARTITION_KEYS);
		port->pkeys[0] = PKEY_DEFAULT;
	}
	return port->pkeys;
}

void partition_count(uint16_t *counter)
{
	if (*counter < UINT16_MAX)
		(*counter)++;
}

/*
 * A switch checks the partition only: a packet from a limited member has that member's P_Key, and
 * the receiver decides whether both are limited members.
 */
bool partition_admits(struct port *port, bool inbound, const struct packet *packet)
{
	const uint16_t *own = partition_table(port);
	uint16_t p_key = get_be16(packet->bytes + packet_bth_at(packet) + BTH_PKEY);

	for (unsigned int i = 0; i < PARTITION_KEYS; i++) {
		if (same_partition(own[i], p_key))
			return true;
	}
	port_counters_add(&port->counters, inbound ? COUNTER_RCV_CONSTRAINT_ERRORS :
			  COUNTER_XMIT_CONSTRAINT_ERRORS, 1);
	partition_count(&port->p_key_violations);
	trap_switch_p_key(port, packet);
	return false;
}

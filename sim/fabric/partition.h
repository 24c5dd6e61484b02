/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Partitions: matching P_Keys (IBA vol 1, 10.9), at end ports and at the ports of switches that
 * enforce partitions.
 */
#ifndef UMADRIG_SIM_FABRIC_PARTITION_H
#define UMADRIG_SIM_FABRIC_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

struct end_port;
struct packet;
struct port;

/* Does the end port take a packet with this P_Key? */
bool partition_has(const struct end_port *end, uint16_t p_key);

/*
 * Does external port 'port' of a switch let the packet pass? If not, it counts that, and sends a
 * trap to the SM. Called only if the port enforces partitions in that direction.
 */
bool partition_admits(struct port *port, bool inbound, const struct packet *packet);

/* The table of an external port of a switch (PARTITION_KEYS entries), made if there is none. */
enum { PARTITION_KEYS = 32 };
uint16_t *partition_table(struct port *port);

/* Counts a violation as PortInfo does: up to the highest value. */
void partition_count(uint16_t *counter);

#endif

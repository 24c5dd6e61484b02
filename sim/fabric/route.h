/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Forwarding tables: as the fabric makes them where no SM does, and as they are asked.
 */
#ifndef UMADRIG_SIM_FABRIC_ROUTE_H
#define UMADRIG_SIM_FABRIC_ROUTE_H

#include <stdint.h>

struct node;
struct umadrig_fabric;

/* Fills the forwarding table of one switch by minimum hops; LIDs take turns among such ways. */
void route_switch(struct umadrig_fabric *fabric, struct node *sw);

/*
 * The forwarding table of a switch, of at least 'entries' entries (lft_size says how many):
 * computed now where state=active and nobody asked before, else empty (255). Whoever writes to it
 * for an SM sets lft_computed to false.
 */
uint8_t *switch_lft(struct node *sw, uint32_t entries);

/* Where that table sends a unicast LID, 255: nowhere. It does not grow by being asked. */
uint8_t switch_egress(struct node *sw, uint16_t lid);

/* LIDs have moved without an SM: tables that route_switch() made are computed again when used. */
void route_forget(struct umadrig_fabric *fabric);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Forwarding tables: making them if no SM does, and looking them up.
 */
#ifndef UMADRIG_SIM_FABRIC_ROUTE_H
#define UMADRIG_SIM_FABRIC_ROUTE_H

#include <stdint.h>

struct node;
struct umadrig_fabric;

/*
 * The forwarding table of a switch, with at least 'entries' entries (lft_size is their number):
 * computed now if state=active and it was not used before, else empty (255). Code that writes to it
 * for an SM sets lft_computed to false.
 */
uint8_t *switch_lft(struct node *sw, uint32_t entries);

/* Where that table sends a unicast LID, 255: nowhere. This does not extend the table. */
uint8_t switch_egress(struct node *sw, uint16_t lid);

/* To be called when LIDs have moved without an SM: computed tables are computed again when used. */
void route_forget(struct umadrig_fabric *fabric);

#endif

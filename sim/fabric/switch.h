/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parts that only switches have: forwarding tables, and SwitchInfo.
 */
#ifndef UMADRIG_SIM_FABRIC_SWITCH_H
#define UMADRIG_SIM_FABRIC_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

struct node;

/* The parts of a node that only switches have. */
struct switch_part {
	uint8_t *lft;			/* egress by LID, 255: none; use switch_lft() */
	uint32_t lft_size;		/* entries, whole blocks of 64; 0: not computed yet */
	uint32_t place;			/* private to sim/fabric/route-map.c */
	bool lft_computed;		/* by route_switch(), and no SM has written to it since */
	uint16_t lft_cap;		/* LinearFDBCap */
	uint16_t lft_top;		/* LinearFDBTop */
	uint16_t *mft;			/* port masks (sma-table.c); NULL: never written */
	uint16_t mft_cap;
	uint16_t mft_top;		/* MulticastFDBTop */
	uint8_t default_port, mcast_primary_port, mcast_secondary_port;
	uint8_t life_time;
	bool state_change;
};

/* Makes the switch's part of a node; frees it, if there is one. */
void switch_init(struct node *node);
void switch_free(struct node *node);

/*
 * Resets a switch to its state after power-up, including port 0; the caller resets the other ports.
 */
void switch_reset(struct node *node);

/* Port 0 has no link; only an enhanced one waits for an SM to bring it up. */
void switch_port0_come_up(struct node *node, bool cold);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What only switches have: forwarding tables, and what SwitchInfo says.
 */
#ifndef UMADRIG_SIM_FABRIC_SWITCH_H
#define UMADRIG_SIM_FABRIC_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

struct node;

/* What only switches have. */
struct switch_part {
	uint8_t *lft;			/* egress by LID, 255: none; ask switch_lft() for it */
	uint32_t lft_size;		/* entries, whole blocks of 64; 0: not computed yet */
	bool lft_computed;		/* by route_switch(), and no SM has written to it since */
	uint16_t lft_cap;		/* LinearFDBCap */
	uint16_t lft_top;		/* LinearFDBTop */
	uint16_t *mft;			/* port masks (sma-table.c); NULL: nobody wrote to it */
	uint16_t mft_cap;
	uint16_t mft_top;		/* MulticastFDBTop */
	uint8_t default_port, mcast_primary_port, mcast_secondary_port;
	uint8_t life_time;
	bool state_change;
};

/* Gives a node what only switches have; frees it, where it has that. */
void switch_init(struct node *node);
void switch_free(struct node *node);

/* As it is after power-up; its ports are its owner's affair, but for port 0. */
void switch_reset(struct node *node);

/* Port 0 has no link; only an enhanced one waits for an SM to bring it up. */
void switch_port0_come_up(struct node *node, bool cold);

#endif

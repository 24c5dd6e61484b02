/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Making the parts that only switches have, and their state after power-up. See
 * sim/fabric/switch.h.
 */
#include "sim/fabric/switch.h"

#include <glib.h>
#include <string.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	LINEAR_FDB_CAP = 0xc000,
	MULTICAST_FDB_CAP = 1024,
	LIFE_TIME = 18,			/* 4.096 us * 2^18: about a second, as OpenSM sets it */
	LFT_BLOCK = 64,
	LFT_NO_PORT = 255,
};

void switch_init(struct node *node)
{
	node->sw = g_new0(struct switch_part, 1);
	node->sw->lft_cap = LINEAR_FDB_CAP;
	node->sw->mft_cap = MULTICAST_FDB_CAP;
	node->sw->life_time = LIFE_TIME;
	node->sw->state_change = node->fabric->options.cold;
}

void switch_free(struct node *node)
{
	if (!node->sw)
		return;
	g_free(node->sw->lft);
	g_free(node->sw->mft);
	g_clear_pointer(&node->sw, g_free);
}

void switch_port0_come_up(struct node *node, bool cold)
{
	node_changed(node);
	node->ports[0].phys_state = PORT_PHYS_LINK_UP;
	node->ports[0].state = cold && node->enhanced_port0 ? PORT_INIT : PORT_ACTIVE;
}

void switch_reset(struct node *node)
{
	struct switch_part *sw = node->sw;

	/* Not 0: the table would be computed if state=active. */
	sw->lft_size = LFT_BLOCK;
	sw->lft = g_realloc(sw->lft, LFT_BLOCK);
	memset(sw->lft, LFT_NO_PORT, LFT_BLOCK);
	sw->lft_computed = false;
	sw->lft_top = sw->mft_top = 0;
	g_clear_pointer(&sw->mft, g_free);
	sw->default_port = sw->mcast_primary_port = sw->mcast_secondary_port = 0;
	sw->life_time = LIFE_TIME;
	sw->state_change = true;
	switch_port0_come_up(node, true);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Power of nodes: taken away with a device that is pulled out, and given back.
 */
#ifndef UMADRIG_SIM_HOST_POWER_H
#define UMADRIG_SIM_HOST_POWER_H

#include <glib.h>

struct node;
struct umadrig_fabric;

/*
 * As it is after power-up: links down, in Polling; no LIDs, empty tables, counters at zero. For a
 * node that is removed, and thus has no kernel.
 */
void node_reset(struct node *node);

/*
 * The device is pulled out, or loses power: its files are dead, its links fall, it answers nothing
 * any more.
 */
void node_remove(struct node *node);

/* It is back, as after power-up: its links train, and wait for an SM. */
void node_return(struct node *node);

/* The nodes whose ports say IsSM lose their power, into 'nodes' (of struct node *). */
void sm_lose(struct umadrig_fabric *fabric, GPtrArray *nodes);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Power of nodes: removed with a device that is pulled out, and returned.
 */
#ifndef UMADRIG_SIM_HOST_POWER_H
#define UMADRIG_SIM_HOST_POWER_H

#include <glib.h>
#include <stdbool.h>

struct functions;
struct node;
struct umadrig_fabric;

/*
 * Pulls the device out, or removes its power: its files are dead, its links go down, it does not
 * answer any more.
 */
void node_remove(struct node *node);

/* Returns it, as after power-up: its links train, and wait for an SM. */
void node_return(struct node *node);

/*
 * Cuts the power of a node, or gives it back: that of the whole machine where its host is one, such
 * as a guest; else as the two above.
 */
void node_power(struct node *node, bool on);

/*
 * As a host's write to sriov_numvfs: so many of an HCA's virtual functions are there. 0; -ERANGE:
 * there are not so many; -EBUSY: some are there, and all have to go before others come.
 */
int functions_set_enabled(struct functions *functions, unsigned int enabled);

/*
 * Cuts the power of all nodes with a port that has IsSM set; appends them to 'nodes' (of struct
 * node *).
 */
void sm_lose(struct umadrig_fabric *fabric, GPtrArray *nodes);

#endif

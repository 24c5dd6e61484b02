/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tree of a multicast group: its LID in the multicast forwarding tables of switches.
 *
 * The tree consists of the unicast ways from its members to one switch, its root. They are made of
 * one column of the forwarding tables, so that they meet and do not part again.
 */
#ifndef UMADRIG_SIM_SA_GROUP_TREE_H
#define UMADRIG_SIM_SA_GROUP_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct end_port;
struct node;
struct subnet;

/* The switch that 'end' is a port of, or is cabled to; NULL: there is none. */
struct node *group_tree_leaf(const struct end_port *end);

/*
 * Adds the way of 'end' to switch 'root'. If the port 'receives', packets to 'mlid' leave the tree
 * there; one that only sends has them forwarded.
 */
void group_tree_add(struct node *root, uint16_t mlid, const struct end_port *end, bool receives);

/* Takes 'mlid' out of the tables of all switches. */
void group_tree_clear(const struct subnet *subnet, uint16_t mlid);

#endif

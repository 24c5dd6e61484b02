/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The PCI device of an adapter as files, and what the kernel has about its driver: the directories
 * that the links "device", "driver" and "subsystem" lead to.
 *
 * Whatever NodeInfo says of it, an adapter is shown as one that Linux's mlx5 drives, in the slots
 * behind one root port, near NUMA node 0.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_CARD_H
#define UMADRIG_SIM_SERVER_SYSFS_CARD_H

#include "sim/fabric/fabric.h"
#include "sim/server/sysfs-tree.h"

/* What is there without any adapter: the root port, the driver, the modules. */
void sysfs_card_put_base(struct sysfs_tree *tree);

/* The directory of a host's adapter, counted from 0; to be freed with g_free(). */
char *sysfs_card_path(unsigned int number);
/* PCI's number of its address: bus, slot and function. */
unsigned int sysfs_card_routing_id(unsigned int number);

/* The number of its PCI device: NodeInfo's DeviceID, or ConnectX-6's if mlx5 has no such one. */
uint16_t sysfs_card_device_id(const struct node *node);

/* Shows the adapter that 'node' is, and removes it with all that is in it. */
void sysfs_card_put(struct sysfs_tree *tree, unsigned int number, const struct node *node);
void sysfs_card_take_away(struct sysfs_tree *tree, unsigned int number);

#endif

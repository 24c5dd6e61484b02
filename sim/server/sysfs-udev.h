/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What udev knows of a host's devices, as its files below /run/udev/data, beside those of /sys:
 * what systemd 252 writes of InfiniBand devices by the rules of rdma-core 44.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_UDEV_H
#define UMADRIG_SIM_SERVER_SYSFS_UDEV_H

#include <stdint.h>

#include "sim/server/sysfs-tree.h"

struct node;

/* Before there are devices: a name by which programs find that udev is at work. */
void sysfs_udev_put_base(struct sysfs_tree *tree);

/* An adapter, since 'at_ns' by CLOCK_MONOTONIC; and when it has gone. */
void sysfs_udev_put_device(struct sysfs_tree *tree, const struct node *node, int64_t at_ns);
void sysfs_udev_take_away_device(struct sysfs_tree *tree, const struct node *node);

/* umadN of port 'num', issmN (no more than its name), and uverbsN of adapter 'address'. */
void sysfs_udev_put_umad(struct sysfs_tree *tree, unsigned int minor, const struct node *node,
			 unsigned int num, int64_t at_ns);
void sysfs_udev_put_issm(struct sysfs_tree *tree, unsigned int minor);
void sysfs_udev_put_uverbs(struct sysfs_tree *tree, unsigned int minor, const struct node *node,
			   const char *address, int64_t at_ns);
void sysfs_udev_take_away(struct sysfs_tree *tree, unsigned int minor);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What Linux's hfi1 has for a port of Omni-Path besides what all ports have, as files: the
 * directories CCMgtA, sc2vl, sl2sc and vl2mtu of the port, and the names of its hw_counters. Their
 * names and first values are those of drivers/infiniband/hw/hfi1 in Linux 6.1 and 6.12, which are
 * the same there.
 *
 * A device is one of hfi1's by its name, hfi1_0 and so on. Counters that have a source are the
 * port's own; the others are 0.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_HFI1_H
#define UMADRIG_SIM_SERVER_SYSFS_HFI1_H

#include "sim/fabric/fabric.h"
#include "sim/server/sysfs-counters.h"
#include "sim/server/sysfs-tree.h"

bool sysfs_is_hfi1(const struct node *node);

/*
 * Writes the directories of a port, whose own is 'path': those that stay as they are, and vl2mtu,
 * by the code of PortInfo.NeighborMTU.
 */
void sysfs_hfi1_put_port(struct sysfs_tree *tree, const char *path);
void sysfs_hfi1_put_mtu(struct sysfs_tree *tree, const char *path, unsigned int mtu_code);

/*
 * Writes the hw_counters of a port: all, or those whose values, of the port's counters as
 * sysfs_counters_read() has them, are others than they were.
 */
void sysfs_hfi1_put_counters(struct sysfs_tree *tree, const char *path, const uint64_t *values,
			     const uint64_t *were, bool all);

#endif

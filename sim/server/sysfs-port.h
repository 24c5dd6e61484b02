/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A port of an adapter as files: attributes, GIDs and P_Keys, counters, and the values with which
 * commands of its verbs device are answered (lib/base/verbs-values.h). Each has what its files say,
 * and writes those that differ.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_PORT_H
#define UMADRIG_SIM_SERVER_SYSFS_PORT_H

#include "lib/base/port-attr.h"
#include "sim/fabric/fabric.h"
#include "sim/server/sysfs-counters.h"
#include "sim/server/sysfs-tree.h"
#include "sim/server/sysfs-verbs.h"

struct sysfs_port {
	struct end_port *end;
	unsigned int card;
	char *path;			/* .../infiniband/H1/ports/1 */
	struct port_attr attr;		/* as its files say */
	GByteArray *tables;		/* GIDs and P_Keys */
	struct verbs_port verbs;
	uint64_t counters[SYSFS_COUNTERS];
	uint32_t rx_writes;		/* the one of hw_counters that moves */
	unsigned int lifespan_ms;	/* for which they are not read again */
	int64_t hw_read_ns;		/* when they were */
};

/* Writes all of its files. The directories are made. */
void sysfs_port_put(struct sysfs_tree *tree, struct sysfs_port *at);
/* Writes the files whose values have changed, but for counters. */
void sysfs_port_refresh(struct sysfs_tree *tree, struct sysfs_port *at);
void sysfs_port_refresh_counters(struct sysfs_tree *tree, struct sysfs_port *at);
/* Sets the lifespan of hw_counters, up to whole jiffies of the kernel, and writes its file. */
void sysfs_port_set_lifespan(struct sysfs_tree *tree, struct sysfs_port *at,
			     unsigned int lifespan_ms);
/* Do its counters move, so that their files are to be written again? */
bool sysfs_port_moves(const struct sysfs_port *at);
/* Frees what 'data', a struct sysfs_port, has: a GDestroyNotify for arrays of them. */
void sysfs_port_clear(void *data);

#endif

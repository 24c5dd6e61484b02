/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The verbs devices of a host as files: the class infiniband_verbs, whose uverbsN stand for one
 * adapter each, and beside what is shown in /sys the values with which their commands are answered
 * (lib/base/verbs-values.h).
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_VERBS_H
#define UMADRIG_SIM_SERVER_SYSFS_VERBS_H

#include "lib/base/verbs-values.h"
#include "sim/fabric/fabric.h"
#include "sim/server/sysfs-tree.h"

/* Linux: neither a switch nor the SMI device of a planarized HCA has a uverbsN. */
bool sysfs_verbs_has(const struct node *node);

/* What is there without any adapter. */
void sysfs_verbs_put_base(struct sysfs_tree *tree);

/* A device: which of the host's it is, and N of uverbsN, which not every one has. */
struct sysfs_verbs {
	unsigned int index, uverbs;
};

/* Shows what 'node', whose adapter is in directory 'card', has of it; and removes it. */
void sysfs_verbs_put(struct sysfs_tree *tree, const struct sysfs_verbs *verbs, const char *card,
		     const struct node *node);
void sysfs_verbs_take_away(struct sysfs_tree *tree, const struct sysfs_verbs *verbs,
			   const char *card, const struct node *node);

/* The present values of a port, but for gid_changes and pkey_changes, which stay. */
void sysfs_verbs_read_port(struct end_port *end, struct verbs_port *values);
void sysfs_verbs_put_port(struct sysfs_tree *tree, const struct end_port *end,
			  const struct verbs_port *values);

#endif

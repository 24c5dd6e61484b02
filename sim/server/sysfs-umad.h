/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad devices of a host as files: the class infiniband_mad, whose umadN and issmN stand for
 * one port each. Where the host's kernel was built of Linux's files, it says itself what they are.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_UMAD_H
#define UMADRIG_SIM_SERVER_SYSFS_UMAD_H

#include "sim/fabric/fabric.h"
#include "sim/server/sysfs-tree.h"

/* A port's: N of umadN and issmN, and the number of the adapter that it is of (sysfs-card.h). */
struct sysfs_umad {
	struct end_port *end;
	unsigned int number, card;
};

/* What is there without any adapter. */
void sysfs_umad_put_base(struct sysfs_tree *tree, const struct umadrig_host *host);

/*
 * Shows umadN and, where the port has one, issmN; and removes them. 'now_ns' is the time by the
 * clock of the host's programs.
 */
void sysfs_umad_put(struct sysfs_tree *tree, const struct umadrig_host *host,
		    const struct sysfs_umad *umad, int64_t now_ns);
void sysfs_umad_take_away(struct sysfs_tree *tree, const struct sysfs_umad *umad);

#endif

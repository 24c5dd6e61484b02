/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The views of /sys/class that a server shows: one for each host that asked
 * (sim/server/sysfs-view.h).
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_VIEWS_H
#define UMADRIG_SIM_SERVER_SYSFS_VIEWS_H

#include "sim/fabric/fabric.h"
#include "sim/server/watch.h"

struct sysfs_views {
	const char *directory;	/* the server's; issm paths are there, too */
	struct watch_set *watches;
	struct watch issm;	/* says when issm paths are opened; with the first view */
	GPtrArray *views;	/* of struct sysfs_view * */
};

/* Both outlive the views. */
void sysfs_views_init(struct sysfs_views *views, const char *directory,
		      struct watch_set *watches);
/* Removes them all. */
void sysfs_views_clear(struct sysfs_views *views);

/* The host's view, which is made when first asked for. 0 or -errno. Lock held. */
int sysfs_views_get(struct sysfs_views *views, struct umadrig_host *host, const char **ret_path);
/* Brings all up to date. Lock held. */
void sysfs_views_refresh(struct sysfs_views *views);

#endif

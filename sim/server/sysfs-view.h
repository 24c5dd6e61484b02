/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What /sys/class/infiniband and infiniband_mad say of a host, as files in a directory, for
 * programs that read them themselves. "umadrig exec --sysfs" binds them over the real ones.
 *
 * The files are plain ones. They are written anew when what they say has changed, before anybody
 * can hear of the change, and each is replaced as a whole: a reader has the old text or the new.
 * Counters, which every packet moves, are some milliseconds late; where hundreds of hosts are busy,
 * some tenths of a second.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_VIEW_H
#define UMADRIG_SIM_SERVER_SYSFS_VIEW_H

#include "sim/fabric/fabric.h"

struct sysfs_view;

/*
 * Makes 'directory' and, in it, class/infiniband and class/infiniband_mad. NULL with errno where
 * that fails. The host outlives it.
 */
struct sysfs_view *sysfs_view_new(struct umadrig_host *host, const char *directory);
/* Takes the directory away. NULL is allowed. */
void sysfs_view_free(struct sysfs_view *view);

const struct umadrig_host *sysfs_view_host(const struct sysfs_view *view);
/* It is not removed when its host has no client any more. */
void sysfs_view_keep(struct sysfs_view *view);
bool sysfs_view_is_kept(const struct sysfs_view *view);
/* Where infiniband and infiniband_mad are. */
const char *sysfs_view_path(const struct sysfs_view *view);

/*
 * Brings the files of nodes that have changed ('all': or may have) up to date, but for counters;
 * the number of devices that were looked at. What cannot be written is said on stderr, once. Lock
 * held.
 */
unsigned int sysfs_view_refresh(struct sysfs_view *view, bool all);
/* The same for counters: the number of files that were written. Lock held. */
unsigned int sysfs_view_refresh_counters(struct sysfs_view *view);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A host's adapters in /sys, as Linux 6.1 with mlx5 has them, as files in a directory, for programs
 * that read them by themselves: the classes infiniband, infiniband_mad and infiniband_verbs, and
 * the PCI devices that their links lead to (lib/base/sysfs-place.h). "umadrig exec --sysfs" mounts
 * them.
 *
 * The files are plain ones, the links lead to files of the view. A file is written again when its
 * value has changed, before any program can learn of the change, and is replaced as a whole: a
 * reader gets the old text or the new.
 * Counters, which every packet changes, are some milliseconds late; if hundreds of hosts are busy,
 * some tenths of a second.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_VIEW_H
#define UMADRIG_SIM_SERVER_SYSFS_VIEW_H

#include <glib.h>

#include "sim/fabric/fabric.h"

struct sysfs_view;

/*
 * Makes 'directory' and what is in it. NULL with errno on failure. The host outlives it. 'boot_ns':
 * fabric time 0, by the clock of the host's programs.
 */
struct sysfs_view *sysfs_view_new(struct umadrig_host *host, const char *directory,
				  int64_t boot_ns);
/* Removes the directory. NULL is allowed. */
void sysfs_view_free(struct sysfs_view *view);

const struct umadrig_host *sysfs_view_host(const struct sysfs_view *view);
/* Keeps the view when its host has no client any more. */
void sysfs_view_keep(struct sysfs_view *view);
bool sysfs_view_is_kept(const struct sysfs_view *view);
/* What stands for /sys. */
const char *sysfs_view_path(const struct sysfs_view *view);
/* The number of the latest change; and what changed after number 'since', appended to 'bytes'. */
uint64_t sysfs_view_last_change(const struct sysfs_view *view);
void sysfs_view_put_changes(const struct sysfs_view *view, uint64_t since, GByteArray *bytes);

/*
 * Updates the files of nodes that have changed ('all': or may have), except counters; returns the
 * number of devices that were looked at. A file that cannot be written is reported on stderr, once.
 * Lock held.
 */
unsigned int sysfs_view_refresh(struct sysfs_view *view, bool all);
/* The same for counters; returns the number of files that were written. Lock held. */
unsigned int sysfs_view_refresh_counters(struct sysfs_view *view);

/*
 * The adapter whose directory 'path', which is relative to /sys, leads into, and '*ret_rest' of the
 * path below that; NULL: none. Lock held.
 */
struct node *sysfs_view_card(const struct sysfs_view *view, const char *path,
			     const char **ret_rest);
/*
 * For so long the counters of the queue pairs that are beside 'path' stay as they are once they
 * were read. 0, or -EACCES: there are none. Lock held.
 */
int sysfs_view_set_lifespan(struct sysfs_view *view, const char *path, unsigned int lifespan_ms);

/*
 * The host's kernel message of that number (sim/fabric/kernel-message.h), appended: as a record of
 * /dev/kmsg, or as a line of syslog(2). Nothing if it is forgotten. Lock held.
 */
void sysfs_view_print_message(const struct sysfs_view *view, uint64_t number, GString *record);
void sysfs_view_print_line(const struct sysfs_view *view, uint64_t number, GString *lines);

/*
 * The uevents of the host's kernel: from now on the latest are kept; how many there have been; and
 * the record of one, from 0 on (lib/base/kernel-ring.h), NULL: it is not kept. Lock held.
 */
void sysfs_view_keep_events(struct sysfs_view *view);
uint64_t sysfs_view_event_count(const struct sysfs_view *view);
GBytes *sysfs_view_event(const struct sysfs_view *view, uint64_t number);

/* Do counters in it move by themselves now, or do some wait for the end of their lifespan? */
bool sysfs_view_moves(const struct sysfs_view *view);

#endif

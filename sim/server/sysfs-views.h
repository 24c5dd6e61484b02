/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The views of /sys/class that a server shows: one for each host that asked
 * (sim/server/sysfs-view.h).
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_VIEWS_H
#define UMADRIG_SIM_SERVER_SYSFS_VIEWS_H

#include "sim/fabric/fabric.h"
#include "sim/server/watch.h"
#include "sim/system/issm-pipe.h"
#include "sim/system/private-directory.h"

struct sysfs_views {
	const char *directory;	/* the server's; issm paths are there, too */
	struct private_directory other;	/* where they are that have no room there */
	struct watch_set *watches;
	struct umadrig_fabric *fabric;
	struct issm_watch issm_watch;	/* of issm paths; made with the first view */
	struct watch issm;		/* its */
	GPtrArray *views;	/* of struct sysfs_view * */
	unsigned int made;	/* since the start */
	int64_t boot_ns;	/* fabric time 0, by the clock of programs; 0: the fabric's */
	bool are_mounted;	/* all programs see one of them in /sys */
	bool is_stale;		/* an issm path was opened or closed: look at all devices */
	uint64_t changes;	/* the fabric's count, when they were last looked at */
	uint64_t compared;	/* devices looked at since the start */
	uint64_t calls;		/* of programs that may have moved a counter */
	uint64_t rounds;	/* how often counters_event has fired */
	uint64_t happened;	/* calls and others' events, when it was armed last */
	guint counters_next;	/* the view whose counters are next */
	bool counters_due;	/* it is time for them */
	int64_t moved_ns;	/* virtual clock: when those that move were last written */
	struct event counters_event;
	/* Called after each look at them: somebody may wait for changes. NULL: nobody does. */
	void (*tell)(void *ctx);
	void *tell_ctx;
};

/* All three outlive the views. */
void sysfs_views_init(struct sysfs_views *views, struct umadrig_fabric *fabric,
		      const char *directory, struct watch_set *watches);
/* Removes them all. */
void sysfs_views_clear(struct sysfs_views *views);

/*
 * The host's view, which is made when first asked for. 'is_kept': it outlives the host's clients. 0
 * or -errno. Lock held.
 */
int sysfs_views_get(struct sysfs_views *views, struct umadrig_host *host, bool is_kept,
		    const char **ret_path);
/* The host's view, or NULL. Lock held. */
struct sysfs_view *sysfs_views_find(const struct sysfs_views *views,
				    const struct umadrig_host *host);
/* Has the host a view that goes with its last client? Lock held. */
bool sysfs_views_has(const struct sysfs_views *views, const struct umadrig_host *host);
/* An issm path may have been opened or closed: the next refresh looks. */
void sysfs_views_look_at_issm(struct sysfs_views *views);
/* Removes the host's view, if it is not kept. Lock held. */
void sysfs_views_remove(struct sysfs_views *views, const struct umadrig_host *host);
/*
 * Updates all views, at a cost that depends on how much has changed; counters are written a few at
 * a time. Lock held.
 */
void sysfs_views_refresh(struct sysfs_views *views);
/* The same without counters, in the middle of an event: a device is about to come or go. */
void sysfs_views_catch_up(struct sysfs_views *views);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The views of a server: see sim/server/sysfs-views.h.
 */
#include "config.h"

#include "sim/server/sysfs-views.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/fabric/host.h"
#include "sim/host/issm-path.h"
#include "sim/server/sysfs-view.h"
#include "sim/time/clock.h"

enum {
	COUNTERS_MS = 20,	/* or traffic would have them written all the time */
	MOVING_MS = 100,	/* between rounds while counters move by themselves */
	SLICE_MS = 5,		/* between two parts of a round */
	LOOKED_MAX = 32,	/* views in a part */
	WRITTEN_MAX = 32,	/* files in a part, approximately: a millisecond's work */
	VIEW_FILES = 512, DEVICE_FILES = 128,	/* more than there are, and than may come */
};

void sysfs_views_init(struct sysfs_views *views, struct umadrig_fabric *fabric,
		      const char *directory, struct watch_set *watches)
{
	*views = (struct sysfs_views) {
		.fabric = fabric,
		.directory = directory,
		.watches = watches,
		.other.lock = -1,
		.issm_watch = { -1, -1 },
		.issm = { WATCH_ISSM, -1 },
		.views = g_ptr_array_new_with_free_func((GDestroyNotify)sysfs_view_free),
	};
}

void sysfs_views_clear(struct sysfs_views *views)
{
	if (event_is_armed(&views->counters_event))
		event_queue_disarm(&views->fabric->queue, &views->counters_event);
	if (views->issm.fd >= 0) {
		issm_paths_watch(views->fabric, NULL);
		watch_remove(views->watches, &views->issm);
		issm_watch_close(&views->issm_watch);
	}
	g_clear_pointer(&views->views, g_ptr_array_unref);
	private_directory_remove(&views->other);
}

/*
 * A program that opens an issm path makes no call, and IsSM is looked up only when CapabilityMask
 * is asked for. The files must show it without that.
 */
static int watch_issm(struct sysfs_views *views)
{
	int ret;

	if (views->issm.fd >= 0)
		return 0;
	ret = issm_watch_open(&views->issm_watch, views->directory);
	if (ret < 0)
		return ret;
	views->issm.fd = views->issm_watch.fd;
	issm_paths_watch(views->fabric, &views->issm_watch);
	return watch_add(views->watches, &views->issm, EPOLLIN);
}

void sysfs_views_look_at_issm(struct sysfs_views *views)
{
	if (views->issm.fd >= 0)
		issm_watch_drain(&views->issm_watch);
	views->is_stale = true;
}

struct sysfs_view *sysfs_views_find(const struct sysfs_views *views,
				    const struct umadrig_host *host)
{
	for (guint i = 0; i < views->views->len; i++) {
		struct sysfs_view *view = g_ptr_array_index(views->views, i);

		if (sysfs_view_host(view) == host)
			return view;
	}
	return NULL;
}

/* Where the host's view is to be. As many may enter it as the server's directory. */
static const char *place_of(struct sysfs_views *views, const struct umadrig_host *host)
{
	const uint64_t files = VIEW_FILES + (uint64_t)host->node_count * DEVICE_FILES;
	char message[256];
	struct stat st;

	if (private_directory_has_room(views->directory, files))
		return views->directory;
	if (!views->other.path &&
	    private_directory_make(&views->other, "", message, sizeof(message)) == 0 &&
	    stat(views->directory, &st) == 0)
		chmod(views->other.path, st.st_mode & 0777);
	return views->other.path ? views->other.path : views->directory;
}

static int make(struct sysfs_views *views, struct umadrig_host *host, struct sysfs_view **ret_view)
{
	g_autofree char *name = g_strdup_printf("sysfs%u", views->made);
	g_autofree char *directory = g_build_filename(place_of(views, host), name, NULL);
	int ret = watch_issm(views);

	if (ret < 0)
		return ret;
	*ret_view = sysfs_view_new(host, directory, views->boot_ns ? views->boot_ns :
				   clock_base_ns(host->fabric->clock));
	if (!*ret_view)
		return -errno;
	views->made++;
	g_ptr_array_add(views->views, *ret_view);
	return 0;
}

int sysfs_views_get(struct sysfs_views *views, struct umadrig_host *host, bool is_kept,
		    const char **ret_path)
{
	struct sysfs_view *view = sysfs_views_find(views, host);
	int ret = view ? 0 : make(views, host, &view);

	if (ret < 0)
		return ret;
	if (is_kept)
		sysfs_view_keep(view);
	*ret_path = sysfs_view_path(view);
	return 0;
}

bool sysfs_views_has(const struct sysfs_views *views, const struct umadrig_host *host)
{
	const struct sysfs_view *view = sysfs_views_find(views, host);

	return view && !sysfs_view_is_kept(view);
}

void sysfs_views_remove(struct sysfs_views *views, const struct umadrig_host *host)
{
	struct sysfs_view *view = sysfs_views_find(views, host);

	if (view && !sysfs_view_is_kept(view))
		g_ptr_array_remove(views->views, view);
}

static void counters_fire(struct event *event)
{
	struct sysfs_views *views = container_of(event, struct sysfs_views, counters_event);

	views->counters_due = true;
	views->rounds++;
}

static void arm_counters(struct sysfs_views *views, struct event_queue *queue, int64_t delay_ms)
{
	views->counters_event.kind = EVENT_TIMER;
	views->counters_event.fire = counters_fire;
	if (!event_is_armed(&views->counters_event))
		event_queue_arm(queue, &views->counters_event,
				queue->now_ns + delay_ms * NS_PER_MS);
}

static bool any_moves(const struct sysfs_views *views)
{
	for (guint i = 0; i < views->views->len; i++) {
		if (sysfs_view_moves(g_ptr_array_index(views->views, i)))
			return true;
	}
	return false;
}

/*
 * In virtual time programs run while it stands still: what moves is written each time that it has
 * gone on, and they read the counters of this instant.
 */
static void refresh_moving(struct sysfs_views *views)
{
	const struct umadrig_fabric *fabric = views->fabric;

	if (!fabric->options.virtual_clock || views->moved_ns == fabric->queue.now_ns ||
	    !any_moves(views))
		return;
	views->moved_ns = fabric->queue.now_ns;
	for (guint i = 0; i < views->views->len; i++)
		sysfs_view_refresh_counters(g_ptr_array_index(views->views, i));
}

/*
 * Has anything happened since the last time? If rounds were enough of a reason for the next one,
 * virtual time would go from round to round, for as long as a program sleeps.
 */
static bool has_happened(struct sysfs_views *views, const struct event_queue *queue)
{
	uint64_t happened = views->calls + queue->fired - views->rounds;
	bool ret = happened != views->happened;

	views->happened = happened;
	return ret;
}

/*
 * A round through all views begins shortly after something has happened. It goes on by itself, a
 * few views at a time, and stops at its end, unless counters move by themselves.
 */
static void refresh_counters(struct sysfs_views *views)
{
	const struct umadrig_fabric *fabric = views->fabric;
	struct event_queue *queue = &views->fabric->queue;
	unsigned int written = 0, looked = 0;

	if (!views->counters_due) {
		if (has_happened(views, queue))
			arm_counters(views, queue, COUNTERS_MS);
		return;
	}
	views->counters_due = false;
	while (views->counters_next < views->views->len && written < WRITTEN_MAX &&
	       looked++ < LOOKED_MAX)
		written += sysfs_view_refresh_counters(
			g_ptr_array_index(views->views, views->counters_next++));
	if (views->counters_next < views->views->len) {
		arm_counters(views, queue, SLICE_MS);
		return;
	}
	views->counters_next = 0;
	if (!fabric->options.virtual_clock && any_moves(views))
		arm_counters(views, queue, MOVING_MS);
}

void sysfs_views_catch_up(struct sysfs_views *views)
{
	bool all = views->is_stale;

	if (!all && views->changes == views->fabric->changes)
		return;
	views->is_stale = false;
	views->changes = views->fabric->changes;
	for (guint i = 0; i < views->views->len; i++)
		views->compared += sysfs_view_refresh(g_ptr_array_index(views->views, i), all);
}

void sysfs_views_refresh(struct sysfs_views *views)
{
	if (views->views->len == 0)
		return;
	sysfs_views_catch_up(views);
	refresh_moving(views);
	refresh_counters(views);
	if (views->tell)
		views->tell(views->tell_ctx);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The views of a server: see sim/server/sysfs-views.h.
 */
#include "config.h"

#include "sim/server/sysfs-views.h"

#include <errno.h>
#include <unistd.h>

#include "sim/server/sysfs-view.h"
#include "sim/system/issm-pipe.h"

void sysfs_views_init(struct sysfs_views *views, const char *directory,
		      struct watch_set *watches)
{
	*views = (struct sysfs_views) {
		.directory = directory,
		.watches = watches,
		.issm = { WATCH_ISSM, -1 },
		.views = g_ptr_array_new_with_free_func((GDestroyNotify)sysfs_view_free),
	};
}

void sysfs_views_clear(struct sysfs_views *views)
{
	if (views->issm.fd >= 0)
		watch_close(views->watches, &views->issm);
	g_clear_pointer(&views->views, g_ptr_array_unref);
}

/*
 * A program that opens an issm path makes no call, and IsSM is looked up when somebody asks for
 * CapabilityMask. But files show what they show without being asked.
 */
static int watch_issm(struct sysfs_views *views)
{
	if (views->issm.fd >= 0)
		return 0;
	views->issm.fd = issm_pipe_watch(views->directory);
	if (views->issm.fd < 0)
		return views->issm.fd;
	return watch_add(views->watches, &views->issm, EPOLLIN);
}

int sysfs_views_get(struct sysfs_views *views, struct umadrig_host *host, const char **ret_path)
{
	g_autofree char *name = g_strdup_printf("sysfs%u", views->views->len);
	g_autofree char *directory = g_build_filename(views->directory, name, NULL);
	struct sysfs_view *view;
	int ret;

	for (guint i = 0; i < views->views->len; i++) {
		view = g_ptr_array_index(views->views, i);
		if (sysfs_view_host(view) == host) {
			*ret_path = sysfs_view_path(view);
			return 0;
		}
	}
	ret = watch_issm(views);
	if (ret < 0)
		return ret;
	view = sysfs_view_new(host, directory);
	if (!view)
		return -errno;
	g_ptr_array_add(views->views, view);
	*ret_path = sysfs_view_path(view);
	return 0;
}

void sysfs_views_refresh(struct sysfs_views *views)
{
	for (guint i = 0; i < views->views->len; i++)
		sysfs_view_refresh(g_ptr_array_index(views->views, i));
}

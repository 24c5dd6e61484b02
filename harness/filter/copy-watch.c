/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/copy-watch.h"

#include <glib.h>

#include "harness/filter/host-view.h"

struct copy_watch {
	struct supervisor_watch watch;	/* fd -1: of none */
	copy_look_fn *look;
	copy_use_fn *use;
	GPtrArray *users;		/* of struct view_files * */
};

static bool is_used(const struct supervisor *supervisor, int fd)
{
	const struct copy_watch *copies = supervisor->copies;

	for (guint i = 0; i < copies->users->len; i++)
		if (copies->use(copies->users->pdata[i], fd))
			return true;
	return false;
}

void copy_watch_settle(struct supervisor *supervisor)
{
	struct supervisor_watch *watch = supervisor->copies ? &supervisor->copies->watch : NULL;

	if (!watch || watch->fd < 0 || is_used(supervisor, watch->fd))
		return;
	supervisor_unwatch(supervisor, watch);
	watch->fd = -1;
}

/*
 * The server of a copy has sent something; or it has gone, and its descriptor with it: then nobody
 * uses that any more.
 */
static void on_copy(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	const struct copy_watch *copies = supervisor->copies;

	(void)watch;
	(void)events;
	for (guint i = 0; i < copies->users->len; i++)
		copies->look(copies->users->pdata[i]);
	copy_watch_settle(supervisor);
}

struct copy_watch *copy_watch_new(copy_look_fn *look, copy_use_fn *use)
{
	struct copy_watch *watch = g_new0(struct copy_watch, 1);

	watch->look = look;
	watch->use = use;
	watch->users = g_ptr_array_new();
	watch->watch = (struct supervisor_watch){ .fd = -1, .ready = on_copy };
	return watch;
}

void copy_watch_free(struct supervisor *supervisor, struct copy_watch *watch)
{
	if (!watch)
		return;
	if (watch->watch.fd >= 0)
		supervisor_unwatch(supervisor, &watch->watch);
	g_ptr_array_unref(watch->users);
	g_free(watch);
}

void copy_watch_join(struct copy_watch *watch, struct view_files *files)
{
	g_ptr_array_add(watch->users, files);
}

void copy_watch_add(struct supervisor *supervisor, struct host_view *view)
{
	struct supervisor_watch *watch = &supervisor->copies->watch;
	int fd = host_view_changes_fd(view);

	if (fd < 0 || watch->fd >= 0)
		return;
	watch->fd = fd;
	if (supervisor_watch(supervisor, watch, EPOLLIN) < 0)
		watch->fd = -1;
}

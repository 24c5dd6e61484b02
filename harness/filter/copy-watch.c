/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/copy-watch.h"

#include <glib.h>

#include "harness/filter/host-view.h"

struct copy_watch {
	struct supervisor_watch watch;	/* fd -1: of none */
	const struct copy_user *users;
	size_t user_count;
};

static bool is_used(const struct supervisor *supervisor, int fd)
{
	const struct copy_watch *copies = supervisor->copies;

	for (size_t i = 0; i < copies->user_count; i++)
		if (copies->users[i].uses(supervisor, fd))
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
	for (size_t i = 0; i < copies->user_count; i++)
		copies->users[i].look(supervisor);
	copy_watch_settle(supervisor);
}

struct copy_watch *copy_watch_new(const struct copy_user *users, size_t count)
{
	struct copy_watch *watch = g_new0(struct copy_watch, 1);

	watch->users = users;
	watch->user_count = count;
	watch->watch = (struct supervisor_watch){ .fd = -1, .ready = on_copy };
	return watch;
}

void copy_watch_free(struct supervisor *supervisor, struct copy_watch *watch)
{
	if (watch && watch->watch.fd >= 0)
		supervisor_unwatch(supervisor, &watch->watch);
	g_free(watch);
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

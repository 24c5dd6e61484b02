/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The view of an existing server: see harness/exec/attached-view.h.
 */
#include "config.h"

#include "harness/exec/attached-view.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/base/view-copy.h"
#include "harness/exec/exec.h"
#include "lib/attach/protocol.h"
#include "sim/system/issm-pipe.h"
#include "sim/time/quiet-thread.h"

/* The server's own files, if this process sees them; or NULL. */
static char *ask_path(int fd)
{
	g_autoptr(GString) path = g_string_new(NULL);
	g_autofree char *file = NULL;

	if (attach_client_call(fd, ATTACH_SYSFS, NULL, 0, path) < 0)
		return NULL;
	/* TMPDIR of another machine or container may have other directories of the same name. */
	file = g_build_filename(path->str, "class", "infiniband_mad", "abi_version", NULL);
	return access(file, R_OK) == 0 ? g_strdup(path->str) : NULL;
}

static bool refuse(GError **error, int err)
{
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
		    "--sysfs: the fabric server cannot show its devices as files (%s)",
		    issm_pipe_strerror(err));
	return false;
}

/* A connection of the host's, or -errno. */
static int connect_as(const char *socket_path, const char *host)
{
	int fd = attach_client_connect(socket_path, NULL);
	int64_t ret = fd < 0 ? -ECONNREFUSED : exec_attach_hello(fd, host, "", NULL);

	if (ret >= 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return (int)ret;
}

static bool make_copy(struct attached_view *view, const char *socket_path, const char *host,
		      GError **error)
{
	g_autofree char *directory = NULL;
	char message[512];
	int fd, ret = private_directory_make(&view->directory, "", message, sizeof(message));

	if (ret < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "--sysfs: %s", message);
		return false;
	}
	directory = g_build_filename(view->directory.path, "sysfs", NULL);
	fd = connect_as(socket_path, host);
	if (fd >= 0)
		view->copy = view_copy_new(fd, directory);
	if (view->copy)
		return true;
	ret = fd < 0 ? -fd : errno;
	private_directory_remove(&view->directory);
	return refuse(error, ret);
}

bool attached_view_begin(struct attached_view *view, int fd, const char *socket_path,
			 const char *host, GError **error)
{
	*view = (struct attached_view){ .path = ask_path(fd), .stop = -1 };
	if (view->path)
		return true;
	if (!make_copy(view, socket_path, host, error))
		return false;
	view->path = g_strdup(view_copy_path(view->copy));
	return true;
}

static void *follow(void *data)
{
	struct attached_view *view = data;
	struct pollfd fds[] = {
		{ .fd = view->stop, .events = POLLIN },
		{ .fd = view_copy_fd(view->copy), .events = POLLIN },
	};

	while (fds[1].fd >= 0) {
		if (poll(fds, G_N_ELEMENTS(fds), -1) < 0 && errno != EINTR)
			break;
		if (fds[0].revents)
			break;
		view_copy_update(view->copy);
		fds[1].fd = view_copy_fd(view->copy);
	}
	return NULL;
}

static void say_not_followed(int err)
{
	g_printerr("umadrig: what is in /sys stays as it is now: %s\n", g_strerror(err));
}

void attached_view_follow(struct attached_view *view)
{
	int ret;

	if (!view->copy)
		return;
	view->stop = eventfd(0, EFD_CLOEXEC);
	if (view->stop < 0) {
		say_not_followed(errno);
		return;
	}
	/* Signals go to the main thread. */
	ret = quiet_thread_start(&view->thread, NULL, follow, view);
	view->has_thread = ret == 0;
	if (ret == 0)
		return;
	close(view->stop);
	say_not_followed(-ret);
}

void attached_view_end(struct attached_view *view)
{
	if (view->has_thread) {
		eventfd_write(view->stop, 1);
		pthread_join(view->thread, NULL);
		close(view->stop);
	}
	if (view->copy) {
		view_copy_free(view->copy);
		private_directory_remove(&view->directory);
	}
	g_free(view->path);
	*view = (struct attached_view){ .stop = -1 };
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Pipes in place of issm devices: see sim/system/issm-pipe.h.
 */
#include "config.h"

#include "sim/system/issm-pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_unnamed(void)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	close(fds[0]);
	return fds[1];
}

int issm_pipe_make(const char *path)
{
	int reader, writer = -1, ret = 0;

	if (!path)
		return make_unnamed();
	/*
	 * The directory keeps others out. A program that was given a descriptor instead of the path
	 * may be another user's, or root without capabilities.
	 */
	if (mkfifo(path, 0600) < 0)
		return -errno;
	if (chmod(path, 0666) < 0) {
		ret = -errno;
		unlink(path);
		return ret;
	}
	/* A writer cannot open a named pipe without blocking before there is a reader. */
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (reader >= 0)
		writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (writer < 0)
		ret = -errno;
	if (reader >= 0)
		close(reader);
	if (ret < 0)
		unlink(path);
	return ret < 0 ? ret : writer;
}

int issm_pipe_is_open(int fd)
{
	struct pollfd pollfd = { .fd = fd };

	if (poll(&pollfd, 1, 0) < 0)
		return -errno;
	return !(pollfd.revents & (POLLERR | POLLNVAL));
}

/* inotify_init1(2) has one errno for two limits: is a descriptor free? */
static bool has_descriptor(void)
{
	int fd = eventfd(0, EFD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

const char *issm_pipe_strerror(int err)
{
	return err == EUSERS ? "this user has no more inotify instances: fewer sessions at a time, "
			       "or 'sysctl fs.inotify.max_user_instances=1024'" : g_strerror(err);
}

int issm_pipe_watch(const char *directory)
{
	int ret, fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd < 0)
		return errno == EMFILE && has_descriptor() ? -EUSERS : -errno;
	if (inotify_add_watch(fd, directory, IN_OPEN | IN_CLOSE) >= 0)
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

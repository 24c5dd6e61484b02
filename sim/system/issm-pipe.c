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
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/issm-pipe-open.h"

/*
 * A byte that stays there: nobody reads. Then our end is all that is open. The mode comes last, as
 * what has it cannot be written where libumadraw is in the process.
 *
 * The directory keeps others out: a program that was given a descriptor instead of a path may be
 * another user's, or root without capabilities.
 */
static int fill(int reader, int writer)
{
	int ret = write(writer, "", 1) == 1 && fchmod(writer, ISSM_PIPE_MODE) == 0 ? 0 : -errno;

	close(reader);
	if (ret == 0)
		return writer;
	close(writer);
	return ret;
}

static int make_unnamed(void)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	return fill(fds[0], fds[1]);
}

/* A writer cannot open a named pipe without blocking before there is a reader. */
static int open_ends(const char *path)
{
	int reader, writer = -1, ret;

	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (reader >= 0)
		writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (writer >= 0)
		return fill(reader, writer);
	ret = -errno;
	if (reader >= 0)
		close(reader);
	return ret;
}

int issm_pipe_make(const char *path)
{
	int ret;

	if (!path)
		return make_unnamed();
	if (mkfifo(path, 0600) < 0)
		return -errno;
	ret = open_ends(path);
	if (ret < 0)
		unlink(path);
	return ret;
}

int issm_pipe_is_open(int fd)
{
	struct pollfd pollfd = { .fd = fd };

	if (poll(&pollfd, 1, 0) < 0)
		return -errno;
	return !(pollfd.revents & (POLLERR | POLLNVAL));
}

/* ---- watching ---- */

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

static int make_watch(struct issm_watch *watch, const char *directory)
{
	struct epoll_event event = { .events = EPOLLIN };

	watch->inotify = -1;
	watch->fd = epoll_create1(EPOLL_CLOEXEC);
	if (watch->fd < 0)
		return -errno;
	watch->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (watch->inotify < 0)
		return errno == EMFILE && has_descriptor() ? -EUSERS : -errno;
	if (inotify_add_watch(watch->inotify, directory, IN_OPEN) < 0 ||
	    epoll_ctl(watch->fd, EPOLL_CTL_ADD, watch->inotify, &event) < 0)
		return -errno;
	return 0;
}

int issm_watch_open(struct issm_watch *watch, const char *directory)
{
	int ret = make_watch(watch, directory);

	if (ret < 0)
		issm_watch_close(watch);
	return ret;
}

/*
 * That the last reader has gone. inotify would say so too early: the kernel tells that a file is
 * closed before it closes the pipe.
 */
int issm_watch_add(const struct issm_watch *watch, int fd)
{
	struct epoll_event event = { .events = EPOLLERR | EPOLLET };

	return epoll_ctl(watch->fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

void issm_watch_drain(const struct issm_watch *watch)
{
	struct epoll_event events[16];
	uint8_t bytes[4096];

	while (read(watch->inotify, bytes, sizeof(bytes)) > 0 || errno == EINTR)
		continue;
	/* Once: what has happened since the read is told again. */
	epoll_wait(watch->fd, events, sizeof(events) / sizeof(*events), 0);
}

void issm_watch_close(struct issm_watch *watch)
{
	if (watch->fd >= 0)
		close(watch->fd);
	if (watch->inotify >= 0)
		close(watch->inotify);
	watch->fd = watch->inotify = -1;
}

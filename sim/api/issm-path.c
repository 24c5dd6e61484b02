/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A path that stands for issmN: see sim/api/issm-path.h.
 *
 * An SM opens issmN to say that it is one, and holds it open as long as it is. There is no device,
 * but a pipe of which we hold the writing end only. In-process it has no name, and its path under
 * /proc/self/fd can be opened for reading; a server has a directory to put a named one into.
 * poll(2) on our end says whether anybody has it open (POLLERR: nobody), at every moment: whoever
 * reads CapabilityMask looks first, so that no MAD comes between an open or close, or the death
 * of who had it open, and its effect. Nothing need intercept open and close. What it cannot do is
 * refuse a second opener, as the kernel would: that one is let in, and IsSM stays until the last
 * has closed.
 */
#include "config.h"

#include "sim/api/issm-path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_pipe(struct end_port *end)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	close(fds[0]);
	end->issm_fd = fds[1];
	return 0;
}

/* A writer cannot be first to open a named pipe without waiting, so a reader of our own is. */
static int make_named_pipe(struct end_port *end)
{
	struct umadrig_fabric *fabric = end->port->node->fabric;
	g_autofree char *path = g_strdup_printf("%s/issm%u", fabric->issm_directory,
						fabric->issm_count);
	int reader, ret = 0;

	if (mkfifo(path, 0600) < 0)
		return -errno;
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (reader >= 0)
		end->issm_fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (reader < 0 || end->issm_fd < 0)
		ret = -errno;
	if (reader >= 0)
		close(reader);
	if (ret < 0)
		unlink(path);
	return ret;
}

int issm_path(struct end_port *end, char *path, size_t size)
{
	const char *directory = end->port->node->fabric->issm_directory;
	int length;

	if (end->issm_fd < 0) {
		int ret = directory ? make_named_pipe(end) : make_pipe(end);

		if (ret < 0)
			return ret;
		end->issm_number = end->port->node->fabric->issm_count++;
	}
	length = directory ? snprintf(path, size, "%s/issm%u", directory, end->issm_number) :
			     snprintf(path, size, "/proc/self/fd/%d", end->issm_fd);
	return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

void issm_path_look(struct end_port *end)
{
	struct pollfd pollfd = { .fd = end->issm_fd };

	if (end->issm_fd < 0 || poll(&pollfd, 1, 0) < 0)
		return;
	end->issm_path_open = !(pollfd.revents & (POLLERR | POLLNVAL));
	end_port_set_is_sm(end);
}

void issm_path_close(struct end_port *end)
{
	const char *directory = end->port->node->fabric->issm_directory;

	if (end->issm_fd < 0)
		return;
	close(end->issm_fd);
	end->issm_fd = -1;
	if (directory) {
		g_autofree char *path = g_strdup_printf("%s/issm%u", directory, end->issm_number);

		unlink(path);
	}
}

/*
 * A path that stands for issmN: see issm-path.h.
 *
 * An SM opens issmN to say that it is one, and holds it open as long as it is. In-process there is
 * no device, but a pipe of which we hold the writing end only: its path under /proc/self/fd can be
 * opened for reading, and poll(2) on our end says whether anybody has (POLLERR: nobody). So nothing
 * need intercept open and close. What it cannot do is refuse a second opener, as the kernel would.
 */
#include "config.h"

#include "issm-path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
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

int issm_path(struct end_port *end, char *path, size_t size)
{
	int length;

	if (end->issm_fd < 0) {
		int ret = make_pipe(end);

		if (ret < 0)
			return ret;
	}
	length = snprintf(path, size, "/proc/self/fd/%d", end->issm_fd);
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
	if (end->issm_fd >= 0)
		close(end->issm_fd);
	end->issm_fd = -1;
}

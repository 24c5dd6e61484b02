/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad file of a real port, and its issm file.
 */
#include "config.h"

#include "harness/world/hw-world.h"

#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A descriptor as an opaque pointer that is not NULL: 0 is a descriptor too. */
static void *file_of(int fd)
{
	return GINT_TO_POINTER(fd + 1);
}

static int fd_of(void *file)
{
	return GPOINTER_TO_INT(file) - 1;
}

static bool sysfs_is(const char *device, const char *attribute, const char *value)
{
	g_autofree char *path =
		g_build_filename("/sys/class/infiniband_mad", device, attribute, NULL);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && strcmp(g_strstrip(text), value) == 0;
}

int hw_file_open(struct world *world, enum world_end end, void **ret_file)
{
	g_autofree char *port = g_strdup_printf("%d", world->port[end]);
	g_autoptr(GDir) dir = g_dir_open("/sys/class/infiniband_mad", 0, NULL);
	const char *name;
	int fd;

	while (dir && world->ca[end] && (name = g_dir_read_name(dir))) {
		g_autofree char *path = NULL;

		if (!g_str_has_prefix(name, "umad") || !sysfs_is(name, "ibdev", world->ca[end]) ||
		    !sysfs_is(name, "port", port))
			continue;
		path = g_build_filename("/dev/infiniband", name, NULL);
		fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		*ret_file = file_of(fd);
		return 0;
	}
	return -ENOENT;
}

int hw_file_ioctl(void *file, unsigned long request, void *arg)
{
	return ioctl(fd_of(file), request, arg) == 0 ? 0 : -errno;
}

long hw_file_write(void *file, const void *buf, size_t count)
{
	ssize_t written = write(fd_of(file), buf, count);

	return written >= 0 ? written : -errno;
}

long hw_file_read(void *file, void *buf, size_t count)
{
	ssize_t got = read(fd_of(file), buf, count);

	return got >= 0 ? got : -errno;
}

unsigned int hw_file_poll(void *file)
{
	struct pollfd polled = { .fd = fd_of(file), .events = POLLIN | POLLOUT };

	return poll(&polled, 1, 0) > 0 ? (unsigned int)polled.revents : 0;
}

void hw_file_close(void *file)
{
	close(fd_of(file));
}

int hw_issm_open(struct world *world, enum world_end end)
{
	char path[256];
	int status = umad_get_issm_path(world->ca[end], world->port[end], path, sizeof(path));
	int fd;

	if (status < 0)
		return status;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	hw_of(world)->issm[end] = fd;
	return 0;
}

int hw_issm_close(struct world *world, enum world_end end)
{
	struct world_hw *hw = hw_of(world);

	if (hw->issm[end] < 0)
		return -EBADF;
	close(hw->issm[end]);
	hw->issm[end] = -1;
	return 0;
}

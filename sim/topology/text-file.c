/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files of text: see sim/topology/text-file.h.
 */
#include "config.h"

#include "sim/topology/text-file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { PIECE_SIZE = 64 * 1024 };

static bool refuse(const char *path, int err, const char *why, GError **error)
{
	g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(err),
		    "Failed to open file “%s”: %s", path, why);
	return false;
}

static bool is_null_device(const struct stat *status)
{
	return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

/* Why a file of this kind and size is not read; NULL: it is. */
static const char *objection(const struct stat *status, size_t size_max)
{
	if (S_ISDIR(status->st_mode))
		return "it is a directory";
	if (S_ISREG(status->st_mode) && (uint64_t)status->st_size > size_max)
		return "it is too large";
	if (S_ISREG(status->st_mode) || S_ISFIFO(status->st_mode) || is_null_device(status))
		return NULL;
	return "it is neither a file nor a pipe";
}

/* One more piece; 0 at the end, -1 with errno. Waits only where somebody can still write. */
static ssize_t read_piece(int fd, void *bytes)
{
	for (;;) {
		struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
		ssize_t got = read(fd, bytes, PIECE_SIZE);

		if (got >= 0 || (errno != EAGAIN && errno != EINTR))
			return got;
		if (errno == EAGAIN)
			poll(&poll_fd, 1, -1);
	}
}

static bool read_all(int fd, const char *path, size_t size_max, GByteArray *bytes, GError **error)
{
	ssize_t got;

	do {
		guint size = bytes->len;

		g_byte_array_set_size(bytes, size + PIECE_SIZE);
		got = read_piece(fd, bytes->data + size);
		g_byte_array_set_size(bytes, size + (guint)MAX(got, 0));
		if (got < 0)
			return refuse(path, errno, g_strerror(errno), error);
		if (bytes->len > size_max)
			return refuse(path, EFBIG, "it is too large", error);
	} while (got > 0);
	return true;
}

static bool read_open(int fd, const char *path, size_t size_max, GByteArray *bytes, GError **error)
{
	const char *why;
	struct stat status;

	if (fstat(fd, &status) < 0)
		return refuse(path, errno, g_strerror(errno), error);
	why = objection(&status, size_max);
	if (why)
		return refuse(path, EINVAL, why, error);
	if (!read_all(fd, path, size_max, bytes, error))
		return false;
	if (bytes->len == 0 && S_ISFIFO(status.st_mode))
		return refuse(path, EPIPE, "it is a pipe, and nobody writes to it", error);
	return true;
}

bool text_file_read(const char *path, size_t size_max, char **ret_text, gsize *ret_size,
		    GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	GByteArray *bytes = g_byte_array_new();
	bool good = fd < 0 ? refuse(path, errno, g_strerror(errno), error) :
		    read_open(fd, path, size_max, bytes, error);

	if (fd >= 0)
		close(fd);
	if (good) {
		*ret_size = bytes->len;
		g_byte_array_append(bytes, (const guint8 *)"", 1);
		*ret_text = (char *)g_byte_array_free(g_steal_pointer(&bytes), false);
	} else {
		g_byte_array_unref(bytes);
	}
	return good;
}

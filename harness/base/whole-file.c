/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that are written whole: see harness/base/whole-file.h.
 */
#include "harness/base/whole-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void set_error(GError **error, const char *path, int err)
{
	g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(err), "cannot write %s: %s",
		    path, g_strerror(err));
}

static bool write_all(int fd, const char *bytes, gsize size)
{
	while (size > 0) {
		ssize_t written = write(fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		bytes += written;
		size -= (gsize)written;
	}
	return true;
}

/* To a pipe or a device, which must not be replaced. */
static bool write_through(const char *path, const char *bytes, gsize size, GError **error)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	bool ok = fd >= 0 && write_all(fd, bytes, size);

	if (!ok)
		set_error(error, path, errno);
	if (fd >= 0 && close(fd) < 0 && ok) {
		set_error(error, path, errno);
		ok = false;
	}
	return ok;
}

/*
 * The standard stream that 'status' is of, or -1. /dev/stdout may be a regular file, which must not
 * be replaced, either: what has been written to it would be lost.
 */
static int standard_stream(const GStatBuf *status)
{
	struct stat stream;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fstat(fd, &stream) == 0 && stream.st_dev == status->st_dev &&
		    stream.st_ino == status->st_ino)
			return fd;
	}
	return -1;
}

static bool write_stream(int fd, const char *path, const char *bytes, gsize size, GError **error)
{
	fflush(fd == STDOUT_FILENO ? stdout : stderr);
	if (write_all(fd, bytes, size))
		return true;
	set_error(error, path, errno);
	return false;
}

bool whole_file_write(const char *path, const char *bytes, gsize size, int mode, GError **error)
{
	g_autoptr(GError) why = NULL;
	GStatBuf status;
	bool exists = g_stat(path, &status) == 0;
	int stream = exists ? standard_stream(&status) : -1;
	int err = 0;
	char *real;
	bool ok;

	if (stream >= 0)
		return write_stream(stream, path, bytes, size, error);

	if (exists && !S_ISREG(status.st_mode))
		return write_through(path, bytes, size, error);
	real = realpath(path, NULL);
	ok = g_file_set_contents_full(real ? real : path, bytes, (gssize)size,
				      G_FILE_SET_CONTENTS_CONSISTENT |
				      G_FILE_SET_CONTENTS_DURABLE,
				      exists ? (int)status.st_mode & 07777 : mode, &why);
	/* What is made for it has the mode less the umask. */
	if (ok && exists && g_chmod(real ? real : path, (int)status.st_mode & 07777) < 0)
		err = errno;
	free(real);
	if (err) {
		set_error(error, path, err);
		return false;
	}
	if (!ok)
		g_set_error(error, why->domain, why->code, "cannot write %s: %s", path,
			    why->message);
	return ok;
}

/* Is it named like a script, a fabric or a capture? Then it was meant to be read. */
static bool is_named_like_input(const char *path)
{
	static const char *const ends[] = {
		".mad", ".inc", ".net", ".topo", ".lst", ".pcap", ".pcapng", ".erf",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		if (g_str_has_suffix(path, ends[i]))
			return true;
	}
	return false;
}

char *whole_file_refuse(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	GStatBuf status;
	bool exists = g_stat(path, &status) == 0;

	if (strcmp(path, "-") == 0)
		return g_strdup("-: standard output is /dev/stdout, and a file of that name ./-");
	if (exists && S_ISDIR(status.st_mode))
		return g_strdup_printf("%s: this is a directory", path);
	if (exists && standard_stream(&status) >= 0)
		return NULL;
	if (exists && !S_ISREG(status.st_mode))
		return g_access(path, W_OK) == 0 ? NULL :
		       g_strdup_printf("%s: %s", path, g_strerror(errno));
	if (exists && is_named_like_input(path))
		return g_strdup_printf("%s: this file is no report, and would be lost; give the "
				       "report another name", path);
	if (g_access(directory, W_OK | X_OK) != 0)
		return g_strdup_printf("%s: the directory %s: %s", path, directory,
				       g_strerror(errno));
	return NULL;
}

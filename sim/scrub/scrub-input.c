/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures to be scrubbed: see sim/scrub/scrub-input.h.
 */
#include "sim/scrub/scrub-input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/capture/source.h"

enum { PIECE_SIZE = 1 << 18 };

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes += n;
		size -= (size_t)n;
	}
	return true;
}

/* The source's bytes in a file that is gone when its descriptor is closed; -1 with errno. */
static int unpack(struct capture_source *source)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("umadrig-scrub-XXXXXX", &path, NULL), err;
	size_t size;

	if (fd < 0 || unlink(path) < 0)
		return -1;
	do {
		const uint8_t *bytes = capture_source_peek(source, PIECE_SIZE, &size);

		if (!write_all(fd, bytes, size)) {
			err = errno;
			close(fd);
			errno = err;
			return -1;
		}
		capture_source_take(source, size);
	} while (size);
	return fd;
}

static GMappedFile *map(struct capture_source *source, const char *path, GError **error)
{
	GMappedFile *file = NULL;
	struct stat status;
	int fd;

	if (!capture_source_is_compressed(source) && strcmp(path, "-") != 0 &&
	    stat(path, &status) == 0 && S_ISREG(status.st_mode))
		return g_mapped_file_new(path, false, error);
	fd = unpack(source);
	if (fd < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: cannot unpack it into "
			    "a file in %s: %s; TMPDIR names another directory", path,
			    g_get_tmp_dir(), g_strerror(errno));
		return NULL;
	}
	file = g_mapped_file_new_from_fd(fd, false, error);
	close(fd);
	return file;
}

bool scrub_input_open(const char *path, struct scrub_input *ret, char *reterr, size_t reterr_size)
{
	struct capture_source *source = capture_source_open(path, reterr, reterr_size);
	g_autoptr(GError) error = NULL;
	const char *failure;

	memset(ret, 0, sizeof(*ret));
	if (!source)
		return false;
	g_strlcpy(ret->name, strcmp(path, "-") == 0 ? "standard input" : path, sizeof(ret->name));
	ret->file = map(source, path, &error);
	failure = capture_source_failure(source);
	if (failure)
		g_strlcpy(ret->why, failure, sizeof(ret->why));
	capture_source_free(source);
	if (!ret->file) {
		g_snprintf(reterr, reterr_size, "cannot read the capture: %s", error->message);
		return false;
	}
	ret->data = (const uint8_t *)g_mapped_file_get_contents(ret->file);
	ret->size = g_mapped_file_get_length(ret->file);
	return true;
}

void scrub_input_close(struct scrub_input *input)
{
	g_mapped_file_unref(input->file);
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat first, second;

	return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

bool scrub_input_is(const char *in, const char *out, char *reterr, size_t reterr_size)
{
	if (!is_same_file(in, out))
		return false;
	g_snprintf(reterr, reterr_size, "%s and %s are one file: the capture would be lost; give "
		   "the output another name", in, out);
	return true;
}

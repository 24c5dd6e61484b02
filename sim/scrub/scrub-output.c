/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Outputs of scrubbed captures: see sim/scrub/scrub-output.h.
 */
#define _GNU_SOURCE
#include "sim/scrub/scrub-output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum {
	ROOM_SIZE = 1 << 16,
	GZIP_WINDOW_BITS = 15 + 16,	/* 16: with gzip's header */
	GZIP_MEMORY = 8,
};

struct scrub_output {
	char *path;		/* what it is to be called; NULL: standard output */
	char *beside;		/* what it is called until then */
	FILE *file;		/* the bytes as they are on disk */
	FILE *plain;		/* the same, or what compresses them into 'file' */
	ZSTD_CStream *zstd;	/* NULL: not by zstd */
	bool is_gzip;
	z_stream gzip;
};

/* ---- compression ---- */

static bool put_zstd(struct scrub_output *output, const char *bytes, size_t size,
		     ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	char room[ROOM_SIZE];
	size_t left;

	do {
		ZSTD_outBuffer out = { room, sizeof(room), 0 };

		left = ZSTD_compressStream2(output->zstd, &out, &in, how);
		if (ZSTD_isError(left)) {
			errno = ENOMEM;
			return false;
		}
		if (fwrite(room, 1, out.pos, output->file) != out.pos)
			return false;
	} while (in.pos < in.size || (how == ZSTD_e_end && left));
	return true;
}

static bool put_gzip(struct scrub_output *output, const char *bytes, size_t size, int how)
{
	z_stream *gzip = &output->gzip;
	unsigned char room[ROOM_SIZE];
	size_t made;

	gzip->next_in = (unsigned char *)bytes;
	gzip->avail_in = (uInt)size;
	do {
		gzip->next_out = room;
		gzip->avail_out = sizeof(room);
		deflate(gzip, how);
		made = sizeof(room) - gzip->avail_out;
		if (fwrite(room, 1, made, output->file) != made)
			return false;
	} while (!gzip->avail_out);
	return true;
}

static bool put(struct scrub_output *output, const char *bytes, size_t size, bool is_last)
{
	return output->is_gzip ? put_gzip(output, bytes, size, is_last ? Z_FINISH : Z_NO_FLUSH) :
	       put_zstd(output, bytes, size, is_last ? ZSTD_e_end : ZSTD_e_continue);
}

/* stdio writes pieces of its buffer's size: none is too long for zlib. */
static ssize_t write_plain(void *cookie, const char *bytes, size_t size)
{
	return put(cookie, bytes, size, false) ? (ssize_t)size : 0;
}

static int close_plain(void *cookie)
{
	return put(cookie, "", 0, true) ? 0 : EOF;
}

static bool begin_compression(struct scrub_output *output)
{
	static const cookie_io_functions_t calls = { .write = write_plain, .close = close_plain };

	output->is_gzip = g_str_has_suffix(output->path, ".gz");
	if (output->is_gzip &&
	    deflateInit2(&output->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS,
			 GZIP_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
		output->is_gzip = false;
		errno = ENOMEM;
		return false;
	}
	if (!output->is_gzip)
		output->zstd = ZSTD_createCStream();
	output->plain = fopencookie(output, "w", calls);
	return output->plain;
}

/* ---- the file ---- */

static int open_descriptor(struct scrub_output *output, const char *path)
{
	if (strcmp(path, "-") == 0)
		return dup(STDOUT_FILENO);
	output->path = g_strdup(path);
	output->beside = g_strconcat(path, ".XXXXXX", NULL);
	return g_mkstemp_full(output->beside, O_WRONLY | O_CLOEXEC, 0600);
}

static void output_free(struct scrub_output *output)
{
	if (output->is_gzip)
		deflateEnd(&output->gzip);
	ZSTD_freeCStream(output->zstd);
	g_free(output->path);
	g_free(output->beside);
	g_free(output);
}

struct scrub_output *scrub_output_open(const char *path)
{
	struct scrub_output *output = g_new0(struct scrub_output, 1);
	int fd = open_descriptor(output, path), err;

	output->file = fd < 0 ? NULL : fdopen(fd, "wb");
	output->plain = output->file;
	if (output->file && output->path &&
	    (g_str_has_suffix(path, ".gz") || g_str_has_suffix(path, ".zst")) &&
	    !begin_compression(output)) {
		output->plain = output->file;
		err = errno;
		scrub_output_close(output, false);
		errno = err;
		return NULL;
	}
	if (output->file)
		return output;
	err = errno;
	output_free(output);
	errno = err;
	return NULL;
}

FILE *scrub_output_file(const struct scrub_output *output)
{
	return output->plain;
}

int scrub_output_close(struct scrub_output *output, bool keep)
{
	int err = ferror(output->plain) ? -EIO : 0;

	errno = 0;
	if (output->plain != output->file && fclose(output->plain))
		err = errno ? -errno : -EIO;
	if (ferror(output->file) && !err)
		err = -EIO;
	if (fclose(output->file))
		err = errno ? -errno : -EIO;
	if (output->path && keep && !err && rename(output->beside, output->path) < 0)
		err = -errno;
	if (output->path && (!keep || err))
		unlink(output->beside);
	output_free(output);
	return err;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bytes of a capture: see sim/capture/source.h. A raw side reads the file, a plain side hands out
 * the decompressed bytes; without compression they are the same.
 */
#include "sim/capture/source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
	MAGIC_SIZE = 4,
	RAW_SIZE = 64 * 1024,
	PLAIN_SIZE = 256 * 1024,	/* at first; grows to what is peeked at */
	GZIP_WINDOW = 15 + 16,		/* the largest window, and zlib's code for gzip */
	FAILURE_SIZE = 200,
};

enum compression { NOT_COMPRESSED, COMPRESSED_GZIP, COMPRESSED_ZSTD, COMPRESSED_OTHERWISE };

struct capture_source {
	char *name;
	int fd;				/* -1: memory */
	bool owns_fd;
	const uint8_t *memory;
	size_t memory_size;
	size_t memory_at;
	bool may_wait;
	capture_wait_fn *wait;
	void *wait_ctx;

	enum compression compression;
	z_stream gzip;
	ZSTD_DStream *zstd;
	bool inside;			/* inside a gzip member or zstd frame, which has to end */
	bool more_inside;		/* zstd holds bytes for which there was no room */

	uint8_t *raw;			/* RAW_SIZE bytes, of which some have been read */
	size_t raw_at, raw_end;
	bool raw_over;

	uint8_t *plain;
	size_t plain_size, plain_at, plain_end;
	bool over;
	uint64_t taken;
	uint64_t filled;		/* bytes that the plain side has handed out */
	uint64_t end;			/* of them, so many are the source: UINT64_MAX: all */
	uint64_t size_max;		/* of what is unpacked; 0: any number */
	bool is_too_large;
	char failure[FAILURE_SIZE];
};

/* ---- the raw side ---- */

static void G_GNUC_PRINTF(2, 3) fail(struct capture_source *source, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(source->failure, sizeof(source->failure), format, args);
	va_end(args);
}

static size_t read_memory(struct capture_source *source, uint8_t *to, size_t room)
{
	size_t size = MIN(room, source->memory_size - source->memory_at);

	if (size)
		memcpy(to, source->memory + source->memory_at, size);
	source->memory_at += size;
	return size;
}

/* Reads at most 'room' bytes from a descriptor; 0 at its end, and on errors. */
static size_t read_descriptor(struct capture_source *source, uint8_t *to, size_t room)
{
	if (source->may_wait && source->wait)
		source->wait(source->wait_ctx);
	for (;;) {
		struct pollfd poll_fd = { .fd = source->fd, .events = POLLIN };
		ssize_t got = read(source->fd, to, room);

		if (got >= 0)
			return (size_t)got;
		if (errno == EAGAIN)
			poll(&poll_fd, 1, -1);
		else if (errno != EINTR)
			break;
	}
	fail(source, "%s", g_strerror(errno));
	return 0;
}

static size_t read_raw(struct capture_source *source, uint8_t *to, size_t room)
{
	size_t got;

	if (source->raw_over)
		return 0;
	got = source->fd < 0 ? read_memory(source, to, room) : read_descriptor(source, to, room);
	source->raw_over = got == 0;
	return got;
}

/* Gets at least 'want' bytes into the raw buffer, unless the file ends before. */
static size_t need_raw(struct capture_source *source, size_t want)
{
	while (source->raw_end - source->raw_at < want && !source->raw_over) {
		memmove(source->raw, source->raw + source->raw_at,
			source->raw_end - source->raw_at);
		source->raw_end -= source->raw_at;
		source->raw_at = 0;
		source->raw_end += read_raw(source, source->raw + source->raw_end,
					    RAW_SIZE - source->raw_end);
	}
	return source->raw_end - source->raw_at;
}

/* ---- the plain side ---- */

static size_t fill_plain(struct capture_source *source, uint8_t *to, size_t room)
{
	size_t left = MIN(source->raw_end - source->raw_at, room);

	/* First the bytes that were read to detect compression. */
	if (left) {
		memcpy(to, source->raw + source->raw_at, left);
		source->raw_at += left;
		return left;
	}
	return read_raw(source, to, room);
}

static bool is_gzip(const uint8_t *magic)
{
	return magic[0] == 0x1f && magic[1] == 0x8b;
}

/* After a gzip member: does another follow? Zeros may pad the last block of a tape. */
static bool next_member(struct capture_source *source)
{
	while (need_raw(source, 1) && !source->raw[source->raw_at])
		source->raw_at++;
	if (!need_raw(source, 1))
		return false;
	if (need_raw(source, 2) < 2 || !is_gzip(source->raw + source->raw_at)) {
		fail(source, "something follows the gzip data that is not gzip");
		return false;
	}
	inflateReset(&source->gzip);
	source->inside = true;
	return true;
}

static size_t fill_gzip(struct capture_source *source, uint8_t *to, size_t room)
{
	z_stream *gzip = &source->gzip;
	int result;

	gzip->next_out = to;
	gzip->avail_out = (uInt)MIN(room, PLAIN_SIZE);
	room = gzip->avail_out;
	while (gzip->avail_out == room) {
		if (!source->inside && !next_member(source))
			return 0;
		gzip->avail_in = (uInt)need_raw(source, 1);
		gzip->next_in = source->raw + source->raw_at;
		result = inflate(gzip, Z_NO_FLUSH);
		source->raw_at = source->raw_end - gzip->avail_in;
		if (result == Z_STREAM_END) {
			source->inside = false;
		} else if (result == Z_BUF_ERROR) {
			fail(source, "the gzip data break off");
			return 0;
		} else if (result != Z_OK) {
			fail(source, "the gzip data are damaged (%s)",
			     gzip->msg ? gzip->msg : "no reason given");
			return room - gzip->avail_out;
		}
	}
	return room - gzip->avail_out;
}

static void fail_zstd(struct capture_source *source, size_t result)
{
	if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
		fail(source, "its zstd window is larger than 128 MiB: unpack it first "
		     "(unzstd --long=31)");
	else
		fail(source, "the zstd data cannot be decompressed (%s)",
		     ZSTD_getErrorName(result));
}

static size_t fill_zstd(struct capture_source *source, uint8_t *to, size_t room)
{
	ZSTD_outBuffer out = { to, room, 0 };

	while (!out.pos) {
		ZSTD_inBuffer in = { source->raw + source->raw_at, 0, 0 };
		size_t result;

		if (!source->more_inside && !need_raw(source, 1)) {
			if (source->inside)
				fail(source, "the zstd data break off");
			return 0;
		}
		in.src = source->raw + source->raw_at;
		in.size = source->raw_end - source->raw_at;
		result = ZSTD_decompressStream(source->zstd, &out, &in);
		source->raw_at += in.pos;
		if (ZSTD_isError(result)) {
			fail_zstd(source, result);
			return out.pos;
		}
		/* 0: the frame has ended, and all of it has been handed out. */
		source->inside = result != 0;
		source->more_inside = source->inside && out.pos == out.size;
	}
	return out.pos;
}

static size_t fill_any(struct capture_source *source, uint8_t *to, size_t room)
{
	switch (source->compression) {
	case COMPRESSED_GZIP:
		return fill_gzip(source, to, room);
	case COMPRESSED_ZSTD:
		return fill_zstd(source, to, room);
	case NOT_COMPRESSED:
	case COMPRESSED_OTHERWISE:
		break;
	}
	return fill_plain(source, to, room);
}

static void look_at_size(struct capture_source *source)
{
	if (source->compression == NOT_COMPRESSED || !source->size_max ||
	    source->filled <= source->size_max)
		return;
	source->is_too_large = true;
	fail(source, "it unpacks to more than %" PRIu64 " bytes", source->size_max);
}

static size_t fill(struct capture_source *source, uint8_t *to, size_t room)
{
	size_t got;

	/* After a failure the source has ended; bytes that came with it were handed out. */
	if (*source->failure || source->filled >= source->end)
		return 0;
	got = fill_any(source, to, (size_t)MIN(room, source->end - source->filled));
	source->filled += got;
	look_at_size(source);
	return got;
}

/* ---- the buffer ---- */

/* Room for 'want' bytes from the first that is not taken. */
static void make_room(struct capture_source *source, size_t want)
{
	size_t left = source->plain_end - source->plain_at;

	if (source->plain_at) {
		memmove(source->plain, source->plain + source->plain_at, left);
		source->plain_at = 0;
		source->plain_end = left;
	}
	if (want > source->plain_size) {
		source->plain_size = MAX(want, 2 * source->plain_size);
		source->plain = g_realloc(source->plain, source->plain_size);
	}
}

const uint8_t *capture_source_peek(struct capture_source *source, size_t want, size_t *ret_size)
{
	while (source->plain_end - source->plain_at < want && !source->over) {
		size_t got;

		if (source->plain_at == source->plain_end)
			source->plain_at = source->plain_end = 0;
		if (source->plain_size - source->plain_at < want ||
		    source->plain_end == source->plain_size)
			make_room(source, want);
		got = fill(source, source->plain + source->plain_end,
			   source->plain_size - source->plain_end);
		source->plain_end += got;
		source->over = got == 0;
	}
	*ret_size = source->plain_end - source->plain_at;
	return source->plain + source->plain_at;
}

bool capture_source_ended(struct capture_source *source)
{
	size_t there;

	capture_source_peek(source, 1, &there);
	return there == 0;
}

void capture_source_take(struct capture_source *source, size_t size)
{
	g_assert(size <= source->plain_end - source->plain_at);
	source->plain_at += size;
	source->taken += size;
}

bool capture_source_skip(struct capture_source *source, uint64_t size)
{
	while (size) {
		size_t there;

		capture_source_peek(source, 1, &there);
		if (!there)
			return false;
		there = (size_t)MIN(size, there);
		capture_source_take(source, there);
		size -= there;
	}
	return true;
}

void capture_source_end_after(struct capture_source *source, uint64_t size)
{
	source->end = source->taken + size;
	if (source->filled <= source->end)
		return;
	/* More than that has been read already. */
	source->plain_end -= (size_t)(source->filled - source->end);
	source->filled = source->end;
	source->over = true;
}

void capture_source_limit(struct capture_source *source, uint64_t size_max)
{
	source->size_max = size_max;
	look_at_size(source);
}

bool capture_source_is_too_large(const struct capture_source *source)
{
	return source->is_too_large;
}

bool capture_source_is_compressed(const struct capture_source *source)
{
	return source->compression != NOT_COMPRESSED;
}

uint64_t capture_source_at(const struct capture_source *source)
{
	return source->taken;
}

const char *capture_source_failure(const struct capture_source *source)
{
	return *source->failure ? source->failure : NULL;
}

void capture_source_on_wait(struct capture_source *source, capture_wait_fn *fn, void *ctx)
{
	source->wait = fn;
	source->wait_ctx = ctx;
}

/* ---- beginning and end ---- */

static enum compression find_compression(struct capture_source *source, const char **ret_command)
{
	static const struct {
		uint8_t magic[MAGIC_SIZE];
		unsigned int size;
		enum compression compression;
		const char *command;
	} rows[] = {
		{ { 0x1f, 0x8b }, 2, COMPRESSED_GZIP, NULL },
		{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, COMPRESSED_ZSTD, NULL },
		{ { 0x04, 0x22, 0x4d, 0x18 }, 4, COMPRESSED_OTHERWISE, "unlz4" },
		{ { 0xfd, 0x37, 0x7a, 0x58 }, 4, COMPRESSED_OTHERWISE, "unxz" },
		{ { 0x42, 0x5a, 0x68 }, 3, COMPRESSED_OTHERWISE, "bunzip2" },
	};
	size_t there = need_raw(source, MAGIC_SIZE);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (there >= rows[i].size &&
		    memcmp(source->raw + source->raw_at, rows[i].magic, rows[i].size) == 0) {
			*ret_command = rows[i].command;
			return rows[i].compression;
		}
	}
	return NOT_COMPRESSED;
}

/* Sets the source up according to its first bytes; NULL with a message, and the source is freed. */
static struct capture_source *begin(struct capture_source *source, char *reterr,
				    size_t reterr_size)
{
	const char *command = NULL;

	source->raw = g_malloc(RAW_SIZE);
	source->plain_size = PLAIN_SIZE;
	source->plain = g_malloc(PLAIN_SIZE);
	source->end = UINT64_MAX;
	source->compression = find_compression(source, &command);
	switch (source->compression) {
	case COMPRESSED_OTHERWISE:
		snprintf(reterr, reterr_size, "%s: the capture is compressed: unpack it first "
			 "(%s %s)", source->name, command, source->name);
		capture_source_free(source);
		return NULL;
	case COMPRESSED_GZIP:
		source->inside = true;
		if (inflateInit2(&source->gzip, GZIP_WINDOW) != Z_OK)
			g_error("zlib: no memory");
		break;
	case COMPRESSED_ZSTD:
		source->zstd = ZSTD_createDStream();
		if (!source->zstd)
			g_error("zstd: no memory");
		break;
	case NOT_COMPRESSED:
		break;
	}
	return source;
}

struct capture_source *capture_source_open(const char *path, char *reterr, size_t reterr_size)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct capture_source *source;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
		int err = fd < 0 || !S_ISDIR(st.st_mode) ? errno : EISDIR;

		snprintf(reterr, reterr_size, "%s: cannot be read: %s", path, g_strerror(err));
		if (fd > STDIN_FILENO)
			close(fd);
		return NULL;
	}
	source = g_new0(struct capture_source, 1);
	source->name = g_strdup(is_stdin ? "standard input" : path);
	source->fd = fd;
	source->owns_fd = !is_stdin;
	source->may_wait = !S_ISREG(st.st_mode);
	return begin(source, reterr, reterr_size);
}

struct capture_source *capture_source_memory(const uint8_t *data, size_t size, const char *name,
					     char *reterr, size_t reterr_size)
{
	struct capture_source *source = g_new0(struct capture_source, 1);

	source->name = g_strdup(name);
	source->fd = -1;
	source->memory = data;
	source->memory_size = size;
	return begin(source, reterr, reterr_size);
}

void capture_source_free(struct capture_source *source)
{
	if (!source)
		return;
	if (source->compression == COMPRESSED_GZIP)
		inflateEnd(&source->gzip);
	ZSTD_freeDStream(source->zstd);
	if (source->owns_fd)
		close(source->fd);
	g_free(source->raw);
	g_free(source->plain);
	g_free(source->name);
	g_free(source);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Archives: see harness/record/archive.h.
 */
#include "config.h"

#include "harness/record/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "harness/base/command.h"
#include "lib/words/number.h"
#include "sim/capture/source.h"

/* POSIX ustar: offsets in the block that precedes each file. */
enum {
	BLOCK_SIZE = 512,
	NAME_AT = 0,
	NAME_SIZE = 100,
	MODE_AT = 100,
	UID_AT = 108,
	GID_AT = 116,
	SIZE_AT = 124,
	SIZE_SIZE = 12,
	TIME_AT = 136,
	SUM_AT = 148,
	SUM_SIZE = 8,
	TYPE_AT = 156,
	MAGIC_AT = 257,
	PIECE_SIZE = 64 * 1024,
};

static const char inside[] = "bundle/";	/* the directory in the archive */

/* ---- writing ---- */

struct writer {
	FILE *to;
	ZSTD_CStream *zstd;
};

static bool compress(struct writer *writer, const void *bytes, size_t size, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	uint8_t room[PIECE_SIZE];
	size_t left;

	do {
		ZSTD_outBuffer out = { room, sizeof(room), 0 };

		left = ZSTD_compressStream2(writer->zstd, &out, &in, how);
		if (ZSTD_isError(left) || fwrite(room, 1, out.pos, writer->to) != out.pos)
			return false;
	} while (in.pos < in.size || (how == ZSTD_e_end && left));
	return true;
}

static void make_header(uint8_t *block, const char *name, uint64_t size)
{
	unsigned int sum = 0;

	memset(block, 0, BLOCK_SIZE);
	g_snprintf((char *)block + NAME_AT, NAME_SIZE, "%s%s", inside, name);
	memcpy(block + MODE_AT, "0000600", 8);
	memcpy(block + UID_AT, "0000000", 8);
	memcpy(block + GID_AT, "0000000", 8);
	g_snprintf((char *)block + SIZE_AT, SIZE_SIZE, "%011" G_GINT64_MODIFIER "o", size);
	memcpy(block + TIME_AT, "00000000000", 12);
	block[TYPE_AT] = '0';
	memcpy(block + MAGIC_AT, "ustar\00000", 8);
	memset(block + SUM_AT, ' ', SUM_SIZE);
	for (unsigned int i = 0; i < BLOCK_SIZE; i++)
		sum += block[i];
	g_snprintf((char *)block + SUM_AT, SUM_SIZE, "%06o", sum);
}

static bool write_file(struct writer *writer, const char *directory, const char *name)
{
	static const uint8_t zero[BLOCK_SIZE];
	g_autofree char *path = g_build_filename(directory, name, NULL);
	GMappedFile *file = g_mapped_file_new(path, false, NULL);
	uint8_t header[BLOCK_SIZE];
	gsize size;
	bool good;

	if (!file)
		return true;
	size = g_mapped_file_get_length(file);
	make_header(header, name, size);
	/* Of eleven octal digits. */
	good = (uint64_t)size >> 33 == 0 &&
	       compress(writer, header, BLOCK_SIZE, ZSTD_e_continue) &&
	       compress(writer, g_mapped_file_get_contents(file), size, ZSTD_e_continue) &&
	       compress(writer, zero, -size % BLOCK_SIZE, ZSTD_e_continue);
	if (size >> 33)
		errno = EFBIG;
	g_mapped_file_unref(file);
	return good;
}

bool archive_write(const char *path, const char *directory, const char *const *names,
		   GError **error)
{
	static const uint8_t zero[2 * BLOCK_SIZE];
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct writer writer = { fd < 0 ? NULL : fdopen(fd, "wb"), NULL };
	bool good = writer.to;

	writer.zstd = ZSTD_createCStream();
	for (const char *const *name = names; *name && good; name++)
		good = write_file(&writer, directory, *name);
	good = good && compress(&writer, zero, sizeof(zero), ZSTD_e_end);
	if (writer.to && fclose(writer.to) != 0)
		good = false;
	if (!good) {
		g_set_error(error, COMMAND_ERROR, COMMAND_FAILED, "cannot write %s: %s", path,
			    g_strerror(errno));
		if (fd >= 0)
			unlink(path);
	}
	ZSTD_freeCStream(writer.zstd);
	return good;
}

/* ---- reading ---- */

/* The size that a header tells; -1: it is none. */
static int64_t size_of(const uint8_t *header)
{
	g_autofree char *digits = g_strndup((const char *)header + SIZE_AT, SIZE_SIZE);
	uint64_t size;

	if (memcmp(header + MAGIC_AT, "ustar", 5) != 0 ||
	    number_after(digits, "", 8, &size) < 0 || size >> 33)
		return -1;
	return (int64_t)size;
}

static bool is_called(const uint8_t *header, const char *name)
{
	g_autofree char *whole = g_strndup((const char *)header + NAME_AT, NAME_SIZE);
	const char *base = strrchr(whole, '/');

	return strcmp(base ? base + 1 : whole, name) == 0;
}

/* The next 'size' bytes into a file in memory. */
static int extract(struct capture_source *source, int64_t size, const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	while (fd >= 0 && size > 0) {
		size_t there, piece;
		const uint8_t *bytes = capture_source_peek(source, 1, &there);

		piece = (size_t)MIN((int64_t)there, size);
		if (!piece || write(fd, bytes, piece) != (ssize_t)piece) {
			close(fd);
			return -1;
		}
		capture_source_take(source, piece);
		size -= (int64_t)piece;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

int archive_open(const char *path, const char *name)
{
	char message[512];
	struct capture_source *source = capture_source_open(path, message, sizeof(message));
	int fd = -1;

	while (source && fd < 0) {
		size_t there;
		const uint8_t *header = capture_source_peek(source, BLOCK_SIZE, &there);
		int64_t size = there >= BLOCK_SIZE ? size_of(header) : -1;
		bool found = size >= 0 && is_called(header, name);

		if (size < 0)
			break;
		capture_source_take(source, BLOCK_SIZE);
		if (found)
			fd = extract(source, size, name);
		else if (capture_source_skip(source, (uint64_t)((size + BLOCK_SIZE - 1) /
								BLOCK_SIZE * BLOCK_SIZE)))
			continue;
		break;
	}
	capture_source_free(source);
	return fd;
}

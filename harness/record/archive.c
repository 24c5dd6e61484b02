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
#include <unistd.h>
#include <zstd.h>

#include "harness/base/command.h"
#include "sim/capture/tar.h"

enum { PIECE_SIZE = 64 * 1024 };

static const char inside[] = "bundle/";	/* the directory in the archive */

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

	memset(block, 0, TAR_BLOCK_SIZE);
	g_snprintf((char *)block + TAR_NAME, TAR_NAME_SIZE, "%s%s", inside, name);
	memcpy(block + TAR_MODE, "0000600", 8);
	memcpy(block + TAR_UID, "0000000", 8);
	memcpy(block + TAR_GID, "0000000", 8);
	g_snprintf((char *)block + TAR_SIZE, TAR_SIZE_SIZE, "%011" G_GINT64_MODIFIER "o", size);
	memcpy(block + TAR_TIME, "00000000000", 12);
	block[TAR_TYPE] = '0';
	memcpy(block + TAR_MAGIC, "ustar\00000", 8);
	memset(block + TAR_SUM, ' ', TAR_SUM_SIZE);
	for (unsigned int i = 0; i < TAR_BLOCK_SIZE; i++)
		sum += block[i];
	g_snprintf((char *)block + TAR_SUM, TAR_SUM_SIZE, "%06o", sum);
}

static bool write_file(struct writer *writer, const char *directory, const char *name)
{
	static const uint8_t zero[TAR_BLOCK_SIZE];
	g_autofree char *path = g_build_filename(directory, name, NULL);
	GMappedFile *file = g_mapped_file_new(path, false, NULL);
	uint8_t header[TAR_BLOCK_SIZE];
	gsize size;
	bool good;

	if (!file)
		return true;
	size = g_mapped_file_get_length(file);
	make_header(header, name, size);
	/* Of eleven octal digits. */
	good = (uint64_t)size >> 33 == 0 &&
	       compress(writer, header, TAR_BLOCK_SIZE, ZSTD_e_continue) &&
	       compress(writer, g_mapped_file_get_contents(file), size, ZSTD_e_continue) &&
	       compress(writer, zero, -size % TAR_BLOCK_SIZE, ZSTD_e_continue);
	if (size >> 33)
		errno = EFBIG;
	g_mapped_file_unref(file);
	return good;
}

bool archive_write(const char *path, const char *directory, const char *const *names,
		   GError **error)
{
	static const uint8_t zero[2 * TAR_BLOCK_SIZE];
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

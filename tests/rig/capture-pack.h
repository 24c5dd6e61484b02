/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Compressed captures for tests: gzip and zstd, as a whole or piece by piece.
 */
#ifndef UMADRIG_TESTS_RIG_CAPTURE_PACK_H
#define UMADRIG_TESTS_RIG_CAPTURE_PACK_H

#include <glib.h>
#include <zlib.h>
#include <zstd.h>

enum pack { PACK_NONE, PACK_GZIP, PACK_ZSTD, PACKS };

struct packer {
	enum pack pack;
	z_stream gzip;
	ZSTD_CCtx *zstd;
};

static inline struct packer *packer_new(enum pack pack)
{
	struct packer *packer = g_new0(struct packer, 1);

	packer->pack = pack;
	if (pack == PACK_GZIP)
		g_assert_cmpint(deflateInit2(&packer->gzip, 6, Z_DEFLATED, 15 + 16, 8,
					     Z_DEFAULT_STRATEGY), ==, Z_OK);
	packer->zstd = pack == PACK_ZSTD ? ZSTD_createCCtx() : NULL;
	return packer;
}

static inline void packer_free(struct packer *packer)
{
	if (packer->pack == PACK_GZIP)
		deflateEnd(&packer->gzip);
	ZSTD_freeCCtx(packer->zstd);
	g_free(packer);
}

/* Appends 'bytes', packed, so that all of it can be unpacked; 'last': and nothing follows. */
static inline void packer_add(struct packer *packer, GByteArray *to, const void *bytes, size_t size,
			      bool last)
{
	uint8_t room[4096];

	if (packer->pack == PACK_NONE)
		g_byte_array_append(to, bytes, (guint)size);
	if (packer->pack == PACK_GZIP) {
		packer->gzip.next_in = (void *)(uintptr_t)bytes;
		packer->gzip.avail_in = (uInt)size;
		do {
			packer->gzip.next_out = room;
			packer->gzip.avail_out = sizeof(room);
			deflate(&packer->gzip, last ? Z_FINISH : Z_SYNC_FLUSH);
			g_byte_array_append(to, room, (guint)sizeof(room) - packer->gzip.avail_out);
		} while (!packer->gzip.avail_out);
	}
	if (packer->pack == PACK_ZSTD) {
		ZSTD_inBuffer in = { bytes, size, 0 };
		size_t left;

		do {
			ZSTD_outBuffer out = { room, sizeof(room), 0 };

			left = ZSTD_compressStream2(packer->zstd, &out, &in,
						    last ? ZSTD_e_end : ZSTD_e_flush);
			g_assert_false(ZSTD_isError(left));
			g_byte_array_append(to, room, (guint)out.pos);
		} while (left);
	}
}

/* All of 'file', packed. */
static inline GByteArray *packed(const GByteArray *file, enum pack pack)
{
	struct packer *packer = packer_new(pack);
	GByteArray *bytes = g_byte_array_new();

	packer_add(packer, bytes, file->data, file->len, true);
	packer_free(packer);
	return bytes;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A hash of 128 bits, for what is compared with itself: each run's capture is hashed twice, and
 * SHA-256 took longer than reading it. Nobody is kept out by it. Pieces count with their lengths,
 * and the same ones are the same hash on every machine.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_HASH_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_HASH_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/mix64.h"

/* Zeros: of nothing. */
struct explore_hash {
	uint64_t a, b;
};

static inline void explore_hash_number(struct explore_hash *hash, uint64_t number)
{
	hash->a = mix64(hash->a + number + MIX64_STEP);
	hash->b = mix64((hash->b ^ number) + (hash->b << 1 | 1));
}

static inline void explore_hash_bytes(struct explore_hash *hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint64_t word;

	explore_hash_number(hash, size);
	for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		explore_hash_number(hash, GUINT64_FROM_LE(word));
	}
	word = 0;
	memcpy(&word, at, size);
	if (size > 0)
		explore_hash_number(hash, GUINT64_FROM_LE(word));
}

/* To be freed. */
static inline char *explore_hash_text(const struct explore_hash *hash)
{
	return g_strdup_printf("%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x", hash->a,
			       hash->b);
}

#endif

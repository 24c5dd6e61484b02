/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A book of aliases: numbers. Names are in sim/scrub/alias-name.c, the search for both in
 * sim/scrub/alias-search.c.
 */
#include "sim/scrub/alias.h"

#include <glib.h>
#include <stdlib.h>

#include "lib/base/wire.h"
#include "sim/scrub/alias-book.h"

enum {
	LID_GROUPS = (LID_UNICAST_MAX + 1) / 128,
	LID_GROUP_FIRST = 8,	/* without a key */
	ATTEMPTS_MAX = 4096,
};

/* ---- all of it ---- */

struct alias_book *alias_book_new(const char *key)
{
	struct alias_book *book = g_new0(struct alias_book, 1);

	book->key = g_strdup(key);
	for (unsigned int kind = 0; kind < ALIAS_KINDS; kind++)
		book->numbers[kind] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
							    g_free);
	alias_names_begin(book);
	return book;
}

void alias_book_free(struct alias_book *book)
{
	if (!book)
		return;
	alias_search_end(book);
	alias_names_end(book);
	for (unsigned int kind = 0; kind < ALIAS_KINDS; kind++)
		g_hash_table_unref(book->numbers[kind]);
	g_free(book->key);
	g_free(book);
}

void alias_learn(struct alias_book *book, enum alias_kind kind, uint64_t original)
{
	g_assert(!book->sealed);
	if (!alias_is_well_known(kind, original) &&
	    !g_hash_table_contains(book->numbers[kind], &original))
		g_hash_table_insert(book->numbers[kind], g_memdup2(&original, sizeof(original)),
				    g_new0(uint64_t, 1));
}

size_t alias_count(const struct alias_book *book, enum alias_kind kind)
{
	return g_hash_table_size(book->numbers[kind]);
}

uint64_t alias_of(const struct alias_book *book, enum alias_kind kind, uint64_t original)
{
	const uint64_t *alias;

	g_assert(book->sealed);
	if (alias_is_well_known(kind, original))
		return original;
	alias = g_hash_table_lookup(book->numbers[kind], &original);
	return alias ? *alias : 0;
}

/* ---- sealing ---- */

/* What of the original is left in its alias. */
static uint64_t kept_bits(enum alias_kind kind, uint64_t original)
{
	if (kind == ALIAS_Q_KEY)
		return original & 0x80000000;
	if (kind == ALIAS_MAC)
		return original & UINT64_C(0x010000000000);
	return 0;
}

/* The proposal of a number, which counts originals or, with a key, attempts. */
static uint64_t propose(const struct alias_book *book, enum alias_kind kind, uint64_t original,
			uint32_t number)
{
	static const char *const what[ALIAS_KINDS] = {
		"GUID", "prefix", "group", "key", "Q_Key", "P_Key", "IPv4", "MAC", "LID",
	};
	const struct alias_range *range = &alias_ranges[kind];
	uint64_t mask = (UINT64_C(1) << range->bits) - 1, low = (uint64_t)number + 1;
	uint8_t bytes[8];

	if (book->key) {
		put_be64(bytes, original);
		low = alias_digest(book->key, what[kind], bytes, sizeof(bytes), number);
	}
	return range->base | kept_bits(kind, original) | (low & mask);
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The originals of a kind, lowest first; to be freed with g_array_unref(). */
static GArray *sorted(const struct alias_book *book, enum alias_kind kind)
{
	GArray *originals = g_array_new(false, false, sizeof(uint64_t));
	GHashTableIter iter;
	void *key;

	g_hash_table_iter_init(&iter, book->numbers[kind]);
	while (g_hash_table_iter_next(&iter, &key, NULL))
		g_array_append_vals(originals, key, 1);
	g_array_sort(originals, compare_numbers);
	return originals;
}

/* Would whoever looks for originals find one where this alias is? */
static bool is_original(const struct alias_book *book, enum alias_kind kind, uint64_t v)
{
	const unsigned int size = alias_ranges[kind].size;

	if (!size)
		return g_hash_table_contains(book->numbers[kind], &v);
	for (unsigned int k = 0; k < ALIAS_KINDS; k++)
		for (unsigned int order = 0; alias_ranges[k].size == size && order < ALIAS_ORDERS;
		     order++) {
			uint64_t turned = alias_turn(v, size, order);

			if (g_hash_table_contains(book->numbers[k], &turned))
				return true;
		}
	return false;
}

static void seal_kind(struct alias_book *book, enum alias_kind kind, GHashTable *taken)
{
	GArray *originals = sorted(book, kind);
	uint32_t number = 0;

	g_hash_table_remove_all(taken);
	for (guint i = 0; i < originals->len; i++) {
		uint64_t original = g_array_index(originals, uint64_t, i), alias = 0;
		uint64_t *slot = g_hash_table_lookup(book->numbers[kind], &original);

		/* Numbers go on from the last one taken; digests begin again. */
		if (book->key)
			number = 0;
		for (unsigned int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
			alias = propose(book, kind, original, number++);
			if (!alias_is_well_known(kind, alias) &&
			    !g_hash_table_contains(taken, &alias) &&
			    !is_original(book, kind, alias))
				break;
		}
		*slot = alias;
		g_hash_table_add(taken, g_memdup2(&alias, sizeof(alias)));
	}
	g_array_unref(originals);
}

struct ranked_group {
	uint64_t digest;
	uint64_t group;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked_group *x = a, *y = b;

	return (x->digest > y->digest) - (x->digest < y->digest);
}

/*
 * Groups of LIDs change places: with a key all of them, so that no file decides; without one, those
 * that occur move up side by side.
 */
static void seal_lids(struct alias_book *book)
{
	GArray *originals = sorted(book, ALIAS_LID_GROUP);
	struct ranked_group all[LID_GROUPS];

	for (unsigned int group = 0; group < LID_GROUPS; group++) {
		uint8_t bytes[8];

		put_be64(bytes, group);
		all[group].group = group;
		all[group].digest = book->key ? alias_digest(book->key, "LID", bytes, 8, 0) : group;
	}
	qsort(all, LID_GROUPS, sizeof(all[0]), compare_ranked);
	for (guint i = 0; i < originals->len; i++) {
		uint64_t original = g_array_index(originals, uint64_t, i);
		uint64_t *slot = g_hash_table_lookup(book->numbers[ALIAS_LID_GROUP], &original);
		uint64_t first = g_array_index(originals, uint64_t, 0) == LID_GROUP_FIRST;

		*slot = book->key ? all[original % LID_GROUPS].group :
				    (LID_GROUP_FIRST + first + i) % LID_GROUPS;
	}
	g_array_unref(originals);
}

void alias_book_seal(struct alias_book *book)
{
	GHashTable *taken = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	for (unsigned int kind = 0; kind < ALIAS_KINDS; kind++)
		if (kind != ALIAS_LID_GROUP)
			seal_kind(book, kind, taken);
	g_hash_table_unref(taken);
	seal_lids(book);
	alias_names_seal(book);
	alias_search_begin(book);
	book->sealed = true;
}

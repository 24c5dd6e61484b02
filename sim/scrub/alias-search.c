/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A book of aliases: originals wherever they are, in bytes whose meaning is not known.
 *
 * A filter of one bit for each value of a hash of 4 bytes says "nothing begins here" of nearly all
 * places; what it lets pass is looked up.
 */
#include <string.h>

#include "lib/base/wire.h"
#include "sim/scrub/alias-book.h"

static const unsigned int sizes[ALIAS_SIZES] = { 8, 6, 4 };

enum { DISTINCT_BYTES = 4 };	/* other than 0 and 0xff, of numbers that are looked for */

static bool is_distinct(uint64_t v, unsigned int size)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < size; i++) {
		uint8_t byte = (uint8_t)(v >> 8 * i);

		count += byte != 0 && byte != 0xff;
	}
	return count >= MIN(size, DISTINCT_BYTES);
}

bool alias_is_learned(const struct alias_book *book, enum alias_kind kind, uint64_t original)
{
	return g_hash_table_contains(book->numbers[kind], &original) &&
	       is_distinct(original, alias_ranges[kind].size);
}

static unsigned int filter_bit(uint32_t first)
{
	return (first * UINT32_C(0x9e3779b1)) >> 16;
}

static void filter_add(struct alias_book *book, uint32_t first)
{
	unsigned int bit = filter_bit(first);

	book->filter[bit / 8] |= (uint8_t)(1 << bit % 8);
}

static bool filter_has(const struct alias_book *book, uint32_t first)
{
	unsigned int bit = filter_bit(first);

	return book->filter[bit / 8] & 1 << bit % 8;
}

/* ---- what is looked for ---- */

static void add_number(struct alias_book *book, unsigned int index, uint64_t original,
		       uint64_t alias)
{
	const unsigned int size = sizes[index];

	for (unsigned int order = 0; order < ALIAS_ORDERS; order++) {
		uint64_t pattern = alias_turn(original, size, order);
		uint64_t put = alias_turn(alias, size, order);

		/* The order of the wire goes before what merely looks like it. */
		if (order && g_hash_table_contains(book->patterns[index], &pattern))
			continue;
		g_hash_table_replace(book->patterns[index],
				     g_memdup2(&pattern, sizeof(pattern)),
				     g_memdup2(&put, sizeof(put)));
		filter_add(book, (uint32_t)(pattern >> (size * 8 - 32)));
	}
}

static void add_numbers(struct alias_book *book, enum alias_kind kind, unsigned int index)
{
	GHashTableIter iter;
	void *original, *alias;

	if (alias_ranges[kind].size != sizes[index])
		return;
	g_hash_table_iter_init(&iter, book->numbers[kind]);
	while (g_hash_table_iter_next(&iter, &original, &alias))
		if (is_distinct(*(uint64_t *)original, sizes[index]))
			add_number(book, index, *(uint64_t *)original, *(uint64_t *)alias);
}

static void needles_free(void *needles)
{
	GArray *array = needles;

	for (guint i = 0; i < array->len; i++)
		g_free(g_array_index(array, struct alias_needle, i).text);
	g_array_unref(array);
}

static int compare_needles(const void *a, const void *b)
{
	const struct alias_needle *x = a, *y = b;

	return x->size != y->size ? (x->size < y->size) - (x->size > y->size) :
				    strcmp(x->text, y->text);
}

static void add_needle(struct alias_book *book, const char *text, char *alias)
{
	struct alias_needle needle = { .text = g_strdup(text), .size = strlen(text),
				       .alias = alias };
	uint32_t first = get_be32(text);
	GArray *needles = g_hash_table_lookup(book->needles, GUINT_TO_POINTER(first));

	if (!needles) {
		needles = g_array_new(false, false, sizeof(needle));
		g_hash_table_insert(book->needles, GUINT_TO_POINTER(first), needles);
	}
	g_array_append_val(needles, needle);
	filter_add(book, first);
}

static void add_names(struct alias_book *book)
{
	GHashTableIter iter;
	void *text, *alias, *needles;

	g_hash_table_iter_init(&iter, book->names);
	while (g_hash_table_iter_next(&iter, &text, &alias))
		if (strlen(text) >= ALIAS_NAME_SEARCHED)
			add_needle(book, text, alias);
	g_hash_table_iter_init(&iter, book->needles);
	while (g_hash_table_iter_next(&iter, NULL, &needles))
		g_array_sort(needles, compare_needles);
}

void alias_search_begin(struct alias_book *book)
{
	book->needles = g_hash_table_new_full(NULL, NULL, NULL, needles_free);
	for (unsigned int i = 0; i < ALIAS_SIZES; i++) {
		book->patterns[i] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
							  g_free);
		for (unsigned int kind = ALIAS_KINDS; kind-- > 0; )
			add_numbers(book, kind, i);
	}
	add_names(book);
}

void alias_search_end(struct alias_book *book)
{
	if (book->needles)
		g_hash_table_unref(book->needles);
	for (unsigned int i = 0; i < ALIAS_SIZES; i++)
		if (book->patterns[i])
			g_hash_table_unref(book->patterns[i]);
}

/* ---- looking ---- */

size_t alias_name_at(const struct alias_book *book, const char *text, size_t size,
		     const char **ret_alias)
{
	const GArray *needles;

	if (size < ALIAS_NAME_SEARCHED || !filter_has(book, get_be32(text)))
		return 0;
	needles = g_hash_table_lookup(book->needles, GUINT_TO_POINTER(get_be32(text)));
	for (guint i = 0; needles && i < needles->len; i++) {
		const struct alias_needle *needle = &g_array_index(needles, struct alias_needle, i);

		if (needle->size <= size && memcmp(needle->text, text, needle->size) == 0) {
			*ret_alias = needle->alias;
			return needle->size;
		}
	}
	return 0;
}

/* As alias_name_at(), of numbers; 'ret' has room for 8 bytes. */
static size_t number_at(const struct alias_book *book, const uint8_t *bytes, size_t left,
			uint8_t *ret)
{
	for (unsigned int i = 0; i < ALIAS_SIZES; i++) {
		const unsigned int size = sizes[i];
		uint64_t v = 0;
		const uint64_t *alias;

		for (unsigned int j = 0; j < size && size <= left; j++)
			v = v << 8 | bytes[j];
		alias = size <= left ? g_hash_table_lookup(book->patterns[i], &v) : NULL;
		if (!alias)
			continue;
		for (unsigned int j = 0; j < size; j++)
			ret[j] = (uint8_t)(*alias >> 8 * (size - 1 - j));
		return size;
	}
	return 0;
}

void alias_search(const struct alias_book *book, const uint8_t *bytes, size_t size,
		  alias_place_fn *fn, void *ctx)
{
	for (size_t at = 0; at + 4 <= size; ) {
		g_autofree char *padded = NULL;
		const char *alias;
		uint8_t number[8];
		size_t found;

		if (!filter_has(book, get_be32(bytes + at))) {
			at++;
			continue;
		}
		found = alias_name_at(book, (const char *)bytes + at, size - at, &alias);
		if (found) {
			padded = g_malloc0(found);
			memcpy(padded, alias, MIN(strlen(alias), found));
			fn(ctx, at, found, (const uint8_t *)padded);
		} else {
			found = number_at(book, bytes + at, size - at, number);
			if (found)
				fn(ctx, at, found, number);
		}
		at += MAX(found, 1);
	}
}

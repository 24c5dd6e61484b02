/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A book of aliases: names.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/scrub/alias-book.h"

/* What vendors write into all devices of a kind: it says nothing of whose they are. */
static const char *const vendors_own[] = {
	"Infiniscale-IV Mellanox Technologies", "MT25408 ConnectX Mellanox Technologies",
	"Mellanox Technologies Aggregation Node", "Quantum Mellanox Technologies",
	"SwitchIB Mellanox Technologies", "SwitchX -  Mellanox Technologies",
};

/* Between the host's name and the number of its CA, as drivers and rdma-ndd write it. */
static const char *const device_words[] = { " HCA-", " mlx4_", " mlx5_", " hfi1_", " qib" };

/* Stems of aliases, for names that contain one of them. */
static const char *const stems[] = { "anon-", "node-", "host-", "name-", "" };

static bool is_vendors_own(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(vendors_own); i++)
		if (strcmp(name, vendors_own[i]) == 0)
			return true;
	return false;
}

/* Where the device begins in "host HCA-1": at the end where there is none. */
static size_t host_size(const char *name)
{
	size_t size = strlen(name);

	for (size_t i = 0; i < G_N_ELEMENTS(device_words); i++) {
		const char *word = g_strrstr(name, device_words[i]);
		const char *number = word ? word + strlen(device_words[i]) : NULL;

		if (word && word > name && *number && strlen(number) <= 2 &&
		    strspn(number, "0123456789") == strlen(number))
			return (size_t)(word - name);
	}
	return size;
}

void alias_names_begin(struct alias_book *book)
{
	book->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

void alias_names_end(struct alias_book *book)
{
	g_hash_table_unref(book->names);
}

void alias_learn_name(struct alias_book *book, const char *text, size_t size)
{
	g_autofree char *name = g_strndup(text, size);

	g_assert(!book->sealed);
	if (is_vendors_own(name))
		return;
	name[host_size(name)] = '\0';
	if (*name && !g_hash_table_contains(book->names, name))
		g_hash_table_insert(book->names, g_steal_pointer(&name), NULL);
}

size_t alias_name_count(const struct alias_book *book)
{
	return g_hash_table_size(book->names);
}

char *alias_of_name(const struct alias_book *book, const char *text, size_t size)
{
	g_autofree char *name = g_strndup(text, size), *device = NULL;
	const char *alias;

	g_assert(book->sealed);
	if (is_vendors_own(name))
		return g_steal_pointer(&name);
	device = g_strdup(name + host_size(name));
	name[host_size(name)] = '\0';
	alias = g_hash_table_lookup(book->names, name);
	return g_strconcat(alias ? alias : "", device, NULL);
}

const char *alias_of_exact_name(const struct alias_book *book, const char *text)
{
	return g_hash_table_lookup(book->names, text);
}

/* ---- sealing ---- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char *propose(const struct alias_book *book, const char *stem, const char *name,
		     uint32_t number, unsigned int digits)
{
	if (!book->key)
		return g_strdup_printf("%s%0*" G_GUINT32_FORMAT, stem, (int)digits, number);
	return g_strdup_printf("%s%010" G_GINT64_MODIFIER "x", stem,
			       alias_digest(book->key, "name", name, strlen(name), number) >> 24);
}

/*
 * The originals that could be part of an alias: short, and with no characters but those of stems
 * and numbers. They are few, so that each alias can be compared with all of them.
 */
static GPtrArray *dangerous(GPtrArray *names)
{
	GPtrArray *few = g_ptr_array_new();

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];

		if (strlen(name) >= ALIAS_NAME_SEARCHED &&
		    strspn(name, "0123456789abcdefhimnost-") == strlen(name))
			g_ptr_array_add(few, names->pdata[i]);
	}
	return few;
}

static bool holds_any(const char *alias, const GPtrArray *names)
{
	for (guint i = 0; i < names->len; i++)
		if (strstr(alias, names->pdata[i]))
			return true;
	return false;
}

/* Could the name be a part of the stem and any number behind it? */
static bool is_bad_for(const char *stem, const char *name)
{
	if (strstr(stem, name))
		return true;
	for (const char *tail = stem; *tail; tail++) {
		const char *rest = name + strlen(tail);

		if (g_str_has_prefix(name, tail) &&
		    strspn(rest, "0123456789abcdef") == strlen(rest))
			return true;
	}
	return false;
}

static const char *choose_stem(const GPtrArray *few)
{
	for (size_t i = 0; i < G_N_ELEMENTS(stems); i++) {
		bool good = true;

		for (guint j = 0; j < few->len && good; j++)
			good = !is_bad_for(stems[i], few->pdata[j]);
		if (good)
			return stems[i];
	}
	return stems[0];
}

void alias_names_seal(struct alias_book *book)
{
	enum { ATTEMPTS_MAX = 4096, DIGITS_MIN = 4 };
	g_autoptr(GPtrArray) names = g_ptr_array_new(), few = NULL;
	g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter iter;
	const char *stem;
	void *key;
	uint32_t number = 0;

	g_hash_table_iter_init(&iter, book->names);
	while (g_hash_table_iter_next(&iter, &key, NULL))
		g_ptr_array_add(names, key);
	g_ptr_array_sort(names, compare_names);
	few = dangerous(names);
	stem = choose_stem(few);
	for (guint i = 0; i < names->len; i++) {
		char *alias = NULL;

		if (book->key)
			number = 0;
		for (unsigned int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
			g_free(alias);
			alias = propose(book, stem, names->pdata[i], ++number,
					DIGITS_MIN + (names->len > 5000) * 4);
			if (!g_hash_table_contains(taken, alias) && !holds_any(alias, few) &&
			    !g_hash_table_contains(book->names, alias))
				break;
		}
		g_hash_table_insert(book->names, g_strdup(names->pdata[i]), alias);
		g_hash_table_add(taken, alias);
	}
}

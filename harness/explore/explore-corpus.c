/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-corpus.h. */
#include "harness/explore/explore-corpus.h"

#include <string.h>

/* What an entry weighs that shows something that one run alone has shown. */
#define WEIGHT_MAX (UINT64_C(1) << 20)

static void free_trait(void *data)
{
	struct explore_trait *trait = data;

	g_free(trait->text);
	g_free(trait);
}

static void free_entry(void *data)
{
	struct explore_entry *entry = data;

	explore_point_clear(&entry->point);
	g_ptr_array_unref(entry->traits);
	g_free(entry);
}

void explore_corpus_begin(struct explore_corpus *corpus)
{
	*corpus = (struct explore_corpus){
		.traits = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_trait),
		.entries = g_ptr_array_new_with_free_func(free_entry),
	};
}

void explore_corpus_end(struct explore_corpus *corpus)
{
	g_clear_pointer(&corpus->entries, g_ptr_array_unref);
	g_clear_pointer(&corpus->traits, g_hash_table_unref);
}

struct explore_trait *explore_corpus_trait(struct explore_corpus *corpus, const char *text,
					   unsigned int first)
{
	struct explore_trait *trait = g_hash_table_lookup(corpus->traits, text);

	if (!trait && g_hash_table_size(corpus->traits) < EXPLORE_TRAITS_MAX) {
		trait = g_new0(struct explore_trait, 1);
		trait->text = g_strdup(text);
		trait->first = first;
		g_hash_table_insert(corpus->traits, trait->text, trait);
	}
	return trait;
}

struct explore_entry *explore_corpus_add(struct explore_corpus *corpus, unsigned int run,
					 struct explore_point *point)
{
	struct explore_entry *entry = g_new0(struct explore_entry, 1);

	entry->run = run;
	entry->point = *point;
	entry->traits = g_ptr_array_new();
	*point = (struct explore_point){ .seed = 0 };
	g_ptr_array_add(corpus->entries, entry);
	return entry;
}

unsigned int explore_corpus_take(struct explore_corpus *corpus, unsigned int run,
				 const struct explore_point *point, GHashTable *shown,
				 bool is_kept)
{
	g_autoptr(GPtrArray) fresh = g_ptr_array_new();
	struct explore_point copy = { .seed = 0 };
	GHashTableIter iter;
	gpointer text;
	unsigned int count;

	g_hash_table_iter_init(&iter, shown);
	while (g_hash_table_iter_next(&iter, &text, NULL)) {
		struct explore_trait *trait = explore_corpus_trait(corpus, text, run);

		if (trait && trait->count++ == 0)
			g_ptr_array_add(fresh, trait);
	}
	count = fresh->len;
	if (count == 0)
		return 0;
	corpus->last = run;
	if (!is_kept)
		return count;
	explore_point_copy(&copy, point);
	g_ptr_array_extend(explore_corpus_add(corpus, run, &copy)->traits, fresh, NULL, NULL);
	return count;
}

void explore_corpus_bind(struct explore_corpus *corpus)
{
	g_autoptr(GHashTable) entries = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	gpointer trait;

	for (guint i = 0; i < corpus->entries->len; i++) {
		struct explore_entry *entry = corpus->entries->pdata[i];

		g_ptr_array_set_size(entry->traits, 0);
		g_hash_table_insert(entries, GUINT_TO_POINTER(entry->run), entry);
	}
	g_hash_table_iter_init(&iter, corpus->traits);
	while (g_hash_table_iter_next(&iter, NULL, &trait)) {
		struct explore_entry *entry = g_hash_table_lookup(entries, GUINT_TO_POINTER(
			((struct explore_trait *)trait)->first));

		if (entry)
			g_ptr_array_add(entry->traits, trait);
	}
}

/* The rarest that an entry has shown counts. */
static uint64_t weight_of(const struct explore_entry *entry)
{
	unsigned int rarest = UINT_MAX;

	for (guint i = 0; i < entry->traits->len; i++)
		rarest = MIN(rarest, ((struct explore_trait *)entry->traits->pdata[i])->count);
	return MAX(WEIGHT_MAX / MAX(rarest, 1) / (1 + entry->picked), 1);
}

struct explore_entry *explore_corpus_pick(struct explore_corpus *corpus, struct chance *chance)
{
	uint64_t sum = 0, drawn;
	struct explore_entry *entry;

	for (guint i = 0; i < corpus->entries->len; i++)
		sum += weight_of(corpus->entries->pdata[i]);
	if (sum == 0)
		return NULL;
	drawn = chance_below(chance, sum);
	for (guint i = 0;; i++) {
		entry = corpus->entries->pdata[i];
		if (drawn < weight_of(entry))
			break;
		drawn -= weight_of(entry);
	}
	entry->picked++;
	corpus->picks++;
	return entry;
}

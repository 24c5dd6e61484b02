/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-merge.h. */
#include "harness/explore/explore-merge.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/directory-names.h"

/* ---- counts ---- */

static void add_hashes(GHashTable *to, GHashTable *from)
{
	GHashTableIter iter;
	gpointer text;

	g_hash_table_iter_init(&iter, from);
	while (g_hash_table_iter_next(&iter, &text, NULL))
		g_hash_table_add(to, g_strdup(text));
}

static void add_kinds(GHashTable *to, GHashTable *from)
{
	GHashTableIter iter;
	gpointer name, count;

	g_hash_table_iter_init(&iter, from);
	while (g_hash_table_iter_next(&iter, &name, &count))
		g_hash_table_insert(to, g_strdup(name), GUINT_TO_POINTER(
			GPOINTER_TO_UINT(g_hash_table_lookup(to, name)) + GPOINTER_TO_UINT(count)));
}

/* ---- the corpus ---- */

static void add_traits(struct explore_corpus *to, const struct explore_corpus *from)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, from->traits);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		const struct explore_trait *trait = data;
		struct explore_trait *ours = explore_corpus_trait(to, trait->text, trait->first);

		if (!ours)
			continue;
		ours->count += trait->count;
		ours->first = MIN(ours->first, trait->first);
	}
}

static gint compare_entries(gconstpointer a, gconstpointer b)
{
	const struct explore_entry *const *left = a, *const *right = b;

	return ((*left)->run > (*right)->run) - ((*left)->run < (*right)->run);
}

/* Those that have shown first what another one has shown before them are none any more. */
static void add_corpus(struct explore_corpus *to, struct explore_corpus *from)
{
	add_traits(to, from);
	for (guint i = 0; i < from->entries->len; i++) {
		struct explore_entry *entry = from->entries->pdata[i];
		unsigned int picked = entry->picked;

		explore_corpus_add(to, entry->run, &entry->point)->picked = picked;
	}
	g_ptr_array_set_size(from->entries, 0);
	g_ptr_array_sort(to->entries, compare_entries);
	explore_corpus_bind(to);
	for (guint i = to->entries->len; i-- > 0;) {
		const struct explore_entry *entry = to->entries->pdata[i];

		if (entry->traits->len == 0)
			g_ptr_array_remove_index(to->entries, i);
	}
	to->picks += from->picks;
	to->last = MAX(to->last, from->last);
}

/* ---- failures ---- */

/* How much there is in an example: faults first, then switches. */
static size_t weight_of(const struct explore_way *way)
{
	const struct explore_point *least = way->least.faults ? &way->least : &way->point;

	return g_strv_length(least->faults) * 1000000 +
	       (least->switches ? strlen(least->switches) : 0);
}

static void swap(struct explore_way *a, struct explore_way *b)
{
	struct explore_way other = *a;

	*a = *b;
	*b = other;
}

/* The smaller example stays, and the first run that failed so. */
static void join(struct explore_way *known, struct explore_way *way)
{
	unsigned int count = known->count + way->count;
	size_t ours = weight_of(known), theirs = weight_of(way);

	if (theirs < ours || (theirs == ours && way->first < known->first))
		swap(known, way);
	if (way->first < known->first) {
		if (!known->least.faults)
			explore_point_copy(&known->least, &known->point);
		explore_point_copy(&known->point, &way->point);
		known->first = way->first;
	}
	known->count = count;
}

static void add_way(GArray *ways, struct explore_way *way)
{
	for (guint i = 0; i < ways->len; i++) {
		struct explore_way *known = &g_array_index(ways, struct explore_way, i);

		if (explore_verdict_is_alike(&known->verdict, &way->verdict)) {
			join(known, way);
			return;
		}
	}
	g_array_append_val(ways, *way);
	*way = (struct explore_way){ .count = 0 };
}

static gint compare_ways(gconstpointer a, gconstpointer b)
{
	const struct explore_way *left = a, *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

void explore_merge(struct explore_whole *to, struct explore_whole *from)
{
	struct explore_report *report = &to->report;

	report->runs += from->report.runs;
	report->failures += from->report.failures;
	report->mads += from->report.mads;
	report->met |= from->report.met;
	add_hashes(report->orders, from->report.orders);
	add_hashes(report->contents, from->report.contents);
	add_kinds(report->kinds, from->report.kinds);
	for (guint i = 0; i < from->report.ways->len; i++)
		add_way(report->ways, &g_array_index(from->report.ways, struct explore_way, i));
	g_array_sort(report->ways, compare_ways);
	add_corpus(&to->guide.corpus, &from->guide.corpus);
	for (unsigned int i = 0; i < EXPLORE_VARIATIONS; i++) {
		to->guide.tried[i] += from->guide.tried[i];
		to->guide.fresh[i] += from->guide.fresh[i];
	}
	to->guide.in_turn = MAX(to->guide.in_turn, from->guide.in_turn);
	to->state.next = MAX(to->state.next, from->state.next);
	to->state.part = to->state.parts = 1;
}

/* ---- files ---- */

static bool copy_tree(const char *from, const char *to);

static bool copy_file(const char *from, const char *to, mode_t mode)
{
	g_autofree char *bytes = NULL;
	gsize size;

	return g_file_get_contents(from, &bytes, &size, NULL) &&
	       g_file_set_contents_full(to, bytes, (gssize)size, G_FILE_SET_CONTENTS_NONE,
					(int)mode, NULL);
}

/* What is no file and no directory (a pipe, a socket) is left where it is. */
static bool copy_any(const char *from, const char *to)
{
	g_autofree char *target = NULL;
	struct stat info;

	if (lstat(from, &info) < 0)
		return false;
	if (S_ISDIR(info.st_mode))
		return copy_tree(from, to);
	if (S_ISREG(info.st_mode))
		return copy_file(from, to, info.st_mode & 0777);
	if (S_ISLNK(info.st_mode)) {
		target = g_file_read_link(from, NULL);
		return target && symlink(target, to) == 0;
	}
	return true;
}

static bool copy_tree(const char *from, const char *to)
{
	g_auto(GStrv) names = directory_names(from);
	bool is_good = names && g_mkdir(to, 0777) == 0;

	for (char **name = names; is_good && *name; name++) {
		g_autofree char *inner = g_build_filename(from, *name, NULL);
		g_autofree char *copy = g_build_filename(to, *name, NULL);

		is_good = copy_any(inner, copy);
	}
	return is_good;
}

/* A name for a failure's directory that is free, to be freed. */
static char *free_name(const char *path, unsigned int run)
{
	char *name = g_strdup_printf("%s/failure-%06u", path, run);

	for (unsigned int i = 2; g_file_test(name, G_FILE_TEST_EXISTS); i++) {
		g_free(name);
		name = g_strdup_printf("%s/failure-%06u-%u", path, run, i);
	}
	return name;
}

bool explore_merge_copy(struct explore_report *report, const char *path, GError **error)
{
	for (guint i = 0; i < report->ways->len; i++) {
		struct explore_way *way = &g_array_index(report->ways, struct explore_way, i);
		g_autofree char *copy = free_name(path, way->first);

		if (!way->directory)
			continue;
		errno = 0;
		if (!copy_tree(way->directory, copy)) {
			g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s cannot be copied to "
				    "%s: %s", way->directory, copy,
				    errno ? g_strerror(errno) : "it cannot be read");
			return false;
		}
		g_free(way->directory);
		way->directory = g_steal_pointer(&copy);
	}
	return true;
}

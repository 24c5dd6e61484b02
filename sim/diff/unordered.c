/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Differences in any order: see sim/diff/unordered.h.
 *
 * Both sides are read at once. What one has and the other has not had yet is held as a digest; what
 * is left in the end differs. Of that, the first ones are read again to be reported.
 */
#include "sim/diff/unordered.h"

#include <glib.h>

#include "sim/diff/diff-reader.h"

/* Candidates for the closest, of what is left. */
enum { CANDIDATES_MAX = 256 };

/* A conversation, as far as it is held. */
struct left {
	struct form_digest digest;
	uint64_t identity;
	uint64_t number;
	struct left *next;		/* with the same digest, later */
	struct left *partner;		/* on the other side: the same was asked */
	bool wanted;
	struct diff_item *item;		/* what it is, where it was read again; or NULL */
};

struct left_side {
	struct diff_reader *reader;
	const struct diff_source *source;
	GHashTable *by_digest;		/* struct left * -> itself, the first of its digest */
	GPtrArray *left;		/* in order, when all has been read */
	bool ended;
};

struct unordered {
	const struct diff_options *options;
	struct left_side a, b;
	struct diff_counts *counts;
};

/* ---- digests ---- */

static guint digest_hash(gconstpointer key)
{
	return (guint)((const struct left *)key)->digest.half[0];
}

static gboolean digest_equal(gconstpointer a, gconstpointer b)
{
	const struct left *one = a, *two = b;

	return one->digest.half[0] == two->digest.half[0] &&
	       one->digest.half[1] == two->digest.half[1];
}

static void add(struct left_side *side, const struct left *key)
{
	struct left *left = g_new(struct left, 1), *first;

	*left = *key;
	first = g_hash_table_lookup(side->by_digest, key);
	if (!first) {
		g_hash_table_add(side->by_digest, left);
		return;
	}
	/* Behind the first one, in no order: they are equal. */
	left->next = first->next;
	first->next = left;
}

static bool remove_one(struct left_side *side, const struct left *key)
{
	struct left *first = g_hash_table_lookup(side->by_digest, key), *second;

	if (!first)
		return false;
	second = first->next;
	if (second) {
		first->next = second->next;
		g_free(second);
	} else {
		g_hash_table_remove(side->by_digest, first);
		g_free(first);
	}
	return true;
}

/* One conversation of a side, against all that the other one has had. */
static void take_one(struct unordered *run, struct left_side *side, struct left_side *other)
{
	struct diff_item *item = side->ended ? NULL : diff_reader_next(side->reader);
	struct left key = { .next = NULL };

	if (!item) {
		side->ended = true;
		return;
	}
	key.digest = item->digest;
	key.identity = item->identity;
	key.number = item->number;
	if (remove_one(other, &key))
		run->counts->same++;
	else
		add(side, &key);
	diff_item_free(item);
}

/* ---- what is left ---- */

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	const struct left *one = *(struct left *const *)a, *two = *(struct left *const *)b;

	return (one->number > two->number) - (one->number < two->number);
}

static void collect(struct left_side *side)
{
	GHashTableIter iter;
	gpointer key;

	side->left = g_ptr_array_new();
	g_hash_table_iter_init(&iter, side->by_digest);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		for (struct left *left = key; left; left = left->next)
			g_ptr_array_add(side->left, left);
	}
	g_hash_table_remove_all(side->by_digest);
	g_ptr_array_sort(side->left, compare_numbers);
}

/* What was asked on both sides and answered differently belongs together, first to first. */
static void find_partners(struct unordered *run)
{
	g_autoptr(GHashTable) asked =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
				      (GDestroyNotify)g_queue_free);

	for (guint i = 0; i < run->b.left->len; i++) {
		struct left *left = run->b.left->pdata[i];
		GQueue *queue = g_hash_table_lookup(asked, &left->identity);

		if (!queue) {
			queue = g_queue_new();
			g_hash_table_insert(asked, &left->identity, queue);
		}
		g_queue_push_tail(queue, left);
	}
	for (guint i = 0; i < run->a.left->len; i++) {
		struct left *left = run->a.left->pdata[i];
		GQueue *queue = g_hash_table_lookup(asked, &left->identity);

		left->partner = queue ? g_queue_pop_head(queue) : NULL;
		if (left->partner)
			left->partner->partner = left;
		run->counts->changed += left->partner != NULL;
	}
	run->counts->missing = run->a.left->len - run->counts->changed;
	run->counts->extra = run->b.left->len - run->counts->changed;
}

/* Wanted are the first ones, to be reported or as candidates, and their partners. */
static void choose_wanted(struct left_side *side, size_t limit)
{
	for (guint i = 0; i < MIN(side->left->len, limit); i++) {
		struct left *left = side->left->pdata[i];

		left->wanted = true;
		if (left->partner)
			left->partner->wanted = true;
	}
}

/* Reads the side once more, for the items that are wanted. */
static bool read_again(struct unordered *run, struct left_side *side)
{
	struct diff_reader *reader;
	struct diff_item *item;
	guint at = 0;

	if (!side->left->len)
		return true;
	if (!side->source->rewind || !side->source->rewind(side->source->ctx))
		return false;
	reader = diff_reader_new(run->options, side->source);
	while (at < side->left->len && (item = diff_reader_next(reader))) {
		struct left *left = side->left->pdata[at];

		if (item->number != left->number) {
			diff_item_free(item);
			continue;
		}
		at++;
		if (left->wanted)
			left->item = item;
		else
			diff_item_free(item);
	}
	diff_reader_free(reader);
	return true;
}

static const struct diff_item *closest_in(const struct left_side *side,
					  const struct diff_item *item)
{
	struct diff_closest closest = { .item = item };

	for (guint i = 0; i < side->left->len; i++) {
		const struct left *left = side->left->pdata[i];

		if (left->item)
			diff_closest_consider(&closest, left->item);
	}
	return closest.best;
}

static void report(struct unordered *run, diff_event_fn *fn, void *ctx)
{
	size_t details = run->options->details_max;

	for (guint i = 0; i < run->a.left->len && details; i++, details--) {
		const struct left *left = run->a.left->pdata[i];
		struct diff_event event = { .kind = DIFF_MISSING, .a = left->item };

		if (left->partner) {
			event.kind = DIFF_CHANGED;
			event.b = left->partner->item;
		} else if (left->item) {
			event.closest = closest_in(&run->b, left->item);
		}
		/* A file that has changed since it was read may have less. */
		if (event.a && (event.b || event.kind == DIFF_MISSING))
			fn(ctx, &event);
	}
	for (guint i = 0; i < run->b.left->len && details; i++) {
		const struct left *left = run->b.left->pdata[i];
		struct diff_event event = { .kind = DIFF_EXTRA, .b = left->item };

		if (left->partner || !left->item)
			continue;
		event.closest = closest_in(&run->a, left->item);
		fn(ctx, &event);
		details--;
	}
}

/* ---- all of it ---- */

static struct left_side side_of(const struct diff_options *options,
				const struct diff_source *source)
{
	return (struct left_side){
		.reader = diff_reader_new(options, source),
		.source = source,
		.by_digest = g_hash_table_new(digest_hash, digest_equal),
	};
}

static void side_free(struct left_side *side)
{
	for (guint i = 0; i < side->left->len; i++) {
		struct left *left = side->left->pdata[i];

		diff_item_free(left->item);
		g_free(left);
	}
	g_ptr_array_unref(side->left);
	g_hash_table_unref(side->by_digest);
	diff_reader_free(side->reader);
}

bool diff_run_unordered(const struct diff_options *options, const struct diff_source *a,
			const struct diff_source *b, diff_event_fn *fn, void *ctx,
			struct diff_counts *counts)
{
	struct unordered run = {
		.options = options, .a = side_of(options, a), .b = side_of(options, b),
		.counts = counts,
	};
	size_t limit = MAX(options->details_max, CANDIDATES_MAX);
	bool ok;

	while (!run.a.ended || !run.b.ended) {
		take_one(&run, &run.a, &run.b);
		take_one(&run, &run.b, &run.a);
	}
	diff_reader_count(run.a.reader, &counts->a, &counts->damaged_a);
	diff_reader_count(run.b.reader, &counts->b, &counts->damaged_b);
	collect(&run.a);
	collect(&run.b);
	find_partners(&run);
	choose_wanted(&run.a, limit);
	choose_wanted(&run.b, limit);
	ok = read_again(&run, &run.a) && read_again(&run, &run.b);
	if (ok)
		report(&run, fn, ctx);
	side_free(&run.a);
	side_free(&run.b);
	return ok;
}

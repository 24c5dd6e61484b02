/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Alignment: see sim/diff/align.h.
 */
#include "sim/diff/align.h"

#include <glib.h>

/* How far a repeated question is looked for before its answer counts as changed. */
enum { SHIFT_MAX = 16 };

/* Do two sequences go on alike for a while, or end? */
static bool go_on_equal(struct diff_item *const *a, size_t a_count, struct diff_item *const *b,
			size_t b_count)
{
	if (!a_count || !b_count)
		return a_count == b_count;
	return diff_items_equal(a[0], b[0]);
}

/*
 * The heads ask the same and were answered differently. Was that question asked once more on one
 * side? Then what follows is equal after the additional ones.
 */
static struct align_step step_over_repeated(struct diff_item *const *a, size_t a_count,
					    struct diff_item *const *b, size_t b_count)
{
	struct align_step changed = { 0, 0, true };

	if (go_on_equal(a + 1, a_count - 1, b + 1, b_count - 1))
		return changed;
	for (size_t shift = 1; shift <= SHIFT_MAX; shift++) {
		if (shift < a_count && diff_items_equal(a[shift], b[0]) &&
		    go_on_equal(a + shift + 1, a_count - shift - 1, b + 1, b_count - 1))
			return (struct align_step){ shift, 0, true };
		if (shift < b_count && diff_items_equal(a[0], b[shift]) &&
		    go_on_equal(a + 1, a_count - 1, b + shift + 1, b_count - shift - 1))
			return (struct align_step){ 0, shift, true };
	}
	return changed;
}

/* Which of 'items' asks the same first? Of a table of those before 'count'; -1: none. */
static gssize first_alike(GHashTable *seen, const struct diff_item *item)
{
	return (gssize)GPOINTER_TO_SIZE(g_hash_table_lookup(seen, &item->identity)) - 1;
}

static void add_seen(GHashTable *seen, struct diff_item *item, size_t index)
{
	if (!g_hash_table_contains(seen, &item->identity))
		g_hash_table_insert(seen, &item->identity, GSIZE_TO_POINTER(index + 1));
}

struct align_step align_next(struct diff_item *const *a, size_t a_count,
			     struct diff_item *const *b, size_t b_count)
{
	struct align_step step = { a_count, b_count, false };
	g_autoptr(GHashTable) a_seen = NULL, b_seen = NULL;

	if (!a_count || !b_count)
		return step;
	if (diff_items_equal(a[0], b[0]))
		return (struct align_step){ 0, 0, true };
	if (diff_items_alike(a[0], b[0]))
		return step_over_repeated(a, a_count, b, b_count);
	a_seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	b_seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	/* Ever further, on both sides at once. */
	for (size_t at = 0; at < MAX(a_count, b_count); at++) {
		gssize in_a = -1, in_b = -1;

		if (at < a_count)
			add_seen(a_seen, a[at], at);
		if (at < b_count)
			add_seen(b_seen, b[at], at);
		if (at < a_count)
			in_b = first_alike(b_seen, a[at]);
		if (at < b_count)
			in_a = first_alike(a_seen, b[at]);
		if (in_b >= 0 && (in_a < 0 || in_b <= in_a))
			return (struct align_step){ at, (size_t)in_b, true };
		if (in_a >= 0)
			return (struct align_step){ (size_t)in_a, at, true };
	}
	return step;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Differences of captures: see sim/diff/diff.h. How they are found in order is here, in any order
 * in sim/diff/unordered.c.
 */
#include "sim/diff/diff.h"

#include <glib.h>
#include <string.h>

#include "sim/diff/align.h"
#include "sim/diff/diff-reader.h"
#include "sim/diff/unordered.h"

enum {
	PAST_MAX = 64,		/* conversations that have been dealt with, to find the closest */
	/*
	 * Answers of tables are as long as they please: what is read ahead, and what is kept, is
	 * no more than so many bytes of a side, but so many conversations in any case.
	 */
	HELD_MAX = 4 << 20,
	AHEAD_MIN = 4,
	PAST_MIN = 1,
};

struct side {
	struct diff_reader *reader;
	GPtrArray *window;		/* of struct diff_item *, from 'begin' on */
	size_t begin;
	size_t ahead;			/* bytes of the window */
	GQueue past;			/* of struct diff_item *, the latest first */
	size_t behind;			/* bytes of it */
};

struct in_order {
	const struct diff_options *options;
	bool has_begun;			/* two have belonged together */
	int64_t apart_ns;		/* so much later was B's */
	struct side a, b;
	size_t details;			/* events that may still be reported */
	diff_event_fn *fn;
	void *ctx;
	struct diff_counts *counts;
};

/* ---- a side ---- */

static struct diff_item **items_of(const struct side *side)
{
	return (struct diff_item **)side->window->pdata + side->begin;
}

static size_t count_of(const struct side *side)
{
	return side->window->len - side->begin;
}

static void fill(struct side *side)
{
	struct diff_item *item;

	if (side->begin >= ALIGN_WINDOW) {
		g_ptr_array_remove_range(side->window, 0, (guint)side->begin);
		side->begin = 0;
	}
	while (count_of(side) < ALIGN_WINDOW &&
	       (count_of(side) < AHEAD_MIN || side->ahead < HELD_MAX) &&
	       (item = diff_reader_next(side->reader))) {
		g_ptr_array_add(side->window, item);
		side->ahead += diff_item_held(item);
	}
}

/* The first of the window has been dealt with. */
static void pass(struct side *side)
{
	struct diff_item *item = items_of(side)[0];
	size_t held = diff_item_held(item);

	side->begin++;
	side->ahead -= held;
	side->behind += held;
	g_queue_push_head(&side->past, item);
	while (side->past.length > PAST_MAX ||
	       (side->past.length > PAST_MIN && side->behind > HELD_MAX)) {
		item = g_queue_pop_tail(&side->past);
		side->behind -= diff_item_held(item);
		diff_item_free(item);
	}
}

static void free_item(void *item)
{
	diff_item_free(item);
}

static void side_free(struct side *side)
{
	g_queue_clear_full(&side->past, free_item);
	for (size_t i = 0; i < count_of(side); i++)
		diff_item_free(items_of(side)[i]);
	g_ptr_array_unref(side->window);
	diff_reader_free(side->reader);
}

static const struct diff_item *closest_in(const struct side *side, const struct diff_item *item)
{
	struct diff_closest closest = { .item = item };

	for (size_t i = 0; i < count_of(side); i++)
		diff_closest_consider(&closest, items_of(side)[i]);
	for (const GList *past = side->past.head; past; past = past->next)
		diff_closest_consider(&closest, past->data);
	return closest.best;
}

/* ---- in order ---- */

static void report(struct in_order *run, enum diff_kind kind, const struct diff_item *a,
		   const struct diff_item *b)
{
	struct diff_event event = { .kind = kind, .a = a, .b = b };

	if (!run->details)
		return;
	run->details--;
	if (!b)
		event.closest = closest_in(&run->b, a);
	else if (!a)
		event.closest = closest_in(&run->a, b);
	run->fn(run->ctx, &event);
}

static bool same_times(struct in_order *run, const struct diff_item *a, struct diff_item *b)
{
	if (!run->options->times)
		return true;
	if (!run->has_begun)
		run->apart_ns = b->time_ns - a->time_ns;
	run->has_begun = true;
	return diff_item_compare_times(a, b, run->apart_ns, run->options->tolerance_ns);
}

static void take_pair(struct in_order *run)
{
	const struct diff_item *a = items_of(&run->a)[0];
	struct diff_item *b = items_of(&run->b)[0];
	bool is_same = same_times(run, a, b);

	if (is_same && diff_items_equal(a, b)) {
		run->counts->same++;
	} else {
		run->counts->changed++;
		report(run, DIFF_CHANGED, a, b);
	}
	pass(&run->a);
	pass(&run->b);
}

static void take_step(struct in_order *run, const struct align_step *step)
{
	for (size_t i = 0; i < step->only_a; i++) {
		run->counts->missing++;
		report(run, DIFF_MISSING, items_of(&run->a)[0], NULL);
		pass(&run->a);
	}
	for (size_t i = 0; i < step->only_b; i++) {
		run->counts->extra++;
		report(run, DIFF_EXTRA, NULL, items_of(&run->b)[0]);
		pass(&run->b);
	}
	if (step->pair)
		take_pair(run);
}

static struct side side_of(const struct diff_options *options, const struct diff_source *source)
{
	return (struct side){
		.reader = diff_reader_new(options, source),
		.window = g_ptr_array_sized_new(ALIGN_WINDOW), .past = G_QUEUE_INIT,
	};
}

static void run_in_order(const struct diff_options *options, const struct diff_source *a,
			 const struct diff_source *b, diff_event_fn *fn, void *ctx,
			 struct diff_counts *counts)
{
	struct in_order run = {
		.options = options, .a = side_of(options, a), .b = side_of(options, b),
		.details = options->details_max, .fn = fn, .ctx = ctx, .counts = counts,
	};

	for (;;) {
		struct align_step step;

		fill(&run.a);
		fill(&run.b);
		if (!count_of(&run.a) && !count_of(&run.b))
			break;
		step = align_next(items_of(&run.a), count_of(&run.a), items_of(&run.b),
				  count_of(&run.b));
		take_step(&run, &step);
	}
	diff_reader_count(run.a.reader, &counts->a, &counts->damaged_a);
	diff_reader_count(run.b.reader, &counts->b, &counts->damaged_b);
	side_free(&run.a);
	side_free(&run.b);
}

bool diff_run(const struct diff_options *options, const struct diff_source *a,
	      const struct diff_source *b, diff_event_fn *fn, void *ctx,
	      struct diff_counts *ret_counts)
{
	*ret_counts = (struct diff_counts){ .a = 0 };
	if (options->any_order)
		return diff_run_unordered(options, a, b, fn, ctx, ret_counts);
	run_in_order(options, a, b, fn, ctx, ret_counts);
	return true;
}

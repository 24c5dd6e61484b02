/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-guide.h. */
#include "harness/explore/explore-guide.h"

enum {
	GENERATION_MIN = 32,
	NEAR_MOST = 2,		/* one run in so many is near another one, at most */
	NEAR_LEAST = 16,	/* and at least */
};

static void clear_point(void *point)
{
	explore_point_clear(point);
}

void explore_guide_begin(struct explore_guide *guide, const struct explore_plan *plan,
			 unsigned int first, unsigned int step)
{
	*guide = (struct explore_guide){
		.plan = plan, .step = step, .in_turn = first, .first = first, .end = first,
		.points = g_array_new(false, false, sizeof(struct explore_point)),
	};
	guide->variations = g_array_new(false, false, sizeof(enum explore_variation));
	g_array_set_clear_func(guide->points, clear_point);
	explore_corpus_begin(&guide->corpus);
}

void explore_guide_end(struct explore_guide *guide)
{
	explore_corpus_end(&guide->corpus);
	g_clear_pointer(&guide->points, g_array_unref);
	g_clear_pointer(&guide->variations, g_array_unref);
}

void explore_guide_resume(struct explore_guide *guide, unsigned int next, unsigned int done)
{
	guide->first = guide->end = next;
	guide->done = done;
}

/* --each has its line at all instants before anything else. */
static bool is_bound(const struct explore_guide *guide)
{
	return guide->is_blind || guide->done < GENERATION_MIN ||
	       (guide->plan->each && guide->in_turn <= guide->plan->instants);
}

/* EXPLORE_VARIATIONS: there is none. */
static enum explore_variation draw_variation(const struct explore_guide *guide,
					     const struct explore_point *from,
					     struct chance *chance)
{
	unsigned int weights[EXPLORE_VARIATIONS] = { 0 }, sum = 0, drawn;
	enum explore_variation at;

	for (at = 0; at < EXPLORE_VARIATIONS; at++) {
		if (explore_plan_varies(guide->plan, from, at))
			weights[at] = 1 + 64 * (guide->fresh[at] + 1) / (guide->tried[at] + 1);
		sum += weights[at];
	}
	if (sum == 0)
		return EXPLORE_VARIATIONS;
	drawn = (unsigned int)chance_below(chance, sum);
	for (at = 0; drawn >= weights[at]; at++)
		drawn -= weights[at];
	return at;
}

/*
 * What is near a run pays as long as one in sixteen is like no run before: then half of all are.
 * Of a program that shows the same whatever is varied, the plan's own runs find what there is.
 */
static bool draws_near(const struct explore_guide *guide, struct chance *chance)
{
	unsigned int tried = 1, fresh = 1;

	for (unsigned int at = 0; at < EXPLORE_VARIATIONS; at++) {
		tried += guide->tried[at];
		fresh += guide->fresh[at];
	}
	return !is_bound(guide) &&
	       chance_hits(chance, 1, CLAMP(tried / (8 * fresh), NEAR_MOST, NEAR_LEAST));
}

/* The next run of this generation. */
static void draw(struct explore_guide *guide, unsigned int at)
{
	enum explore_variation variation = EXPLORE_VARIATIONS;
	struct explore_entry *entry = NULL;
	struct explore_point point;
	struct chance chance;

	chance_init(&chance, guide->plan->first.seed + at, "guide");
	if (draws_near(guide, &chance))
		entry = explore_corpus_pick(&guide->corpus, &chance);
	if (entry)
		variation = draw_variation(guide, &entry->point, &chance);
	if (variation != EXPLORE_VARIATIONS) {
		point = explore_plan_near(guide->plan, &entry->point, variation, at);
	} else {
		point = explore_plan_point(guide->plan, guide->in_turn);
		guide->in_turn += guide->step;
	}
	g_array_append_val(guide->points, point);
	g_array_append_val(guide->variations, variation);
}

void explore_guide_next(struct explore_guide *guide, unsigned int end)
{
	unsigned int count = guide->end == 0 ? 1 : MAX(guide->done / 4, GENERATION_MIN);

	guide->done += guide->points->len;
	g_array_set_size(guide->points, 0);
	g_array_set_size(guide->variations, 0);
	guide->first = guide->end;
	for (unsigned int at = guide->first; at < end && guide->points->len < count;
	     at += guide->step) {
		draw(guide, at);
		guide->end = at + guide->step;
	}
}

struct explore_point explore_guide_point(const struct explore_guide *guide, unsigned int at)
{
	const struct explore_point *point = &g_array_index(guide->points, struct explore_point,
							   (at - guide->first) / guide->step);
	struct explore_point copy = { .seed = 0 };

	explore_point_copy(&copy, point);
	return copy;
}

bool explore_guide_take(struct explore_guide *guide, const struct explore_result *result,
			bool is_fresh)
{
	enum explore_variation variation = g_array_index(guide->variations, enum explore_variation,
							 (result->at - guide->first) / guide->step);
	bool is_new = result->traits &&
		      explore_corpus_take(&guide->corpus, result->at + 1, &result->point,
					  result->traits,
					  result->verdict.kind == EXPLORE_PASSED) > 0;

	if (variation != EXPLORE_VARIATIONS) {
		guide->tried[variation]++;
		guide->fresh[variation] += is_fresh || is_new;
	}
	return is_new;
}

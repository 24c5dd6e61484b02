/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs of umadrig explore that are made of those that have shown something new: a failure that
 * takes sixteen steps is found step by step, where runs in turn would have to take all of them by
 * chance.
 */
#include <glib.h>
#include <string.h>

#include "harness/explore/explore-guide.h"
#include "harness/explore/explore-traits.h"
#include "tests/rig/leak.h"

enum {
	RUNS = 10000,
	SERIES = 12,
	WANTED = 8,		/* faults, and as many that must not be */
	STEPS = 2 * WANTED,
};

/*
 * Sixteen faults: the program fails with the first eight, and without the others: one draw in
 * 65,536. It shows how many of them are as that takes, up to the first that is not.
 */
#define FAULTS(verb) "fault=" verb " 1% class=1,fault=" verb " 1% class=2," \
	"fault=" verb " 1% class=3,fault=" verb " 1% class=4,fault=" verb " 1% class=5," \
	"fault=" verb " 1% class=6,fault=" verb " 1% class=7,fault=" verb " 1% class=8"
#define FABRIC "x.net," FAULTS("drop") "," FAULTS("duplicate")

static struct explore_plan plan_of(const char *fabric, uint64_t seed)
{
	g_autoptr(GError) error = NULL;
	struct explore_plan plan;

	g_assert_true(explore_plan_parse(&plan, fabric, seed, &error));
	return plan;
}

static bool has(char **faults, const char *verb, const char *end)
{
	for (; *faults; faults++) {
		if (g_str_has_prefix(*faults, verb) && g_str_has_suffix(*faults, end))
			return true;
	}
	return false;
}

static unsigned int steps_of(const struct explore_point *point)
{
	unsigned int steps = 0;

	for (; steps < STEPS; steps++) {
		g_autofree char *end = g_strdup_printf(" class=%u", steps % WANTED + 1);
		bool is_wanted = steps < WANTED;

		if (has(point->faults, is_wanted ? "drop" : "duplicate", end) != is_wanted)
			break;
	}
	return steps;
}

static GHashTable *traits_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

/* The run that fails, from 1; 0: none does. 'said': what each run was like, in turn. */
static unsigned int search(uint64_t seed, bool is_blind, unsigned int step, GString *said)
{
	struct explore_plan plan = plan_of(FABRIC, seed);
	struct explore_guide guide;
	unsigned int found = 0;

	explore_guide_begin(&guide, &plan, 0, step);
	guide.is_blind = is_blind;
	while (!found && guide.end < RUNS) {
		explore_guide_next(&guide, RUNS);
		for (unsigned int at = guide.first; !found && at < guide.end; at += step) {
			struct explore_result result = { .at = at };
			unsigned int steps;

			result.point = explore_guide_point(&guide, at);
			steps = steps_of(&result.point);
			result.traits = traits_new();
			for (unsigned int i = 1; i <= steps; i++)
				g_hash_table_add(result.traits, g_strdup_printf("line %u", i));
			explore_guide_take(&guide, &result, true);
			if (said) {
				g_autofree char *fabric = explore_plan_fabric(&plan, &result.point,
									      NULL);

				g_string_append_printf(said, "%u %s\n", at, fabric);
			}
			if (steps == STEPS)
				found = at + 1;
			g_hash_table_unref(result.traits);
			explore_point_clear(&result.point);
		}
	}
	explore_guide_end(&guide);
	explore_plan_clear(&plan);
	return found;
}

static void test_finds(void)
{
	unsigned int guided = 0, blind = 0, runs = 0;

	for (unsigned int i = 0; i < SERIES; i++) {
		unsigned int at = search(1 + i * 1000, false, 1, NULL);

		guided += at > 0;
		runs += at > 0 ? at : RUNS;
		blind += search(1 + i * 1000, true, 1, NULL) > 0;
	}
	g_test_message("%u of %u series find it in %u runs on average, %u do without",
		       guided, SERIES, runs / SERIES, blind);
	g_assert_cmpuint(guided, ==, SERIES);
	g_assert_cmpuint(blind * 2, <=, guided);
}

static void test_same_again(void)
{
	g_autoptr(GString) first = g_string_new(NULL), second = g_string_new(NULL);

	search(7, false, 1, first);
	search(7, false, 1, second);
	g_assert_cmpstr(first->str, ==, second->str);
}

/* Without anything that is new, or where it may not be varied, runs are the plan's, in turn. */
static void test_in_turn(void)
{
	struct explore_plan plan = plan_of("x.net,fault=drop 1%", 5);
	struct explore_guide guide;

	explore_guide_begin(&guide, &plan, 0, 1);
	while (guide.end < 200) {
		explore_guide_next(&guide, 200);
		for (unsigned int at = guide.first; at < guide.end; at++) {
			struct explore_result result = { .at = at };

			result.point = explore_guide_point(&guide, at);
			g_assert_cmpuint(result.point.seed, ==, 5 + at);
			explore_guide_take(&guide, &result, false);
			explore_point_clear(&result.point);
		}
	}
	g_assert_cmpuint(guide.end, ==, 200);
	explore_guide_end(&guide);
	explore_plan_clear(&plan);
}

/* Of those that share the work, each has its own runs, and all together have all. */
static void test_shared(void)
{
	struct explore_plan plan = plan_of("x.net", 1);
	bool seen[100] = { false };

	for (unsigned int shard = 0; shard < 3; shard++) {
		struct explore_guide guide;

		explore_guide_begin(&guide, &plan, shard, 3);
		while (guide.end < 100) {
			explore_guide_next(&guide, 100);
			for (unsigned int at = guide.first; at < guide.end; at += 3) {
				struct explore_point point = explore_guide_point(&guide, at);

				g_assert_cmpuint(point.seed, ==, 1 + at);
				g_assert_false(seen[at]);
				seen[at] = true;
				explore_point_clear(&point);
			}
		}
		explore_guide_end(&guide);
	}
	for (unsigned int at = 0; at < 100; at++)
		g_assert_true(seen[at]);
	explore_plan_clear(&plan);
}

/* Variations that never make a run that is like no other are tried less. */
static void test_learns(void)
{
	struct explore_plan plan = plan_of("x.net", 1);
	struct explore_guide guide;
	unsigned int schedules = 0, seeds = 0;

	explore_guide_begin(&guide, &plan, 0, 1);
	while (guide.end < 1000) {
		explore_guide_next(&guide, 1000);
		for (unsigned int at = guide.first; at < guide.end; at++) {
			enum explore_variation variation =
				g_array_index(guide.variations, enum explore_variation,
					      at - guide.first);
			struct explore_result result = { .at = at };

			result.point = explore_guide_point(&guide, at);
			result.traits = traits_new();
			if (at < 10)
				g_hash_table_add(result.traits, g_strdup_printf("line %u", at));
			explore_guide_take(&guide, &result, variation != EXPLORE_SCHEDULE);
			schedules += variation == EXPLORE_SCHEDULE;
			seeds += variation == EXPLORE_SEED;
			g_hash_table_unref(result.traits);
			explore_point_clear(&result.point);
		}
	}
	g_assert_cmpuint(schedules * 4, <, seeds);
	g_assert_cmpuint(seeds, >, 300);
	explore_guide_end(&guide);
	explore_plan_clear(&plan);
}

/*
 * A program that is the same whatever is varied: of 1,000 runs enough are the plan's for its
 * schedules of one fall, two of eight, to have all of 105 points in both orders.
 */
static void test_gives_up(void)
{
	struct explore_plan plan = plan_of("x.net", 1);
	struct explore_guide guide;
	unsigned int in_turn = 0;

	explore_guide_begin(&guide, &plan, 0, 1);
	while (guide.end < 1000) {
		explore_guide_next(&guide, 1000);
		for (unsigned int at = guide.first; at < guide.end; at++) {
			struct explore_result result = { .at = at, .traits = traits_new() };

			in_turn += g_array_index(guide.variations, enum explore_variation,
						 at - guide.first) == EXPLORE_VARIATIONS;
			result.point = explore_guide_point(&guide, at);
			if (at == 0)
				g_hash_table_add(result.traits, g_strdup("line 1"));
			explore_guide_take(&guide, &result, false);
			g_hash_table_unref(result.traits);
			explore_point_clear(&result.point);
		}
	}
	g_assert_cmpuint(in_turn, >=, 105 * 8);
	g_assert_cmpuint(in_turn, <, 1000);
	explore_guide_end(&guide);
	explore_plan_clear(&plan);
}

static void test_lines(void)
{
	static const struct { const char *line, *text; } rows[] = {
		{ "Nov 28 12:58:19 123456 [4B7C] 0x02 -> SUBNET UP",
		  "Nov # # # [#] # -> SUBNET UP" },
		{ "plain words", "plain words" },
		{ "", "" },
		{ "node host-12[3]: 1.5 ms", "node host-#[#]: # ms" },
		{ "  tab\tand \001 blank  ", "tab and   blank" },
		{ "12/7,3", "#" },
		{ "end 7", "end #" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = explore_line_without_numbers(rows[i].line,
								     strlen(rows[i].line));

		g_assert_cmpstr(text, ==, rows[i].text);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/explore-guide/finds", test_finds);
	g_test_add_func("/explore-guide/same-again", test_same_again);
	g_test_add_func("/explore-guide/in-turn", test_in_turn);
	g_test_add_func("/explore-guide/shared", test_shared);
	g_test_add_func("/explore-guide/learns", test_learns);
	g_test_add_func("/explore-guide/gives-up", test_gives_up);
	g_test_add_func("/explore-guide/lines", test_lines);
	return leak_end(g_test_run());
}

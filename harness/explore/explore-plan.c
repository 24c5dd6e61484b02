/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric of umadrig explore: see harness/explore/explore-plan.h.
 */
#include "harness/explore/explore-plan.h"

#include <string.h>

#include "harness/base/command.h"
#include "harness/explore/explore-draw.h"
#include "sim/run/spec.h"

/* What each run is given by itself: the file that it would be is only one. */
static const char *refused_word(const char *word)
{
	static const char *const refused[] = { "capture=", "report=" };

	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
		if (g_str_has_prefix(word, refused[i]))
			return refused[i];
	}
	return NULL;
}

static bool take_words(struct explore_plan *plan, const char *words, GError **error)
{
	g_auto(GStrv) each = g_strsplit(words, ",", -1);
	g_autoptr(GString) file = g_string_new(plan->file);
	g_autoptr(GPtrArray) faults = g_ptr_array_new();

	for (char **word = each; *word; word++) {
		const char *refused = refused_word(*word);

		if (refused) {
			g_set_error(error, COMMAND_ERROR, COMMAND_USAGE, "--fabric: %s is given "
				    "for each run: its capture is in its directory (--output)",
				    refused);
			g_ptr_array_set_free_func(faults, g_free);
			return false;
		}
		plan->has_seed |= g_str_has_prefix(*word, "seed=");
		plan->has_schedule |= g_str_has_prefix(*word, "schedule=");
		plan->has_clock |= g_str_has_prefix(*word, "clock=");
		if (g_str_has_prefix(*word, "fault="))
			g_ptr_array_add(faults, g_strdup(*word + strlen("fault=")));
		else if (!g_str_has_prefix(*word, "seed=") && !g_str_has_prefix(*word, "schedule="))
			g_string_append_printf(file, ",%s", *word);
	}
	g_ptr_array_add(faults, NULL);
	g_strfreev(plan->first.faults);
	plan->first.faults = (char **)g_ptr_array_steal(faults, NULL);
	g_free(plan->file);
	plan->file = g_string_free(g_steal_pointer(&file), false);
	return true;
}

bool explore_plan_parse(struct explore_plan *plan, const char *fabric, uint64_t seed,
			GError **error)
{
	struct spec spec;
	char message[512];
	size_t length;
	bool is_good;

	*plan = (struct explore_plan){ .first.seed = seed, .points = SCHEDULE_POINTS };
	if (spec_parse(fabric, NULL, &spec, message, sizeof(message)) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, message);
		return false;
	}
	length = strlen(spec.file);
	plan->file = g_strdup(spec.file);
	plan->first.faults = g_new0(char *, 1);
	is_good = fabric[length] != ',' || take_words(plan, fabric + length + 1, error);
	if (plan->has_seed)
		plan->first.seed = spec.options.seed;
	plan->first.schedule = spec.options.schedule;
	plan->first_schedule = seed ? seed - 1 : 0;
	plan->is_real = plan->has_clock && !spec.options.virtual_clock;
	spec_clear(&spec);
	if (!is_good)
		explore_plan_clear(plan);
	return is_good;
}

void explore_plan_clear(struct explore_plan *plan)
{
	g_clear_pointer(&plan->file, g_free);
	explore_point_clear(&plan->first);
}

/*
 * Eight in turn. Seven of PCT; of depths 1 and 2 there are two neighbours each, the second of which
 * reverses the first (lib/lockstep/strategy.h). One of a random walk or of partial order sampling:
 * these find what happens early, or has many ways to happen.
 */
static struct schedule numbered(uint64_t number, uint64_t points)
{
	static const struct { unsigned int depth; bool is_pair; } turn[] = {
		{ 0, false }, { 1, true }, { 1, true }, { 2, true }, { 2, true },
		{ 3, false }, { 4, false }, { 5, false },
	};
	uint64_t round = number / G_N_ELEMENTS(turn);
	unsigned int at = number % G_N_ELEMENTS(turn);
	struct schedule schedule = schedule_walk(number);

	if (at == 0 && round % 2 == 0)
		return schedule;
	schedule.strategy = at == 0 ? SCHEDULE_POS : SCHEDULE_PCT;
	schedule.depth = turn[at].depth;
	schedule.points = points;
	if (turn[at].is_pair)
		schedule.seed = round * 2 + (turn[at].depth == turn[at - 1].depth);
	return schedule;
}

/* So many packets cross no cables in a run; they are counted. */
#define EXPLORE_UNREACHED UINT32_MAX

/* All of them, one after the other; or as many as there are runs, spread evenly. */
static uint64_t instant_of(const struct explore_plan *plan, unsigned int at)
{
	uint64_t instants = MAX(plan->instants, 1), others = MAX(plan->runs, 2) - 1;

	return instants <= others ? at % instants : at * instants / others;
}

struct explore_point explore_plan_point(const struct explore_plan *plan, unsigned int at)
{
	struct explore_point point = plan->first;
	bool draws;

	if (plan->any_addresses)
		at = 0;
	draws = at > 0 && !plan->has_seed && !plan->all_faults && !plan->each;
	point.instant = at == 0 ? EXPLORE_NEVER : instant_of(plan, at - 1);
	if (!plan->has_seed && !plan->each)
		point.seed += at;
	point.faults = draws ? explore_draw(plan->first.faults, point.seed) :
			       g_strdupv(plan->first.faults);
	if (!plan->has_schedule && !plan->each)
		point.schedule = numbered(plan->first_schedule + at, plan->points);
	return point;
}

bool explore_plan_varies(const struct explore_plan *plan, const struct explore_point *from,
			 enum explore_variation variation)
{
	switch (variation) {
	case EXPLORE_SCHEDULE:
		return !plan->has_schedule && !plan->is_real;
	case EXPLORE_SEED:
		return !plan->has_seed;
	case EXPLORE_FAULTS:
		return !plan->has_seed && !plan->all_faults && *plan->first.faults;
	case EXPLORE_INSTANT:
		return plan->each && from->instant != EXPLORE_NEVER && plan->instants > 1;
	case EXPLORE_VARIATIONS:
		break;
	}
	return false;
}

/* A neighbour, up to eight packets before or behind. */
static uint64_t another_instant(const struct explore_plan *plan, uint64_t instant,
				struct chance *chance)
{
	uint64_t by = 1 + chance_below(chance, 8);

	return (instant + (chance_hits(chance, 1, 2) ? by : plan->instants - by % plan->instants)) %
	       plan->instants;
}

struct explore_point explore_plan_near(const struct explore_plan *plan,
				       const struct explore_point *from,
				       enum explore_variation variation, unsigned int at)
{
	struct explore_point point = { .seed = 0 };
	struct chance chance;

	chance_init(&chance, plan->first.seed + at, "near");
	explore_point_copy(&point, from);
	switch (variation) {
	case EXPLORE_SCHEDULE:
		point.schedule = numbered(plan->first_schedule + at, plan->points);
		break;
	case EXPLORE_SEED:
		point.seed = plan->first.seed + at;
		break;
	case EXPLORE_FAULTS:
		g_strfreev(point.faults);
		point.faults = explore_draw_near(plan->first.faults, from->faults, &chance);
		break;
	case EXPLORE_INSTANT:
		point.instant = another_instant(plan, from->instant, &chance);
		break;
	case EXPLORE_VARIATIONS:
		break;
	}
	return point;
}

char *explore_plan_line(const struct explore_plan *plan, const struct explore_point *point)
{
	if (!plan->each)
		return NULL;
	return point->instant == EXPLORE_NEVER ?
	       g_strdup_printf("when all after %u do %s", EXPLORE_UNREACHED, plan->each) :
	       g_strdup_printf("when 1 after %" G_GUINT64_FORMAT " do %s", point->instant,
			       plan->each);
}

void explore_plan_learn(struct explore_plan *plan, uint64_t points, uint64_t instants)
{
	plan->instants = instants;
	plan->points = CLAMP(points, 1, UINT32_MAX);
}

char *explore_plan_fabric(const struct explore_plan *plan, const struct explore_point *point,
			  const char *capture)
{
	g_autoptr(GString) text = g_string_new(plan->file);
	char schedule[SCHEDULE_TEXT_SIZE];

	if (!plan->has_clock)
		g_string_append(text, ",clock=virtual");
	g_string_append_printf(text, ",seed=%" G_GUINT64_FORMAT, point->seed);
	if (!plan->is_real)
		g_string_append_printf(text, ",schedule=%s",
				       schedule_text(&point->schedule, schedule));
	if (point->switches)
		g_string_append_printf(text, ",switches=%s", point->switches);
	for (char **fault = point->faults; *fault; fault++)
		g_string_append_printf(text, ",fault=%s", *fault);
	if (capture)
		g_string_append_printf(text, ",capture=%s", capture);
	return g_string_free(g_steal_pointer(&text), false);
}

void explore_point_copy(struct explore_point *to, const struct explore_point *from)
{
	char **faults = g_strdupv(from->faults);
	char *switches = g_strdup(from->switches);

	explore_point_clear(to);
	*to = *from;
	to->faults = faults;
	to->switches = switches;
}

void explore_point_clear(struct explore_point *point)
{
	g_clear_pointer(&point->faults, g_strfreev);
	g_clear_pointer(&point->switches, g_free);
}

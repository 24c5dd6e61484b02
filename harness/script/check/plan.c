/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The plan of a script: see harness/script/check/plan.h.
 */
#include "harness/script/check/plan.h"

#include "sim/time/chance.h"

bool point_runs_programs(const struct point *point)
{
	for (guint i = 0; i < point->steps->len; i++) {
		const struct plan_step *step = point->steps->pdata[i];

		if (step->line->verb->runs_programs)
			return true;
	}
	return false;
}

uint64_t scenario_seed(const struct scenario *scenario)
{
	struct chance chance;
	g_autofree char *base = g_path_get_basename(scenario->place.source->name);
	g_autofree char *name = g_strdup_printf("%s: %s", base, scenario->title);

	if (scenario->settings.seed_set)
		return scenario->settings.seed;
	/* Small enough to be retyped. */
	chance_init(&chance, 1, name);
	return 1 + chance_below(&chance, 999999);
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (guint i = 0; i < plan->scenarios->len; i++) {
		struct plan_scenario *scenario = plan->scenarios->pdata[i];

		g_clear_pointer(&scenario->points[0], g_ptr_array_unref);
		g_clear_pointer(&scenario->points[1], g_ptr_array_unref);
	}
	g_ptr_array_unref(plan->scenarios);
	g_hash_table_unref(plan->fabrics);
	arena_free(plan->arena);
	g_free(plan);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which points umadrig run runs: see harness/cmd/run-selection.h.
 */
#include "harness/cmd/run-selection.h"

#include "harness/cmd/run-list.h"

static unsigned int count_points(const struct plan *plan, bool on_sim)
{
	unsigned int count = 0;

	for (guint i = 0; i < plan->scenarios->len; i++) {
		const struct plan_scenario *scenario = plan->scenarios->pdata[i];

		count += scenario->points[on_sim]->len;
	}
	return count;
}

static void select_points(GArray *selection, const struct plan *plan,
			  const struct run_options *options)
{
	struct selected one = {
		.script = plan->script, .of = count_points(plan, options->on_sim),
	};

	for (guint i = 0; i < plan->scenarios->len; i++) {
		const struct plan_scenario *scenario = plan->scenarios->pdata[i];
		const GPtrArray *points = scenario->points[options->on_sim];

		for (guint j = 0; j < points->len; j++) {
			one.point = points->pdata[j];
			one.number++;
			if (point_has_tag(one.point, options->tags) &&
			    j % (guint)options->every == 0)
				g_array_append_val(selection, one);
		}
	}
}

GArray *run_selection_new(const GPtrArray *plans, const struct run_options *options)
{
	GArray *selection = g_array_new(false, false, sizeof(struct selected));

	for (guint i = 0; i < plans->len; i++) {
		const struct plan *plan = plans->pdata[i];
		const struct selected unreadable = { .script = plan->script };

		if (plan->script->diagnostics->errors > 0)
			g_array_append_val(selection, unreadable);
		else
			select_points(selection, plan, options);
	}
	return selection;
}

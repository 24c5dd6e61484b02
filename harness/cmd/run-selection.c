/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which points umadrig run runs: see harness/cmd/run-selection.h.
 */
#include "harness/cmd/run-selection.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/run-tags.h"
#include "sim/dictionary/mad-dictionary.h"

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

/* ---- nothing to run ---- */

/* Prints "HEADING a, b, c", in lines of some 80 columns. */
static void print_names(const char *heading, const GPtrArray *names)
{
	enum { WIDTH = 80 };
	size_t column = strlen(heading);

	fputs(heading, stderr);
	for (guint i = 0; i < names->len; i++) {
		const char *one = names->pdata[i];
		size_t size = strlen(one) + 2;

		if (column + size > WIDTH) {
			fputs("\n ", stderr);
			column = 1;
		}
		fprintf(stderr, " %s%s", one, i + 1 < names->len ? "," : "\n");
		column += size;
	}
}

static int no_such_tag(const char *tag, const GPtrArray *plans, const struct run_options *options,
		       const char *name)
{
	g_autoptr(GPtrArray) names = point_tag_names(plans, options->on_sim);
	const char *closest;

	if (names->len == 0)
		return command_error(name, COMMAND_BAIL_OUT, "nothing was run: no scenario has the "
				     "tag '%s', or any other", tag);
	g_ptr_array_add(names, NULL);
	closest = mad_closest(tag, (const char *const *)names->pdata);
	g_ptr_array_set_size(names, (gint)names->len - 1);
	command_error(name, COMMAND_BAIL_OUT, "nothing was run: no scenario has the tag '%s'%s%s%s",
		      tag, closest ? "; did you mean '" : "", closest ? closest : "",
		      closest ? "'?" : "");
	print_names("The tags are:", names);
	return COMMAND_BAIL_OUT;
}

/* Does a selected point have the tag? A script with errors may have it. */
static bool is_selected(const GArray *selection, char *tag)
{
	char *tags[] = { tag, NULL };

	for (guint i = 0; i < selection->len; i++) {
		const struct point *point = g_array_index(selection, struct selected, i).point;

		if (!point || point_has_tag(point, tags))
			return true;
	}
	return false;
}

int run_selection_refuse(const GArray *selection, const GPtrArray *plans,
			 const struct run_options *options, const char *name)
{
	for (char **tag = options->tags; tag && *tag; tag++) {
		if (!is_selected(selection, *tag))
			return no_such_tag(*tag, plans, options, name);
	}
	if (selection->len > 0)
		return -1;
	return command_error(name, COMMAND_BAIL_OUT, "nothing was run: there is no scenario in "
			     "%s%s", options->files[0],
			     options->files[1] ? " and the others" : "");
}

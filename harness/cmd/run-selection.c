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
#include "sim/time/chance.h"

static unsigned int count_points(const struct plan *plan, bool on_sim)
{
	unsigned int count = 0;

	for (guint i = 0; i < plan->scenarios->len; i++) {
		const struct plan_scenario *scenario = plan->scenarios->pdata[i];

		count += scenario->points[on_sim]->len;
	}
	return count;
}

/*
 * "timeout-retries.pcapng" for timeout/retries.mad, "timeout-retries-02.pcapng" if the file has
 * several points. 'taken': names that others have; is given this one.
 */
static char *capture_name(const struct script *script, unsigned int number, unsigned int of,
			  GHashTable *taken)
{
	g_autofree char *stem = g_strdelimit(g_strdup(script->label), "/", '-');
	g_autofree char *suffix = of > 1 ? g_strdup_printf("-%02u", number) : g_strdup("");
	char *name;

	if (g_str_has_suffix(stem, ".mad"))
		stem[strlen(stem) - strlen(".mad")] = '\0';
	name = g_strdup_printf("%s%s.pcapng", stem, suffix);
	/* A file that is named twice, or one with a hyphen where another has a slash. */
	for (unsigned int i = 2; g_hash_table_contains(taken, name); i++) {
		g_free(name);
		name = g_strdup_printf("%s%s~%u.pcapng", stem, suffix, i);
	}
	g_hash_table_add(taken, g_strdup(name));
	return name;
}

static void select_points(GArray *selection, const struct plan *plan,
			  const struct run_options *options, GHashTable *taken)
{
	unsigned int of = count_points(plan, options->on_sim), number = 0;

	for (guint i = 0; i < plan->scenarios->len; i++) {
		const struct plan_scenario *scenario = plan->scenarios->pdata[i];
		const GPtrArray *points = scenario->points[run_expands_on_sim(options)];

		for (guint j = 0; j < points->len; j++) {
			g_autofree char *capture = capture_name(plan->script, ++number, of, taken);
			struct selected one = { .script = plan->script, .point = points->pdata[j] };

			if (!point_has_tag(one.point, options->tags) ||
			    j % (guint)options->every != 0)
				continue;
			one.capture = g_steal_pointer(&capture);
			g_array_append_val(selection, one);
		}
	}
}

static void selected_clear(void *data)
{
	g_free(((struct selected *)data)->capture);
}

GArray *run_selection_new(const GPtrArray *plans, const struct run_options *options)
{
	GArray *selection = g_array_new(false, false, sizeof(struct selected));
	g_autoptr(GHashTable) taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	g_array_set_clear_func(selection, selected_clear);
	for (guint i = 0; i < plans->len; i++) {
		const struct plan *plan = plans->pdata[i];
		const struct selected unreadable = { .script = plan->script };

		if (plan->script->diagnostics->errors > 0)
			g_array_append_val(selection, unreadable);
		else
			select_points(selection, plan, options, taken);
	}
	return selection;
}

void run_selection_shard(GArray *selection, const struct run_options *options)
{
	guint kept = 0;

	for (guint i = 0; i < selection->len; i++) {
		struct selected *one = &g_array_index(selection, struct selected, i);
		struct selected moved = *one;

		if (i % options->shards != options->shard - 1)
			continue;
		/* What stands there now is cleared with the rest. */
		*one = g_array_index(selection, struct selected, kept);
		g_array_index(selection, struct selected, kept++) = moved;
	}
	g_array_set_size(selection, kept);
}

void run_selection_order(GArray *order, const struct run_options *options, guint round)
{
	struct chance chance;

	for (guint i = 0; i < order->len; i++)
		g_array_index(order, guint, i) = i;
	if (!options->shuffled)
		return;
	chance_init(&chance, options->shuffle_seed + round, "shuffle");
	for (guint left = order->len; left > 1; left--) {
		guint other = (guint)chance_below(&chance, left);
		guint *last = &g_array_index(order, guint, left - 1);
		guint *chosen = &g_array_index(order, guint, other), kept = *last;

		*last = *chosen;
		*chosen = kept;
	}
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
	g_autoptr(GPtrArray) names = point_tag_names(plans, run_expands_on_sim(options));
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

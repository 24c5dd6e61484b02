/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Refuses to run what would change the fabric at a real port: see harness/cmd/run-changes.h.
 */
#include "harness/cmd/run-changes.h"

#include <stdio.h>

#include "harness/base/command.h"
#include "harness/script/check/changes.h"

enum { LINES_MAX = 20 };	/* printed; the others are counted */

/* "FILE:LINE: what", of all points, in the order of the points; each once. */
static GPtrArray *find_changes(const GPtrArray *points, const struct rig *rig)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < points->len; i++) {
		const struct point *point = points->pdata[i];
		g_autofree char *unmet = point_unmet(point, rig);

		for (guint j = 0; !unmet && j < point->steps->len; j++) {
			const struct plan_step *step = point->steps->pdata[j];
			g_autofree char *change = step_change(point, step);
			g_autofree char *line = NULL;

			if (!change)
				continue;
			line = g_strdup_printf("%s:%u: %s", step->place.source->name,
					       step->place.line, change);
			/* Adding a line again would put a pointer into the set that is freed. */
			if (g_hash_table_contains(seen, line))
				continue;
			g_hash_table_add(seen, line);
			g_ptr_array_add(lines, g_steal_pointer(&line));
		}
	}
	return lines;
}

/* The ports of the rig that are not writable, as options; NULL: there is none. */
static char *missing_options(const struct rig *rig, const char *const *writable)
{
	g_autoptr(GString) options = g_string_new(NULL);

	for (int end = 0; end < WORLD_ENDS; end++) {
		if (rig->ports[end] && !(writable && g_strv_contains(writable, rig->ports[end])))
			g_string_append_printf(options, " --allow-writes %s", rig->ports[end]);
	}
	return options->len > 0 ? g_strdup(options->str) : NULL;
}

int run_changes_refuse(const GPtrArray *points, const struct rig *rig,
		       const char *const *writable, const char *name)
{
	g_autofree char *options = missing_options(rig, writable);
	g_autoptr(GPtrArray) lines = NULL;

	if (!options)
		return -1;
	lines = find_changes(points, rig);
	if (lines->len == 0)
		return -1;
	command_error(name, COMMAND_USAGE, "nothing was run, because this would change a fabric "
		      "that others may use:");
	for (guint i = 0; i < lines->len && i < LINES_MAX; i++)
		fprintf(stderr, "  %s\n", (const char *)lines->pdata[i]);
	if (lines->len > LINES_MAX)
		fprintf(stderr, "  and %u more lines\n", lines->len - LINES_MAX);
	fprintf(stderr, "If the fabric is yours alone, add%s\n", options);
	return COMMAND_USAGE;
}

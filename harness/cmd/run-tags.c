/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tags of points: see harness/cmd/run-tags.h.
 */
#include "harness/cmd/run-tags.h"

#include <string.h>

bool tag_is(const char *tag, const char *wanted)
{
	size_t size = strlen(wanted);

	return strncmp(tag, wanted, size) == 0 && (tag[size] == '\0' || tag[size] == ':');
}

/* True for "statement:7" and "statement:8": the same up to the colon. */
static bool same_name(const char *left, const char *right)
{
	size_t size = strcspn(left, ":");

	return strncmp(left, right, size) == 0 && (right[size] == '\0' || right[size] == ':');
}

/* Does the row have numbers of its own, which then replace its scenario's? */
static bool row_says(const struct point *point, const char *tag)
{
	for (guint i = 0; point->tags && i < point->tags->len; i++) {
		if (same_name(tag, point->tags->pdata[i]))
			return true;
	}
	return false;
}

const char *point_tag(const struct point *point, guint at)
{
	const GPtrArray *of_scenario = point->scenario->settings.tags;

	if (point->tags && at < point->tags->len)
		return point->tags->pdata[at];
	at -= point->tags ? point->tags->len : 0;
	for (guint i = 0; i < of_scenario->len; i++) {
		if (!row_says(point, of_scenario->pdata[i]) && at-- == 0)
			return of_scenario->pdata[i];
	}
	return NULL;
}

bool point_has_tag(const struct point *point, char **tags)
{
	const char *tag;

	for (guint i = 0; tags && (tag = point_tag(point, i)) != NULL; i++) {
		for (char **wanted = tags; *wanted; wanted++) {
			if (tag_is(tag, *wanted))
				return true;
		}
	}
	return !tags;
}

static void add_names(const struct point *point, GHashTable *seen, GPtrArray *names)
{
	const char *tag;

	for (guint i = 0; (tag = point_tag(point, i)) != NULL; i++) {
		g_autofree char *name = g_strndup(tag, strcspn(tag, ":"));

		if (g_hash_table_contains(seen, name))
			continue;
		g_hash_table_add(seen, name);
		g_ptr_array_add(names, g_steal_pointer(&name));
	}
}

static gint compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *point_tag_names(const GPtrArray *plans, bool on_sim)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < plans->len; i++) {
		const struct plan *plan = plans->pdata[i];

		for (guint j = 0; j < plan->scenarios->len; j++) {
			const struct plan_scenario *scenario = plan->scenarios->pdata[j];
			const GPtrArray *points = scenario->points[on_sim];

			for (guint k = 0; k < points->len; k++)
				add_names(points->pdata[k], seen, names);
		}
	}
	g_ptr_array_sort(names, compare_texts);
	return names;
}

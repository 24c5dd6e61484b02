/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that are not there: see harness/base/missing-file.h.
 */
#include "harness/base/missing-file.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"

/* So many of a kind are listed. */
enum { LISTED = 8 };

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What is in 'directory', sorted, for the order of a directory is chance; ended by NULL. */
static GPtrArray *names_in(const char *directory)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		if (name[0] != '.')
			g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return names;
}

/* "; a.net, b.net and 3 more are in DIRECTORY": those whose names end as 'base' does. */
static void append_kind(GString *text, const char *directory, const char *base,
			const GPtrArray *names)
{
	const char *kind = strrchr(base, '.');
	guint count = 0;

	for (guint i = 0; kind && i + 1 < names->len; i++) {
		const char *name = names->pdata[i];

		if (!g_str_has_suffix(name, kind))
			continue;
		if (count++ < LISTED)
			g_string_append_printf(text, "%s%s", count == 1 ? "; " : ", ", name);
	}
	if (count > LISTED)
		g_string_append_printf(text, " and %u more", count - LISTED);
	if (count > 0)
		g_string_append_printf(text, count == 1 ? " is in %s" : " are in %s", directory);
}

char *file_missing(const char *path, int err)
{
	g_autofree char *directory = g_path_get_dirname(path);
	g_autofree char *base = g_path_get_basename(path);
	GString *text = g_string_new(NULL);
	g_autoptr(GPtrArray) names = NULL;
	const char *closest;

	g_string_append_printf(text, "%s: %s", path, g_strerror(err));
	if (err == ENOENT) {
		names = names_in(directory);
		closest = mad_closest(base, (const char *const *)names->pdata);
		if (closest)
			g_string_append_printf(text, "; did you mean '%s'?", closest);
		else
			append_kind(text, directory, base, names);
	}
	return g_string_free(text, false);
}

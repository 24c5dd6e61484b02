/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/base/directory-names.h. */
#include "harness/base/directory-names.h"

#include <dirent.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **directory_names(const char *path)
{
	DIR *dir = opendir(path);
	GPtrArray *names;

	if (!dir)
		return NULL;
	names = g_ptr_array_new();
	for (const struct dirent *entry; (entry = readdir(dir));) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			g_ptr_array_add(names, g_strdup(entry->d_name));
	}
	closedir(dir);
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, false);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Finds the scripts that a command line names.
 */
#include "harness/cmd/run-files.h"

#include <string.h>

/* Symbolic links may form a loop. */
#define DIRECTORY_DEPTH_MAX 16

static gint compare_paths(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void find_below(const char *path, int depth, GPtrArray *found)
{
	g_autoptr(GDir) dir = depth < DIRECTORY_DEPTH_MAX ? g_dir_open(path, 0, NULL) : NULL;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		if (name[0] == '.')
			continue;
		if (g_file_test(child, G_FILE_TEST_IS_DIR))
			find_below(child, depth + 1, found);
		else if (g_str_has_suffix(name, ".mad"))
			g_ptr_array_add(found, g_steal_pointer(&child));
	}
}

GPtrArray *run_files_find(char **args, char **reterr)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);

	for (char **arg = args; *arg; arg++) {
		g_autoptr(GPtrArray) below = g_ptr_array_new();

		if (!g_file_test(*arg, G_FILE_TEST_EXISTS)) {
			*reterr = g_strdup_printf("%s: no such file or directory", *arg);
			return NULL;
		}
		if (!g_file_test(*arg, G_FILE_TEST_IS_DIR)) {
			g_ptr_array_add(files, g_strdup(*arg));
			continue;
		}
		find_below(*arg, 0, below);
		if (below->len == 0) {
			*reterr = g_strdup_printf("%s: no *.mad file in this directory", *arg);
			return NULL;
		}
		g_ptr_array_sort(below, compare_paths);
		for (guint i = 0; i < below->len; i++)
			g_ptr_array_add(files, below->pdata[i]);
	}
	return g_steal_pointer(&files);
}

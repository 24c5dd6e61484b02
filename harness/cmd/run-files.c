/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Finds the scripts that a command line names.
 */
#include "harness/cmd/run-files.h"

#include <glib/gstdio.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"

/* How many names an error lists. */
#define NAMES_MAX 40

static gint compare_paths(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A directory that is looked through, and the one that it was found in. */
struct place {
	const struct place *in;
	GStatBuf status;
};

/* A symbolic link leads back to where it was found. */
static bool is_loop(const struct place *place)
{
	for (const struct place *in = place->in; in; in = in->in)
		if (in->status.st_dev == place->status.st_dev &&
		    in->status.st_ino == place->status.st_ino)
			return true;
	return false;
}

/* False with a message: what is in a directory cannot be known, and is not left out in silence. */
static bool find_below(const char *path, const struct place *in, GPtrArray *found, char **reterr)
{
	struct place place = { .in = in };
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) dir = NULL;
	const char *name;

	if (g_stat(path, &place.status) == 0 && is_loop(&place))
		return true;
	dir = g_dir_open(path, 0, &error);
	if (!dir) {
		*reterr = g_strdup(error->message);
		return false;
	}
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		if (name[0] == '.')
			continue;
		if (g_file_test(child, G_FILE_TEST_IS_DIR)) {
			if (!find_below(child, &place, found, reterr))
				return false;
		} else if (g_str_has_suffix(name, ".mad")) {
			g_ptr_array_add(found, g_steal_pointer(&child));
		}
	}
	return true;
}

/* The scripts and directories in 'directory', sorted; GPtrArray of char *, to be unref'd. */
static GPtrArray *names_in(const char *directory)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		if (name[0] == '.')
			continue;
		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(names, g_strconcat(name, "/", NULL));
		else if (g_str_has_suffix(name, ".mad"))
			g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_paths);
	return names;
}

/* "there is no x/retry.mad; did you mean 'retries.mad'? x has: a.mad, retries.mad, slow/" */
static char *no_such_path(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	g_autofree char *base = g_path_get_basename(path);
	g_autofree char *slashed = g_strconcat(base, "/", NULL);
	g_autoptr(GPtrArray) names = names_in(directory);
	GString *text = g_string_new(NULL);
	const char *closest;

	g_string_append_printf(text, "%s: no such file or directory", path);
	g_ptr_array_add(names, NULL);
	closest = mad_closest(base, (const char *const *)names->pdata);
	if (!closest)
		closest = mad_closest(slashed, (const char *const *)names->pdata);
	if (closest)
		g_string_append_printf(text, "; did you mean '%s'?", closest);
	for (guint i = 0; names->pdata[i]; i++) {
		if (i == NAMES_MAX) {
			g_string_append(text, ", ...");
			break;
		}
		if (i == 0)
			g_string_append_printf(text, "\nScripts and directories in %s: ",
					       directory);
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
				       (const char *)names->pdata[i]);
	}
	return g_string_free(text, false);
}

GPtrArray *run_files_find(char **args, char **reterr)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);

	for (char **arg = args; *arg; arg++) {
		g_autoptr(GPtrArray) below = g_ptr_array_new_with_free_func(g_free);

		if (!g_file_test(*arg, G_FILE_TEST_EXISTS)) {
			*reterr = no_such_path(*arg);
			return NULL;
		}
		if (!g_file_test(*arg, G_FILE_TEST_IS_DIR)) {
			g_ptr_array_add(files, g_strdup(*arg));
			continue;
		}
		if (!find_below(*arg, NULL, below, reterr))
			return NULL;
		if (below->len == 0) {
			*reterr = g_strdup_printf("%s: no *.mad file in or below this directory",
						  *arg);
			return NULL;
		}
		g_ptr_array_sort(below, compare_paths);
		for (guint i = 0; i < below->len; i++)
			g_ptr_array_add(files, g_steal_pointer(&below->pdata[i]));
	}
	return g_steal_pointer(&files);
}

/* ---- what files are called ---- */

/* Cuts 'root' down to what both have in common, by whole names. */
static void cut_to_common(char *root, const char *path)
{
	size_t at = 0, end = 0;

	while (root[at] != '\0' && root[at] == path[at]) {
		at++;
		if ((root[at] == '/' || root[at] == '\0') && (path[at] == '/' || path[at] == '\0'))
			end = at;
	}
	root[end] = '\0';
}

char *run_files_root(char **args)
{
	char *root = NULL;

	for (char **arg = args; *arg; arg++) {
		g_autofree char *path = g_canonicalize_filename(*arg, NULL);
		g_autofree char *directory = g_file_test(*arg, G_FILE_TEST_IS_DIR) ?
					     g_strdup(path) : g_path_get_dirname(path);

		if (root)
			cut_to_common(root, directory);
		else
			root = g_steal_pointer(&directory);
	}
	return root;
}

char *run_files_label(const char *root, const char *path)
{
	g_autofree char *whole = g_canonicalize_filename(path, NULL);
	const char *label = whole + strlen(root);

	return g_strdup(label + strspn(label, "/"));
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that are not there: see harness/base/missing-program.h.
 */
#include "harness/base/missing-program.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/program-package.h"
#include "sim/dictionary/mad-dictionary.h"

/* Where tools of administrators are, which the PATH of users often lacks. */
static const char *const further[] = { "/usr/sbin", "/sbin", "/usr/local/sbin", NULL };

/* Adds the names of what can be executed in 'directory'. */
static void add_names(GPtrArray *names, const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		if (access(path, X_OK) == 0 && !g_file_test(path, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(names, g_strdup(name));
	}
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The name among those of 'directories' that is a typo away, or NULL; to be freed. */
static char *closest_in(const char *name, const char *const *directories)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (; *directories; directories++)
		add_names(names, *directories);
	/* The order of a directory is chance. */
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return g_strdup(mad_closest(name, (const char *const *)names->pdata));
}

/* The same among programs that may not be installed. */
static char *closest_packaged(const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *one;

	for (size_t i = 0; (one = program_packaged(i)); i++)
		g_ptr_array_add(names, (void *)one);
	g_ptr_array_add(names, NULL);
	return g_strdup(mad_closest(name, (const char *const *)names->pdata));
}

static char *missing_at(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	g_autofree char *base = g_path_get_basename(path);
	const char *const directories[] = { directory, NULL };
	g_autofree char *closest = closest_in(base, directories);

	if (closest)
		return g_strdup_printf("there is no program %s; did you mean %s/%s?", path,
				       directory, closest);
	return g_strdup_printf("there is no program %s", path);
}

char *program_missing(const char *name)
{
	const char *path = g_getenv("PATH");
	g_auto(GStrv) directories = g_strsplit(path ? path : "/bin:/usr/bin", ":", 0);
	g_autofree char *closest = NULL;

	if (strchr(name, '/'))
		return missing_at(name);
	for (size_t i = 0; further[i]; i++) {
		g_autofree char *there = g_build_filename(further[i], name, NULL);

		if (access(there, X_OK) == 0)
			return g_strdup_printf("there is no program '%s' in PATH, but there is %s: "
					       "add %s to PATH", name, there, further[i]);
	}
	if (program_package(name))
		return g_strdup_printf("there is no program '%s' in PATH; Debian has it in the "
				       "package %s: apt-get install --no-install-recommends %s",
				       name, program_package(name), program_package(name));
	closest = closest_in(name, (const char *const *)directories);
	if (!closest)
		closest = closest_in(name, further);
	if (!closest)
		closest = closest_packaged(name);
	if (closest)
		return g_strdup_printf("there is no program '%s' in PATH; did you mean '%s'?", name,
				       closest);
	return g_strdup_printf("there is no program '%s' in PATH", name);
}

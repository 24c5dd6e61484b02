/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What kernels are built with: see harness/kernel/kernel-files.h.
 */
#include "config.h"

#include "harness/kernel/kernel-files.h"

#include <string.h>

#include "harness/base/command.h"
#include "harness/base/directory-names.h"
#include "harness/kernel/kernel-tree.h"
#include "sim/kernels/kernel-cache.h"
#include "sim/system/private-directory.h"

/* The folders of 'directory', and which files of them count; what is not there counts not. */
static const struct {
	const char *folder;
	const char *pattern;
} own_files[] = {
	{ "kmod-stub", "*.h" },
	{ "kmod-stub/linux", "*" },
	{ "lib/base", "*.h" },
};

/* Of a build tree: beside the program, or beside libtool's directory of programs. */
static char *beside_program(void)
{
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *directory = program ? g_path_get_dirname(program) : NULL;
	char *path;

	if (!directory)
		return NULL;
	if (g_str_has_suffix(directory, "/.libs"))
		directory[strlen(directory) - strlen("/.libs")] = '\0';
	path = g_build_filename(directory, "kernel-files", NULL);
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return path;
	g_free(path);
	return NULL;
}

char *kernel_files_directory(GError **error)
{
	const char *said = g_getenv("UMADRIG_KERNEL_FILES");
	g_autofree char *directory = said && *said ? g_strdup(said) : beside_program();
	g_autofree char *build = NULL;

	if (!directory)
		directory = g_strdup(KERNEL_FILES);
	build = g_build_filename(directory, KERNEL_BUILD_SCRIPT, NULL);
	if (g_file_test(build, G_FILE_TEST_IS_REGULAR))
		return g_steal_pointer(&directory);
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s is not there: install umadrig "
		    "whole, or set UMADRIG_KERNEL_FILES to the directory of its sources", build);
	return NULL;
}

/* Names and sizes count, too: no byte can move from one file to the next. */
static void add_folder(GChecksum *sum, const char *top, const char *folder, const char *pattern)
{
	g_autofree char *path = g_build_filename(top, folder, NULL);
	g_auto(GStrv) names = directory_names(path);

	for (char **name = names; name && *name; name++) {
		g_autofree char *file = g_build_filename(path, *name, NULL);
		g_autofree char *bytes = NULL, *head = NULL;
		gsize size;

		if (!g_pattern_match_simple(pattern, *name) ||
		    !g_file_get_contents(file, &bytes, &size, NULL))
			continue;
		head = g_strdup_printf("%s/%s %zu\n", folder, *name, size);
		g_checksum_update(sum, (const guchar *)head, (gssize)strlen(head));
		g_checksum_update(sum, (const guchar *)bytes, (gssize)size);
	}
}

/* To be freed with its sum. */
static char *finish(GChecksum *sum)
{
	char *identity = g_strndup(g_checksum_get_string(sum), KERNEL_IDENTITY_SIZE);

	g_checksum_free(sum);
	return identity;
}

static GChecksum *sum_own(const char *directory)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (size_t i = 0; i < G_N_ELEMENTS(own_files); i++)
		add_folder(sum, directory, own_files[i].folder, own_files[i].pattern);
	return sum;
}

char *kernel_files_identity(const char *directory, const char *tree)
{
	GChecksum *sum = sum_own(directory);
	const char *pattern, *folder;

	for (unsigned int i = 0; (folder = kernel_tree_folder(i, &pattern)); i++)
		add_folder(sum, tree, folder, pattern);
	for (unsigned int i = 0; (folder = kernel_tree_file(i)); i++) {
		g_autofree char *base = g_path_get_basename(folder);

		add_folder(sum, tree, KERNEL_TREE_CORE, base);
	}
	return finish(sum);
}

/* The build script removes those of other identities, by this name. */
char *kernel_objects_path(const char *directory)
{
	g_autofree char *identity = finish(sum_own(directory));
	g_autofree char *cache = kernel_cache_directory();
	g_autofree char *name = g_strconcat("objects-", identity, NULL);

	return g_build_filename(cache, name, NULL);
}

void kernel_objects_remove(void)
{
	g_autofree char *cache = kernel_cache_directory();
	g_auto(GStrv) names = directory_names(cache);

	for (char **name = names; name && *name; name++) {
		g_autofree char *path = g_build_filename(cache, *name, NULL);

		if (g_str_has_prefix(*name, "objects-"))
			remove_tree(path);
	}
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The sources of a kernel: see harness/kernel/kernel-tree.h.
 */
#include "config.h"

#include "harness/kernel/kernel-tree.h"

#include <string.h>

#include "harness/base/command.h"
#include "lib/words/number.h"
#include "sim/process/process-output.h"
#include "sim/process/process-reap.h"
#include "sim/system/private-directory.h"

static const char *const files[] = {
	KERNEL_TREE_CORE "/mad.c",
	KERNEL_TREE_CORE "/mad_rmpp.c",
	KERNEL_TREE_CORE "/smi.c",
	KERNEL_TREE_CORE "/agent.c",
	KERNEL_TREE_CORE "/user_mad.c",
};

static const struct {
	const char *folder;
	const char *pattern;
} folders[] = {
	{ KERNEL_TREE_CORE, "*.h" },
	{ "include/rdma", "*.h" },
	{ "include/uapi/rdma", "*.h" },
	{ "include/uapi/rdma/hfi", "*.h" },
	{ "include/trace/events", "ib_*.h" },
};

const char *kernel_tree_file(unsigned int at)
{
	return at < G_N_ELEMENTS(files) ? files[at] : NULL;
}

const char *kernel_tree_folder(unsigned int at, const char **ret_pattern)
{
	if (at >= G_N_ELEMENTS(folders))
		return NULL;
	*ret_pattern = folders[at].pattern;
	return folders[at].folder;
}

static bool fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool fail(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error, g_error_new_valist(COMMAND_ERROR, COMMAND_REFUSED, format,
						    args));
	va_end(args);
	return false;
}

/* ---- a directory ---- */

/* The value of "NAME = VALUE", of the first such line; "" if it has none. */
static char *value_of(char *const *lines, const char *name)
{
	for (; *lines; lines++) {
		const char *at = *lines + strlen(name);

		if (!g_str_has_prefix(*lines, name))
			continue;
		at += strspn(at, " \t");
		if (*at == '=')
			return g_strstrip(g_strdup(at + 1));
	}
	return g_strdup("");
}

/* NULL: that is no Makefile of a kernel. */
static char *release_of(const char *makefile)
{
	static const char *const names[] = { "VERSION", "PATCHLEVEL", "SUBLEVEL" };
	g_auto(GStrv) lines = g_strsplit(makefile, "\n", -1);
	g_autofree char *extra = value_of(lines, "EXTRAVERSION");
	GString *release = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *value = value_of(lines, names[i]);
		uint64_t number;

		if (number_parse_decimal(value, 0, UINT16_MAX, &number) < 0)
			return g_string_free(release, true);
		g_string_append_printf(release, "%s%" G_GUINT64_FORMAT, i ? "." : "", number);
	}
	/* It becomes a part of a file's name. */
	if (strspn(extra, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-._") == strlen(extra))
		g_string_append(release, extra);
	return g_string_free(release, false);
}

/* The release of the tree, and all files are there. */
static bool look(struct kernel_tree *tree, const char *source, GError **error)
{
	g_autofree char *makefile = g_build_filename(tree->directory, "Makefile", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GString) missing = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(tree->directory, files[i], NULL);

		if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
			g_string_append_printf(missing, "%s%s", missing->len ? ", " : "",
					       files[i]);
	}
	if (missing->len)
		return fail(error, "%s is no kernel tree: it lacks %s", source, missing->str);
	if (g_file_get_contents(makefile, &text, NULL, NULL))
		tree->release = release_of(text);
	if (!tree->release)
		return fail(error, "%s is no kernel tree: its Makefile has no VERSION, PATCHLEVEL "
			    "and SUBLEVEL", source);
	return true;
}

/* ---- archives ---- */

/* Runs a program. False: '*ret_why' is what it said, or how it ended; to be freed. */
static bool run(const char *const *argv, char **ret_why)
{
	const struct spawn spawn = { .argv = (char *const *)(uintptr_t)argv, .input = SPAWN_NULL };
	struct output said;
	int status = output_take(&spawn, &said);

	if (status < 0) {
		*ret_why = g_strdup_printf("%s: %s", argv[0], g_strerror(-status));
		return false;
	}
	if (status != 0) {
		g_autofree char *how = reap_status_text(status);

		g_strchomp(said.errors);
		*ret_why = *said.errors ? g_steal_pointer(&said.errors) :
					  g_strdup_printf("%s %s", argv[0], how);
	}
	output_clear(&said);
	return status == 0;
}

/* Only the headers and files that a build reads: a kernel has more than a gigabyte. */
static bool unpack_tar(const char *archive, const char *directory, GError **error)
{
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
	const char *const begin[] = {
		"tar", "-C", directory, "--strip-components=1", "--no-same-owner",
		"--wildcards", "--no-wildcards-match-slash", "-xf", archive, "*/Makefile",
	};
	g_autofree char *why = NULL;
	bool done;

	for (size_t i = 0; i < G_N_ELEMENTS(begin); i++)
		g_ptr_array_add(argv, g_strdup(begin[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++)
		g_ptr_array_add(argv, g_strconcat("*/", files[i], NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++)
		g_ptr_array_add(argv, g_strconcat("*/", folders[i].folder, "/",
						  folders[i].pattern, NULL));
	g_ptr_array_add(argv, NULL);
	done = run((const char *const *)(void *)argv->pdata, &why);
	g_ptr_array_unref(argv);
	/* tar(1) fails if one of the patterns has no file: look() says which files are missing. */
	if (done || strstr(why, "Not found in archive"))
		return true;
	return fail(error, "%s: cannot be unpacked: %s", archive, why);
}

/* The tar file in the package of sources: usr/src/linux-source-6.1.tar.xz. */
static bool unpack_deb(const char *package, const char *directory, GError **error)
{
	g_autofree char *whole = g_build_filename(directory, "package", NULL);
	g_autofree char *sources = g_build_filename(whole, "usr", "src", NULL);
	g_autofree char *why = NULL, *archive = NULL;
	const char *const argv[] = { "dpkg-deb", "-x", package, whole, NULL };
	const char *name;
	GDir *dir;

	if (!run(argv, &why))
		return fail(error, "%s: cannot be unpacked: %s", package, why);
	dir = g_dir_open(sources, 0, NULL);
	while (dir && !archive && (name = g_dir_read_name(dir))) {
		if (g_str_has_prefix(name, "linux-source-") && strstr(name, ".tar"))
			archive = g_build_filename(sources, name, NULL);
	}
	if (dir)
		g_dir_close(dir);
	if (!archive)
		return fail(error, "%s: a package without /usr/src/linux-source-*.tar.*: the "
			    "package of sources is called linux-source-VERSION", package);
	if (!unpack_tar(archive, directory, error))
		return false;
	remove_tree(whole);
	return true;
}

/* The archive that an installed package has; to be freed. */
static char *installed(const char *package)
{
	static const char *const ends[] = { "xz", "gz", "bz2", "zst" };

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		char *path = g_strdup_printf("/usr/src/%s.tar.%s", package, ends[i]);

		if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
			return path;
		g_free(path);
	}
	return NULL;
}

/* ---- */

static bool open_tree(struct kernel_tree *tree, const char *source, GError **error)
{
	g_autofree char *archive = NULL;
	bool is_deb = g_str_has_suffix(source, ".deb");

	if (g_file_test(source, G_FILE_TEST_IS_DIR)) {
		tree->directory = g_canonicalize_filename(source, NULL);
		return look(tree, source, error);
	}
	if (g_file_test(source, G_FILE_TEST_EXISTS))
		archive = g_strdup(source);
	else if (!strchr(source, '/'))
		archive = installed(source);
	if (!archive)
		return fail(error, "%s: there is no such tree, archive or package%s%s", source,
			    g_str_has_prefix(source, "linux-source-") && !is_deb ?
			    ": apt-get install " : "",
			    g_str_has_prefix(source, "linux-source-") && !is_deb ? source : "");
	tree->directory = g_dir_make_tmp("umadrig-kernel-XXXXXX", error);
	if (!tree->directory)
		return false;
	tree->is_unpacked = true;
	tree->archive = g_canonicalize_filename(archive, NULL);
	return (is_deb ? unpack_deb(archive, tree->directory, error) :
		unpack_tar(archive, tree->directory, error)) && look(tree, source, error);
}

struct kernel_tree *kernel_tree_open(const char *source, GError **error)
{
	struct kernel_tree *tree = g_new0(struct kernel_tree, 1);
	g_autoptr(GError) why = NULL;

	if (open_tree(tree, source, &why))
		return tree;
	g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, why->message);
	kernel_tree_free(tree);
	return NULL;
}

void kernel_tree_free(struct kernel_tree *tree)
{
	if (!tree)
		return;
	if (tree->is_unpacked)
		remove_tree(tree->directory);
	g_free(tree->directory);
	g_free(tree->archive);
	g_free(tree->release);
	g_free(tree);
}

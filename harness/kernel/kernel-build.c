/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Building kernels: see harness/kernel/kernel-build.h.
 */
#include "config.h"

#include "harness/kernel/kernel-build.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/kernel/kernel-files.h"
#include "harness/kernel/kernel-tree.h"
#include "sim/kernels/built-kernel.h"
#include "sim/kernels/kernel-cache.h"
#include "sim/process/process-output.h"
#include "sim/process/process-reap.h"

enum { BUILD_LACKS = 3 };	/* the script's status: interfaces of the kernel are missing */

/* What is to be built. */
struct order {
	const char *source;	/* as it was given */
	const struct kernel_tree *tree;
	const char *files;	/* kernel_files_directory() */
	char *identity;		/* with the options: "0123456789abcdef+sanitize" */
	char *compiler;
	const struct kernel_build_wishes *wishes;
};

/* "sanitize+debug"; to be freed. */
static char *options_of(const struct kernel_build_wishes *wishes)
{
	const struct { const char *name; bool is_wanted; } options[] = {
		{ "sanitize", wishes->sanitize }, { "races", wishes->races },
		{ "coverage", wishes->coverage }, { "debug", wishes->debug },
	};
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		if (options[i].is_wanted)
			g_string_append_printf(text, "%s%s", text->len ? "+" : "",
					       options[i].name);
	}
	return g_string_free(text, false);
}

char *kernel_build_compiler(GError **error)
{
	static const char *const usual[] = { "cc", "gcc", "clang" };
	const char *said = g_getenv("CC");

	if (said && *said)
		return g_strdup(said);
	for (size_t i = 0; i < G_N_ELEMENTS(usual); i++) {
		g_autofree char *path = g_find_program_in_path(usual[i]);

		if (path)
			return g_strdup(usual[i]);
	}
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "a kernel is compiled, and there is no "
		    "C compiler: install the package gcc, or name one with CC");
	return NULL;
}

/* What the script says is passed on: 'said' has a line for each interface that is missing. */
static bool judge(const struct order *order, int status, struct output *said, GError **error)
{
	g_autofree char *how = reap_status_text(status);

	if (status == 0)
		return true;
	g_strchomp(said->printed);
	g_strchomp(said->errors);
	if (WIFEXITED(status) && WEXITSTATUS(status) == BUILD_LACKS)
		g_set_error(error, COMMAND_ERROR, COMMAND_LACKS, "%s (linux-%s) needs interfaces "
			    "of the kernel that this umadrig does not have:\n%s", order->source,
			    order->tree->release, said->printed);
	else
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s (linux-%s) cannot be "
			    "built: %s%s", order->source, order->tree->release,
			    *said->errors ? said->errors : KERNEL_BUILD_SCRIPT " ",
			    *said->errors ? "" : how);
	return false;
}

static bool compile(const struct order *order, const char *output, GError **error)
{
	g_autofree char *script = g_build_filename(order->files, KERNEL_BUILD_SCRIPT, NULL);
	g_autofree char *objects = kernel_objects_path(order->files);
	const char *argv[] = {
		"sh", script, "--tree", order->tree->directory, "--output", output,
		"--release", order->tree->release, "--identity", order->identity,
		"--cc", order->compiler, "--objects", objects, NULL, NULL, NULL, NULL, NULL,
	};
	const struct spawn spawn = { .argv = (char *const *)(uintptr_t)argv, .input = SPAWN_NULL };
	struct output said;
	size_t count = 14;
	int status;
	bool ok;

	if (order->wishes->sanitize)
		argv[count++] = "--sanitize";
	if (order->wishes->races)
		argv[count++] = "--races";
	if (order->wishes->coverage)
		argv[count++] = "--coverage";
	if (order->wishes->debug)
		argv[count++] = "--debug";
	status = output_take(&spawn, &said);
	if (status < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: sh: %s", script,
			    g_strerror(-status));
		return false;
	}
	ok = judge(order, status, &said, error);
	output_clear(&said);
	return ok;
}

/* What does not load is not left behind. A kernel with sanitizers needs theirs in front of all. */
static bool check(const struct order *order, const char *path, GError **error)
{
	char why[1024];

	if (order->wishes->sanitize || built_kernel_load(path, why, sizeof(why)))
		return true;
	g_unlink(path);
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s (linux-%s) was built, and does not "
		    "load: %s", order->source, order->tree->release, why);
	return false;
}

/*
 * Under a name of its own first: who finds the file finds all of it. With counters the name stays,
 * which is in the file, and the script itself takes care.
 */
static bool build_at(const struct order *order, const char *path, GError **error)
{
	g_autofree char *directory = g_path_get_dirname(path);
	g_autofree char *new = g_strconcat(path, ".XXXXXX", NULL);
	int fd;

	if (g_mkdir_with_parents(directory, 0700) < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", directory,
			    g_strerror(errno));
		return false;
	}
	fd = g_mkstemp_full(new, O_RDWR | O_CLOEXEC, 0755);
	if (fd < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", new,
			    g_strerror(errno));
		return false;
	}
	close(fd);
	if (!compile(order, order->wishes->coverage ? path : new, error)) {
		g_unlink(new);
		return false;
	}
	if (order->wishes->coverage ? g_unlink(new) == 0 : g_rename(new, path) == 0)
		return check(order, path, error);
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", path, g_strerror(errno));
	g_unlink(new);
	return false;
}

static char *build_tree(struct order *order, bool *ret_is_new, GError **error)
{
	g_autofree char *hash = kernel_files_identity(order->files, order->tree->directory);
	g_autofree char *options = options_of(order->wishes);
	g_autofree char *path = order->wishes->output ?
				g_canonicalize_filename(order->wishes->output, NULL) :
				kernel_cache_path(order->tree->release, hash, options);

	order->identity = g_strconcat(hash, *options ? "+" : "", options, NULL);
	if (!order->wishes->output && g_file_test(path, G_FILE_TEST_EXISTS)) {
		if (ret_is_new)
			*ret_is_new = false;
		return g_steal_pointer(&path);
	}
	order->compiler = kernel_build_compiler(error);
	if (!order->compiler || !build_at(order, path, error))
		return NULL;
	if (ret_is_new)
		*ret_is_new = true;
	return g_steal_pointer(&path);
}

char *kernel_build(const char *source, const struct kernel_build_wishes *wishes, bool *ret_is_new,
		   GError **error)
{
	g_autofree char *files = kernel_files_directory(error);
	struct kernel_tree *tree = files ? kernel_tree_open(source, error) : NULL;
	struct order order = { .source = source, .tree = tree, .files = files, .wishes = wishes };
	char *path = tree ? build_tree(&order, ret_is_new, error) : NULL;

	g_free(order.identity);
	g_free(order.compiler);
	kernel_tree_free(tree);
	return path;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Building whole kernels: see harness/kernel/uml-build.h.
 */
#include "config.h"

#include "harness/kernel/uml-build.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/directory-names.h"
#include "harness/kernel/kernel-build.h"
#include "harness/kernel/kernel-files.h"
#include "harness/kernel/kernel-tree.h"
#include "sim/kernels/kernel-cache.h"
#include "sim/process/process-output.h"
#include "sim/process/process-reap.h"

#define FOLDER "kmod-stub/linux/hca"
#define SCRIPT FOLDER "/build-uml"

enum {
	BUILD_LACKS = 3,	/* the script's status: this machine, or the tree, cannot do it */
	OPTIONS = 6,
	ARGUMENTS_MAX = 20,
};

/* What is to be built. */
struct order {
	const char *source;	/* as it was given */
	const struct kernel_tree *tree;
	const char *script;
	char *compiler;
	const struct uml_build_wishes *wishes;
};

static void list_options(const struct uml_build_wishes *wishes, const char *names[OPTIONS + 1])
{
	const struct { const char *name; bool is_wanted; } all[OPTIONS] = {
		{ "--kasan", wishes->kasan }, { "--kcsan", wishes->kcsan },
		{ "--lockdep", wishes->lockdep }, { "--kcov", wishes->kcov },
		{ "--edges", wishes->edges }, { "--debug", wishes->debug },
	};
	size_t count = 0;

	for (size_t i = 0; i < OPTIONS; i++) {
		if (all[i].is_wanted)
			names[count++] = all[i].name;
	}
	names[count] = NULL;
}

/* "kasan+lockdep"; to be freed. */
static char *options_of(const struct uml_build_wishes *wishes)
{
	const char *names[OPTIONS + 1];
	GString *text = g_string_new(NULL);

	list_options(wishes, names);
	for (size_t i = 0; names[i]; i++)
		g_string_append_printf(text, "%s%s", i ? "+" : "", names[i] + strlen("--"));
	return g_string_free(text, false);
}

/* Runs the script. False: it failed; what it said is the error. */
static bool run(const struct order *order, const char *const *argv, char **ret_printed,
		GError **error)
{
	const struct spawn spawn = { .argv = (char *const *)(uintptr_t)argv, .input = SPAWN_NULL };
	struct output said;
	int status = output_take(&spawn, &said);

	if (status < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: sh: %s", order->script,
			    g_strerror(-status));
		return false;
	}
	g_strchomp(said.errors);
	if (status != 0) {
		bool lacks = WIFEXITED(status) && WEXITSTATUS(status) == BUILD_LACKS;
		g_autofree char *how = reap_status_text(status);

		g_set_error(error, COMMAND_ERROR, lacks ? COMMAND_LACKS : COMMAND_REFUSED,
			    "%s (linux-%s) cannot be built: %s", order->source,
			    order->tree->release, *said.errors ? said.errors : how);
	} else {
		if (*said.errors)
			fprintf(stderr, "%s\n", said.errors);
		if (ret_printed)
			*ret_printed = g_steal_pointer(&said.printed);
	}
	output_clear(&said);
	return status == 0;
}

/* ---- identity ---- */

static void add_files(GChecksum *sum, const char *directory)
{
	g_auto(GStrv) names = directory_names(directory);

	for (char **name = names; name && *name; name++) {
		g_autofree char *path = g_build_filename(directory, *name, NULL);
		g_autofree char *bytes = NULL, *head = NULL;
		gsize size;

		if (!g_file_get_contents(path, &bytes, &size, NULL))
			continue;
		head = g_strdup_printf("%s %zu\n", *name, size);
		g_checksum_update(sum, (const guchar *)head, (gssize)strlen(head));
		g_checksum_update(sum, (const guchar *)bytes, (gssize)size);
	}
}

static bool add_source(GChecksum *sum, const struct order *order, GError **error)
{
	const char *argv[] = { "sh", order->script, "--identity", order->tree->directory, NULL };
	g_autofree char *printed = NULL;
	g_autoptr(GError) why = NULL;
	GMappedFile *file;

	if (!order->tree->archive) {
		if (!run(order, argv, &printed, error))
			return false;
		g_checksum_update(sum, (const guchar *)printed, (gssize)strlen(printed));
		return true;
	}
	file = g_mapped_file_new(order->tree->archive, false, &why);
	if (!file) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, why->message);
		return false;
	}
	g_checksum_update(sum, (const guchar *)g_mapped_file_get_contents(file),
			  (gssize)g_mapped_file_get_length(file));
	g_mapped_file_unref(file);
	return true;
}

/* To be freed; NULL with an error. */
static char *identity_of(const struct order *order, const char *files, GError **error)
{
	g_autofree char *folder = g_build_filename(files, FOLDER, NULL);
	g_autofree char *config = g_build_filename(folder, "config", NULL);
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	char *identity = NULL;

	add_files(sum, folder);
	add_files(sum, config);
	if (add_source(sum, order, error))
		identity = g_strndup(g_checksum_get_string(sum), KERNEL_IDENTITY_SIZE);
	g_checksum_free(sum);
	return identity;
}

/* ---- the build ---- */

static bool compile(const struct order *order, const char *work, const char *output,
		    GError **error)
{
	const char *options[OPTIONS + 1], *argv[ARGUMENTS_MAX] = {
		"sh", order->script, "--source",
		order->tree->archive ? order->tree->archive : order->tree->directory,
		"--work", work, "--output", output, "--release", order->tree->release,
		"--cc", order->compiler,
	};
	size_t count = 12;

	list_options(order->wishes, options);
	for (size_t i = 0; options[i]; i++)
		argv[count++] = options[i];
	fprintf(stderr, "umadrig kernel build: linux-%s is built whole, which takes minutes; the "
		"log is %s/log\n", order->tree->release, work);
	return run(order, argv, NULL, error);
}

/* Who finds the image finds all of it. */
static bool build_in(const struct order *order, const char *work, const char *path, GError **error)
{
	g_autofree char *new = g_build_filename(work, "image", NULL);
	g_autofree char *log = g_build_filename(work, "log", NULL);
	g_autofree char *beside = g_strconcat(path, ".new", NULL);
	const char *const copy[] = { "cp", new, beside, NULL };

	if (!compile(order, work, new, error) || !run(order, copy, NULL, error))
		return false;
	g_unlink(new);
	g_unlink(log);
	if (g_rename(beside, path) == 0)
		return true;
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", path, g_strerror(errno));
	return false;
}

/* Two that build the same wait for each other: the second one finds the image. */
static bool build_at(const struct order *order, const char *identity, const char *path,
		     GError **error)
{
	g_autofree char *cache = kernel_cache_directory();
	g_autofree char *name = g_strconcat("uml-", identity, NULL);
	g_autofree char *work = g_build_filename(cache, name, NULL);
	g_autofree char *lock = g_build_filename(work, "lock", NULL);
	bool is_there;
	int fd;

	if (g_mkdir_with_parents(work, 0700) < 0 ||
	    (fd = g_open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) < 0 ||
	    flock(fd, LOCK_EX) < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", work,
			    g_strerror(errno));
		return false;
	}
	is_there = !order->wishes->output && g_file_test(path, G_FILE_TEST_EXISTS);
	if (!is_there)
		is_there = build_in(order, work, path, error);
	if (is_there) {
		g_unlink(lock);
		g_rmdir(work);
	}
	close(fd);
	return is_there;
}

static char *build_as(struct order *order, const char *identity, GError **error)
{
	g_autofree char *options = options_of(order->wishes);
	g_autofree char *name = g_strconcat(identity, *options ? "+" : "", options, NULL);
	g_autofree char *path = order->wishes->output ?
				g_canonicalize_filename(order->wishes->output, NULL) :
				kernel_cache_uml_path(order->tree->release, identity, options);

	if (!order->wishes->output && g_file_test(path, G_FILE_TEST_EXISTS))
		return g_steal_pointer(&path);
	order->compiler = kernel_build_compiler(error);
	if (!order->compiler || !build_at(order, name, path, error))
		return NULL;
	return g_steal_pointer(&path);
}

static char *build_tree(struct order *order, const char *files, GError **error)
{
	g_autofree char *identity = identity_of(order, files, error);

	return identity ? build_as(order, identity, error) : NULL;
}

char *uml_build(const char *source, const struct uml_build_wishes *wishes, GError **error)
{
	g_autofree char *files = kernel_files_directory(error);
	g_autofree char *script = files ? g_build_filename(files, SCRIPT, NULL) : NULL;
	struct kernel_tree *tree = files ? kernel_tree_open(source, error) : NULL;
	struct order order = {
		.source = source, .tree = tree, .script = script, .wishes = wishes,
	};
	char *path = tree ? build_tree(&order, files, error) : NULL;

	g_free(order.compiler);
	kernel_tree_free(tree);
	return path;
}

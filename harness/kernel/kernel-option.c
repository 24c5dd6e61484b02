/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The option --kernel: see harness/kernel/kernel-option.h.
 */
#include "config.h"

#include "harness/kernel/kernel-option.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/kernel/kernel-build.h"
#include "harness/kernel/kernel-sanitizer.h"
#include "sim/kernels/kernel-cache.h"
#include "sim/kernels/kernel-wish.h"

static const struct built_kernel *fail(const char *kernel, int status, const char *why,
				       GError **error)
{
	g_set_error(error, COMMAND_ERROR, status, "--kernel %s: nothing was run: %s", kernel, why);
	return NULL;
}

/* A tree has its directory in front, or is one of these; so have archives, by their names. */
static bool is_source(const char *kernel)
{
	return strcmp(kernel, ".") == 0 || strcmp(kernel, "..") == 0 ||
	       (strchr(kernel, '/') && g_file_test(kernel, G_FILE_TEST_IS_DIR)) ||
	       g_str_has_prefix(kernel, "linux-source-") || g_str_has_suffix(kernel, ".deb") ||
	       strstr(kernel, ".tar");
}

/* The file that 'kernel' stands for, or its name; to be freed. */
static char *file_of(const char *name, const char *kernel, GError **error)
{
	static const struct kernel_build_wishes usual = { .output = NULL };
	bool is_new;
	char *path;

	if (!is_source(kernel))
		return g_strdup(kernel);
	path = kernel_build(kernel, &usual, &is_new, error);
	if (path && is_new)
		fprintf(stderr, "%s: built of %s: %s\n", name, kernel, path);
	return path;
}

/* "uml:6.12", "node7:uml:6.12": what makes guests of hosts is not loaded here. */
static bool is_of_guests(const char *kernel)
{
	struct kernel_wish wish;
	char why[256];
	bool is_meant;

	if (kernel_wish_parse(kernel, &wish, why, sizeof(why)) < 0)
		return false;
	is_meant = g_str_has_prefix(wish.kernel, KERNEL_UML_PREFIX);
	kernel_wish_clear(&wish);
	return is_meant;
}

const struct built_kernel *kernel_option_take(const char *name, const char *kernel, GError **error)
{
	const struct built_kernel *built;
	g_autoptr(GError) reason = NULL;
	g_autofree char *file = NULL;
	char why[1024];

	if (is_of_guests(kernel))
		return fail(kernel, COMMAND_USAGE, "scenarios run in a guest, not beside it; see "
			    "WHOLE KERNELS in umadrig-kernel(1)", error);
	file = file_of(name, kernel, &reason);
	if (!file)
		return fail(kernel, COMMAND_REFUSED, reason->message, error);
	if (!kernel_sanitizer_begin(file, &reason))
		return fail(kernel, reason->code, reason->message, error);
	built = built_kernel_find(file, why, sizeof(why));
	if (!built)
		return fail(kernel, COMMAND_USAGE, why, error);
	/* It is passed on as an option of fabrics. */
	if (strchr(built->path, ','))
		return fail(kernel, COMMAND_USAGE, "a file without a comma in its name is needed",
			    error);
	return built;
}

char *kernel_option_fabric(const char *name, const char *fabric, const char *kernel,
			   GError **error)
{
	const struct built_kernel *built;

	if (!kernel)
		return g_strdup(fabric ? fabric : "");
	if (is_of_guests(kernel))
		return g_strconcat(fabric ? fabric : "", ",kernel=", kernel, NULL);
	built = kernel_option_take(name, kernel, error);
	return built ? g_strconcat(fabric ? fabric : "", ",kernel=", built->path, NULL) : NULL;
}

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
#include "sim/guests/guest-image.h"
#include "sim/kernels/kernel-cache.h"
#include "sim/kernels/kernel-wish.h"
#include "sim/process/process-output.h"

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

const struct built_kernel *kernel_option_take(const char *name, const char *kernel, GError **error)
{
	const struct built_kernel *built;
	g_autoptr(GError) reason = NULL;
	g_autofree char *file = file_of(name, kernel, &reason);
	char why[1024];

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

/* ---- whole kernels ---- */

bool kernel_option_is_whole(const char *kernel)
{
	return g_str_has_prefix(kernel, KERNEL_UML_PREFIX);
}

/* The release of a kernel that is a program: it prints that, and ends. To be freed; or NULL. */
static char *release_of(const char *image)
{
	const char *argv[] = { image, "--version", NULL };
	const struct spawn spawn = {
		.path = image, .argv = (char *const *)(uintptr_t)argv, .input = SPAWN_NULL,
	};
	struct output said;
	char *release = NULL;
	int status = output_take(&spawn, &said);

	if (status < 0)
		return NULL;
	if (status == 0 && g_ascii_isdigit(*g_strstrip(said.printed)))
		release = g_strdup(said.printed);
	output_clear(&said);
	return release;
}

struct whole_kernel *kernel_option_take_whole(const char *kernel, GError **error)
{
	char why[1024];
	g_autofree char *image = guest_image_find(kernel, why, sizeof(why));
	g_autofree char *release = image ? release_of(image) : NULL;
	struct whole_kernel *whole;

	if (image && !release)
		g_snprintf(why, sizeof(why), "%s is no kernel of 'umadrig kernel build --uml': it "
			   "does not say its release", image);
	else if (image && strchr(image, ','))
		g_snprintf(why, sizeof(why), "a file without a comma in its name is needed");
	else if (image) {
		whole = g_new0(struct whole_kernel, 1);
		whole->wish = g_strconcat(KERNEL_UML_PREFIX, image, NULL);
		whole->name = g_strconcat("linux-", release, NULL);
		kmod_profile_of_release(release, &whole->profile);
		return whole;
	}
	fail(kernel, COMMAND_USAGE, why, error);
	return NULL;
}

void kernel_option_free_whole(struct whole_kernel *kernel)
{
	if (!kernel)
		return;
	g_free(kernel->wish);
	g_free(kernel->name);
	g_free(kernel);
}

/* ---- as an option of a fabric ---- */

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

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The option kernel= of fabrics: see sim/run/host-kernels.h.
 */
#include "sim/run/host-kernels.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/options.h"
#include "sim/guests/guest-image.h"
#include "sim/guests/guest-set.h"
#include "sim/kernels/kernel-wish.h"

static int fail(const char *text, const char *why, char *reterr, size_t reterr_size)
{
	g_snprintf(reterr, reterr_size, "kernel=%s: %s", text, why);
	return -EINVAL;
}

/*
 * What 'text' wishes for, to be cleared also where there is no such kernel, and that kernel: NULL
 * for kmod-stub. The options have been parsed: it is a wish. 0, or -ENOENT with a message.
 */
static int find(const char *text, struct kernel_wish *ret_wish, const struct built_kernel **ret,
		char *reterr, size_t reterr_size)
{
	char why[1024];
	int status;

	*ret_wish = (struct kernel_wish){ NULL, NULL };
	kernel_wish_parse(text, ret_wish, why, sizeof(why));
	status = kernel_wish_find(ret_wish, ret, why, sizeof(why));
	if (status < 0)
		fail(text, why, reterr, reterr_size);
	return status;
}

/* Where the profile of kmod-stub is asked for as well, one of the two would not be kept. */
static int take_for_all(struct umadrig_options *options, const char *text,
			const struct built_kernel *built, bool *is_given, char *reterr,
			size_t reterr_size)
{
	if (*is_given)
		return fail(text, "there is another one for all hosts: name the hosts, as in "
			    "kernel=H1:6.12", reterr, reterr_size);
	*is_given = true;
	if (!built)
		return 0;
	if (options->profile_set)
		return fail(text, "profile= is of kmod-stub, and the ways of this kernel are its "
			    "own: leave out profile=", reterr, reterr_size);
	options->kernel = built->kernel;
	options->profile = built->profile;
	return 0;
}

/* Is it there, and can it run here? The guests themselves come with the fabric. */
static int check_guest(const struct umadrig_options *options, const char *text, const char *kernel,
		       char *reterr, size_t reterr_size)
{
	char why[1024];
	g_autofree char *image = guest_image_find(kernel, why, sizeof(why));

	if (!image) {
		fail(text, why, reterr, reterr_size);
		return -ENOENT;
	}
	if (options->guest_directory &&
	    !g_file_test(options->guest_directory, G_FILE_TEST_IS_DIR)) {
		g_snprintf(why, sizeof(why), "guest-directory=%s: there is no such directory",
			   options->guest_directory);
		return fail(text, why, reterr, reterr_size);
	}
	if (options->virtual_clock)
		return 0;
	return fail(text, guest_set_wants_virtual_time, reterr, reterr_size);
}

/* The wish for a guest, to be cleared; false: it is for another kernel. */
static bool is_guest(const char *text, struct kernel_wish *ret)
{
	char why[1024];

	*ret = (struct kernel_wish){ NULL, NULL };
	kernel_wish_parse(text, ret, why, sizeof(why));
	if (ret->kernel && guest_image_is_meant(ret->kernel))
		return true;
	kernel_wish_clear(ret);
	return false;
}

int host_kernels_load(struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	bool is_given = false, has_guests = false;
	int ret = 0;

	for (char **text = options->kernels; ret == 0 && text && *text; text++) {
		const struct built_kernel *built;
		struct kernel_wish wish;

		if (is_guest(*text, &wish)) {
			ret = check_guest(options, *text, wish.kernel, reterr, reterr_size);
			kernel_wish_clear(&wish);
			has_guests = true;
			continue;
		}
		ret = find(*text, &wish, &built, reterr, reterr_size);
		if (ret == 0 && !wish.host)
			ret = take_for_all(options, *text, built, &is_given, reterr, reterr_size);
		kernel_wish_clear(&wish);
	}
	if (ret == 0 && options->guest_directory && !has_guests) {
		g_snprintf(reterr, reterr_size, "guest-directory= is of hosts that are guests, and "
			   "there are none: add kernel=HOST:uml:RELEASE");
		return -EINVAL;
	}
	return ret;
}

static void give(struct umadrig_host *host, const struct built_kernel *built)
{
	host->kernel = built ? built->kernel : &kmod_stub;
	host->profile = built ? built->profile : (enum kmod_profile)host->fabric->options.profile;
}

/* How many hosts have it. */
static unsigned int give_to(struct umadrig_fabric *fabric, const struct kernel_wish *wish,
			    const struct built_kernel *built)
{
	unsigned int count = 0;

	if (!strpbrk(wish->host, "*?")) {
		struct umadrig_host *host = fabric_host(fabric, wish->host);

		if (host)
			give(host, built);
		return host != NULL;
	}
	for (guint i = 0; i < fabric->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		if (!g_pattern_match_simple(wish->host, host->name))
			continue;
		give(host, built);
		count++;
	}
	return count;
}

static bool is_meant(const struct umadrig_host *host, const char *name)
{
	return !name || host == fabric_host(host->fabric, name) ||
	       (strpbrk(name, "*?") && g_pattern_match_simple(name, host->name));
}

static int give_guests(struct umadrig_fabric *fabric, const char *text,
		       const struct kernel_wish *wish, char *reterr, size_t reterr_size)
{
	char why[1024];
	g_autofree char *image = guest_image_find(wish->kernel, why, sizeof(why));
	int ret = image ? 0 : -ENOENT;
	unsigned int count = 0;

	for (guint i = 0; ret == 0 && i < fabric->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		if (!is_meant(host, wish->host))
			continue;
		ret = guest_set_add(fabric, host, image, why, sizeof(why));
		count++;
	}
	if (ret == 0 && count == 0) {
		g_snprintf(why, sizeof(why), "%s has no host '%s'", fabric->name, wish->host);
		ret = -ENOENT;
	}
	return ret < 0 ? fail(text, why, reterr, reterr_size) : 0;
}

int host_kernels_give(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	int ret = 0;

	for (char **text = fabric->options.kernels; ret == 0 && text && *text; text++) {
		const struct built_kernel *built;
		struct kernel_wish wish;
		char why[1024];

		if (is_guest(*text, &wish)) {
			ret = give_guests(fabric, *text, &wish, reterr, reterr_size);
			kernel_wish_clear(&wish);
			continue;
		}
		ret = find(*text, &wish, &built, reterr, reterr_size);
		if (ret == 0 && wish.host && give_to(fabric, &wish, built) == 0) {
			g_snprintf(why, sizeof(why), "%s has no host '%s'", fabric->name,
				   wish.host);
			ret = fail(*text, why, reterr, reterr_size);
		}
		kernel_wish_clear(&wish);
	}
	return ret;
}

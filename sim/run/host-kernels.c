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

int host_kernels_load(struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	bool is_given = false;
	int ret = 0;

	for (char **text = options->kernels; ret == 0 && text && *text; text++) {
		const struct built_kernel *built;
		struct kernel_wish wish;

		ret = find(*text, &wish, &built, reterr, reterr_size);
		if (ret == 0 && !wish.host)
			ret = take_for_all(options, *text, built, &is_given, reterr, reterr_size);
		kernel_wish_clear(&wish);
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

int host_kernels_give(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	int ret = 0;

	for (char **text = fabric->options.kernels; ret == 0 && text && *text; text++) {
		const struct built_kernel *built;
		struct kernel_wish wish;
		char why[1024];

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

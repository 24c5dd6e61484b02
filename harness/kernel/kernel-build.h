/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Building kernels of the sources that a user has, into the cache (sim/kernels/kernel-cache.h).
 */
#ifndef UMADRIG_HARNESS_KERNEL_KERNEL_BUILD_H
#define UMADRIG_HARNESS_KERNEL_KERNEL_BUILD_H

#include <glib.h>
#include <stdbool.h>

struct kernel_build_wishes {
	bool sanitize, races, coverage, debug;
	const char *output;	/* a file in place of the cache; NULL: the cache */
};

/*
 * The file of the kernel that 'source' (kernel_tree_open()) has: the one of the cache if it was
 * built of the same files before, else built now, and there whole or not at all. To be freed.
 * '*ret_is_new' may be NULL.
 *
 * NULL with an error of COMMAND_ERROR: COMMAND_LACKS if the tree needs what umadrig has nothing for
 * (the message lists it), else COMMAND_REFUSED.
 */
char *kernel_build(const char *source, const struct kernel_build_wishes *wishes, bool *ret_is_new,
		   GError **error);

/* CC, or what compiler there is; to be freed. It may have arguments, "ccache gcc". NULL: none. */
char *kernel_build_compiler(GError **error);

#endif
